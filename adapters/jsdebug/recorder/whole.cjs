// A hash of all of a value, for values whose text leaves something out: two values that
// are equal have equal hashes, in this run and in others. Types count, the order of
// properties, of maps and of sets does not. No code of the program's is run.
'use strict';
const { Buffer } = require('node:buffer'); // the program may take the global one away
const { createHash } = require('crypto');
const { types } = require('util');

const MOST = 1 << 20; // characters of one value that are looked at: recording.WholeSize
const BUDGET = 24 << 20; // of all values of a run, so that it is not slowed without end
const DEEPEST = 200;
const PUT = /\/\*@a\*\/[^]*?\/\*a@\*\//g; // what the recorder has put into a function
const PRIVATE = /(?:^|[\s;{}*])#[\p{ID_Start}$_][\p{ID_Continue}$]*\s*[=;(\n}]/u;
const source = Function.prototype.toString;
const mapSize = Object.getOwnPropertyDescriptor(Map.prototype, 'size').get;
const setSize = Object.getOwnPropertyDescriptor(Set.prototype, 'size').get;

// UNKNOWN is thrown where a value cannot be hashed, which happens a million times: it has
// no stack.
const UNKNOWN = Symbol('unknown');

class Hasher {
  constructor() {
    this.left = BUDGET;
  }

  // of is the hash of a value, empty where it is not known.
  of(value) {
    if (this.left <= 0) return '';
    const room = (this.room = Math.min(MOST, this.left));
    this.open = [];
    try {
      return createHash('sha1').update(this.text(value)).digest('hex').slice(0, 16);
    } catch {
      return '';
    } finally {
      this.left -= room - Math.max(this.room, 0);
    }
  }

  spend(text) {
    if ((this.room -= text.length) < 0) throw UNKNOWN;
    return text;
  }

  text(value) {
    switch (typeof value) {
      case 'string': return this.spend(`s${value.length}:${value}`);
      case 'number': return this.spend(Object.is(value, -0) ? 'n-0' : `n${value}`);
      case 'function': return this.spend(`f${String(own(value, 'name'))}${source.call(value).replace(PUT, '')}`);
      case 'object': return value === null ? 'null' : this.object(value);
      case 'symbol': return this.spend(value.toString());
    }
    return this.spend(`${typeof value} ${String(value)}`);
  }

  object(value) {
    const at = this.open.lastIndexOf(value);
    if (at >= 0) return `^${this.open.length - at}`; // it holds itself
    if (types.isProxy(value) || this.open.length > DEEPEST) throw UNKNOWN;
    this.open.push(value);
    const text = `${kind(value)}(${this.inside(value)}|${this.properties(value)})`;
    this.open.pop();
    return text;
  }

  // inside is what an object holds beside its properties.
  inside(value) {
    if (types.isMap(value)) return this.sorted(mapSize.call(value), Map.prototype.entries.call(value), ([k, v]) => `${this.text(k)}=>${this.text(v)}`);
    if (types.isSet(value)) return this.sorted(setSize.call(value), Set.prototype.values.call(value), (v) => this.text(v));
    if (types.isDate(value)) return String(Date.prototype.getTime.call(value));
    if (types.isRegExp(value)) return this.spend(`${own(value, 'lastIndex')}${RegExp.prototype.toString.call(value)}`);
    if (types.isBoxedPrimitive(value)) return this.text(value.valueOf());
    if (ArrayBuffer.isView(value)) return this.bytes(Buffer.from(value.buffer, value.byteOffset, value.byteLength));
    if (types.isAnyArrayBuffer(value)) return this.bytes(Buffer.from(value));
    if (types.isPromise(value) || types.isWeakMap(value) || types.isWeakSet(value) || types.isGeneratorObject(value) || types.isMapIterator(value) || types.isSetIterator(value) || types.isExternal(value) || types.isModuleNamespaceObject(value)) throw UNKNOWN;
    if (hidden(value)) throw UNKNOWN;
    return '';
  }

  bytes(buffer) {
    if (buffer.length > this.room) throw UNKNOWN;
    return this.spend(buffer.toString('latin1'));
  }

  sorted(size, things, text) {
    if (size > this.room) throw UNKNOWN;
    return [...things].map(text).sort().join();
  }

  properties(value) {
    if (ArrayBuffer.isView(value)) return '';
    if (Array.isArray(value) && value.length > this.room) throw UNKNOWN;
    const error = types.isNativeError(value), parts = [];
    for (const key of Reflect.ownKeys(value)) {
      const d = Object.getOwnPropertyDescriptor(value, key);
      if (!d || error && key === 'stack' || !d.enumerable && !(error && (key === 'message' || key === 'cause' || key === 'errors'))) continue;
      parts.push(`${this.spend(String(key))}:${'value' in d ? this.text(d.value) : 'accessor'}`);
    }
    if (Array.isArray(value)) return `${value.length}:${parts.join()}`;
    return parts.sort().join();
  }
}

const classes = new WeakMap(); // whether their objects have private members

// hidden says that an object has members which nobody can look at.
function hidden(value) {
  for (let p = Object.getPrototypeOf(value); p && !types.isProxy(p); p = Object.getPrototypeOf(p)) {
    const made = Object.getOwnPropertyDescriptor(p, 'constructor')?.value;
    if (typeof made !== 'function' || types.isProxy(made)) continue;
    let has = classes.get(made);
    if (has === undefined) {
      const text = source.call(made);
      classes.set(made, (has = text.startsWith('class') && PRIVATE.test(text)));
    }
    if (has) return true;
  }
  return false;
}

// own is what an object holds under a name; undefined where only a call would tell.
function own(object, name) {
  for (let o = object; o && !types.isProxy(o); o = Object.getPrototypeOf(o)) {
    const d = Object.getOwnPropertyDescriptor(o, name);
    if (d) return d.value;
  }
  return undefined;
}

function kind(value) {
  const made = own(value, 'constructor');
  const name = typeof made === 'function' && !types.isProxy(made) ? own(made, 'name') : '';
  return typeof name === 'string' && name || 'Object';
}

module.exports = { Hasher, own, kind, hidden };
