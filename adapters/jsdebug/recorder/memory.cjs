// Sums of what objects hold, and which of it was noted as written to last: by them it is
// told that something has changed an object which nothing that is noted has done. What the
// contents lead to counts as the same for as long as it is the same object. No code of the
// program's is run.
'use strict';
const { types } = require('util');
const { OPEN } = require('./rewrite.cjs');

const SMALL = 100; // elements of an object that is summed each time
const RUN = 2e6; // elements of all larger ones of a run: then it would take too long
const SHARE = RUN / 8; // of one of them
const MOST = 1 << 20; // elements of one that was asked about
const ENDS = 200; // letters of a text that count, at its beginning and at its end
const PARTS = 8; // of one object
const BYTES = 8; // of a buffer that are as much work as an element
const NONE = {}; // stands for an element that is not there
const source = Function.prototype.toString;
const mapSize = Object.getOwnPropertyDescriptor(Map.prototype, 'size').get;
const setSize = Object.getOwnPropertyDescriptor(Set.prototype, 'size').get;
const [listed, viewed] = [Object.getPrototypeOf(Uint8Array.prototype), DataView.prototype].map((of) => {
  const [buffer, byteOffset, byteLength] = ['buffer', 'byteOffset', 'byteLength'].map((name) => Object.getOwnPropertyDescriptor(of, name).get);
  return { buffer, byteOffset, byteLength };
});
const wayOf = (view) => (types.isDataView(view) ? viewed : listed);

class Memory {
  // identity names objects.
  constructor(identity) {
    this.identity = identity;
    this.left = RUN;
    this.objects = new WeakMap(); // what is known of each
    this.classes = new WeakMap(); // whether they are the program's own
  }

  // sum is that of what an object holds; empty where it is not known. One that was asked
  // about is summed whatever was spent until then.
  sum(value, asked = false) {
    if (!asked && this.objects.get(value)?.spent > SHARE) return '';
    try {
      const holds = this.holding(value);
      return holds && this.affords(value, holds.size, asked) ? this.summed(value, holds) : '';
    } catch {
      return ''; // a module that has not run yet
    }
  }

  // contents is that of any object which is asked about by its name.
  contents(value) {
    try {
      const holds = this.holding(value, true);
      return holds && holds.size <= MOST ? this.summed(value, holds) : '';
    } catch {
      return '';
    }
  }

  summed(value, holds) {
    const sum = new Sum(this.identity);
    holds.put(sum, value);
    return sum.text();
  }

  // small is the sum of an object that always gets one; empty for another.
  small(value) {
    try {
      const holds = this.holding(value);
      return holds && holds.size <= SMALL ? this.sum(value) : '';
    } catch {
      return '';
    }
  }

  affords(value, size, asked) {
    if (size <= SMALL) return true;
    if (asked) return size <= MOST;
    if (size > SHARE) return false;
    this.of(value).spent += size;
    this.left -= size;
    return this.left >= 0;
  }

  // holding says how much an object holds, and how that is put into a sum; undefined for
  // what is not summed: what a library has made changes as it is used. Named ones are asked about.
  holding(value, named = false) {
    if (typeof value !== 'object' || value === null || types.isProxy(value)) return undefined;
    if (Array.isArray(value)) return { size: value.length, put: elements };
    if (ArrayBuffer.isView(value)) return { size: Math.ceil(wayOf(value).byteLength.call(value) / BYTES), put: bytes };
    if (types.isMap(value)) return { size: mapSize.call(value), put: entries };
    if (types.isSet(value)) return { size: setSize.call(value), put: members };
    if (types.isDate(value)) return { size: 1, put: time };
    if (types.isModuleNamespaceObject(value) || types.isArgumentsObject(value)) return undefined; // variables are in them
    if (!named && !this.own(value)) return undefined;
    return { size: Reflect.ownKeys(value).length, put: properties };
  }

  // own says that an object is a plain one, or of a class of the program's own.
  own(value) {
    const p = Object.getPrototypeOf(value);
    if (p === null) return true;
    if (types.isProxy(p)) return false;
    const made = Object.getOwnPropertyDescriptor(p, 'constructor')?.value;
    if (typeof made !== 'function' || types.isProxy(made)) return false;
    if (Object.getPrototypeOf(p) === null) return true;
    let is = this.classes.get(made);
    if (is === undefined) this.classes.set(made, (is = source.call(made).includes(OPEN)));
    return is;
  }

  of(object) {
    let known = this.objects.get(object);
    if (!known) this.objects.set(object, (known = { spent: 0, changes: 0, parts: new Map() }));
    return known;
  }

  // wrote is told that a part of an object was noted as written to: how leads to it.
  wrote(object, place, how) {
    const known = this.of(object), { parts } = known;
    known.changes++;
    if (how === 'length' && Array.isArray(object)) parts.clear(); // others may be gone
    parts.delete(place);
    if (how === undefined || typeof how?.g === 'object' || typeof how?.g === 'function') return;
    parts.set(place, how);
    if (parts.size > PARTS) parts.delete(parts.keys().next().value);
  }

  // changed is told that an object was noted as changed, and not what of it.
  changed(object) {
    const known = this.of(object);
    known.changes++;
    known.parts.clear();
  }

  // changes is how often it was noted that an object was written to.
  changes(object) {
    return this.objects.get(object)?.changes || 0;
  }

  // noted says that what has changed an object since it was noted to have been so often can
  // only be what was noted since: it is of a class of the program's own.
  noted(object, changes) {
    return typeof object === 'object' && object !== null && this.changes(object) !== changes && this.holding(object)?.put === properties;
  }

  // parts are how the parts of an object are reached that were written to last.
  parts(object) {
    const known = (typeof object === 'object' || typeof object === 'function') && object !== null && this.objects.get(object);
    return known ? [...known.parts.values()] : [];
  }
}

// Sum is one of values, in their order.
class Sum {
  constructor(identity) {
    this.identity = identity;
    this.a = 0x9747b28c;
    this.b = 0x3c6ef372;
  }

  add(n) {
    this.a = Math.imul(this.a ^ n, 0x85ebca6b);
    this.a ^= this.a >>> 13;
    this.b = Math.imul((this.b + n) ^ (this.b >>> 15), 0xc2b2ae35);
  }

  number(n) {
    if ((n | 0) === n && (n !== 0 || 1 / n > 0)) return this.add(n);
    double[0] = n;
    this.add(words[0] ^ 0x55555555);
    this.add(words[1]);
  }

  letters(text) {
    this.add(text.length);
    const { length } = text, first = Math.min(length, ENDS);
    for (let i = 0; i < first; i++) this.add(text.charCodeAt(i));
    for (let i = Math.max(first, length - ENDS); i < length; i++) this.add(text.charCodeAt(i));
  }

  value(value) {
    switch (typeof value) {
      case 'number': this.add(1); return this.number(value);
      case 'string': this.add(2); return this.letters(value);
      case 'boolean': return this.add(value ? 3 : 4);
      case 'undefined': return this.add(5);
      case 'bigint': this.add(6); return this.letters(value.toString());
      case 'symbol': this.add(7); return this.letters(String(value.description));
    }
    if (value === null) return this.add(8);
    if (value === NONE) return this.add(9);
    this.add(10);
    this.number(+this.identity(value));
  }

  // held is what an object holds under a key; what only a call would tell is not looked at.
  held(object, key) {
    const d = Object.getOwnPropertyDescriptor(object, key);
    this.value(d && 'value' in d ? d.value : NONE);
  }

  text() {
    return `${(this.a >>> 0).toString(36)}.${(this.b >>> 0).toString(36)}`;
  }
}

const double = new Float64Array(1), words = new Int32Array(double.buffer);

function elements(sum, list) {
  sum.add(list.length);
  for (let i = 0; i < list.length; i++) sum.held(list, i);
}

function bytes(sum, view) {
  const { buffer, byteOffset, byteLength } = wayOf(view);
  const length = byteLength.call(view), whole = length - length % 4;
  sum.add(length);
  if (!length) return; // its buffer may be gone
  const list = new Uint8Array(buffer.call(view), byteOffset.call(view), length);
  for (let i = 0; i < whole; i += 4) sum.add(list[i] | list[i + 1] << 8 | list[i + 2] << 16 | list[i + 3] << 24);
  for (let i = whole; i < length; i++) sum.add(list[i]);
}

function entries(sum, map) {
  for (const [key, value] of Map.prototype.entries.call(map)) {
    sum.value(key);
    sum.value(value);
  }
}

function members(sum, set) {
  for (const value of Set.prototype.values.call(set)) sum.value(value);
}

function time(sum, date) {
  sum.number(Date.prototype.getTime.call(date));
}

function properties(sum, object) {
  for (const key of Reflect.ownKeys(object)) {
    const d = Object.getOwnPropertyDescriptor(object, key);
    if (!d || !d.enumerable) continue;
    sum.value(key);
    sum.value('value' in d ? d.value : NONE);
  }
}

module.exports = { Memory };
