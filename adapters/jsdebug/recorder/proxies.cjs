// What a Proxy stands in front of. A look goes on there where no trap has a say in what is
// read; no trap is ever called.
'use strict';
const { types } = require('util');

const READS = ['get', 'getOwnPropertyDescriptor', 'has', 'ownKeys', 'getPrototypeOf'];
const SAID = 'something was written through a Proxy that tells by code of its own what it holds: of that only what statements of the program write to what stands behind it is noted';

// Proxies are those that were made since they are watched.
class Proxies {
  constructor(recorder) {
    this.recorder = recorder;
    this.made = new WeakMap(); // of each: [target, handler]
    const Native = globalThis.Proxy, { made } = this;
    const keep = (proxy, target, handler) => (made.set(proxy, [target, handler]), proxy);
    const revocable = {
      revocable(target, handler) {
        const pair = Native.revocable(target, handler);
        keep(pair.proxy, target, handler);
        return pair;
      },
    }.revocable;
    const traps = {
      construct: (_, [target, handler]) => keep(new Native(target, handler), target, handler),
      get: (native, key) => (key === 'revocable' ? revocable : Reflect.get(native, key)),
    };
    Object.defineProperty(globalThis, 'Proxy', { value: new Native(Native, traps), configurable: true, writable: true, enumerable: false });
  }

  // behind is what stands behind a Proxy that reads go through; what is none is itself.
  behind(value) {
    while (types.isProxy(value)) {
      const [target, handler] = this.made.get(value) || [];
      if (!target || !plain(handler)) return value;
      value = target;
    }
    return value;
  }

  // written is told that something was written through one that nothing can be read through.
  written() {
    this.recorder.remark(SAID);
  }
}

// plain says that a handler has no trap for what reads, as far as that can be seen.
function plain(handler) {
  for (let o = handler; o; o = Object.getPrototypeOf(o)) {
    if (types.isProxy(o)) return false;
    if (READS.some((trap) => Object.getOwnPropertyDescriptor(o, trap))) return false;
  }
  return true;
}

module.exports = { Proxies };
