// Which objects lie in the places that are asked about, to know them by their other names.
'use strict';
const { types } = require('util');

const KEPT = 20000;
const [listed, viewed] = [Object.getPrototypeOf(Uint8Array.prototype), DataView.prototype].map((of) => Object.getOwnPropertyDescriptor(of, 'buffer').get);

class Aliases {
  // begun is called when there is something to know.
  constructor(begun) {
    this.begun = begun;
    this.places = new Map(); // place: { object: a WeakRef, shown: how it was when it was noted last }
    this.objects = new WeakMap(); // object, or the memory that it shows: the places that it lies in
  }

  // put says what lies in a place, and how it is.
  put(place, object, shown) {
    this.drop(place);
    if (typeof object !== 'object' || object === null) return;
    this.begun();
    this.places.set(place, { object: new WeakRef(object), shown });
    const key = memoryOf(object);
    if (!this.objects.has(key)) this.objects.set(key, new Set());
    this.objects.get(key).add(place);
    if (this.places.size > KEPT) this.drop(this.places.keys().next().value);
  }

  // met says that an object was found in a place.
  met({ value, where }, look) {
    if (where && typeof value === 'object' && value !== null && this.places.get(where)?.object.deref() !== value) this.put(where, value, look(value));
  }

  drop(place) {
    const object = this.places.get(place)?.object.deref();
    this.places.delete(place);
    if (object !== undefined) this.objects.get(memoryOf(object)).delete(place);
  }

  // of are the places that a value lies in, or what shows the same memory.
  of(value) {
    return typeof value === 'object' && value !== null ? [...(this.objects.get(memoryOf(value)) || [])] : [];
  }

  // changed are [place, was, now] of those in which something is not as it was noted last.
  changed(look) {
    return [...this.places].flatMap(([place, { object, shown }]) => {
      const value = object.deref(), now = value !== undefined && look(value);
      return now && differs(shown, now) ? [[place, shown, now]] : [];
    });
  }
}

// memoryOf is what two objects have in common that are changed by one another.
function memoryOf(object) {
  if (!ArrayBuffer.isView(object)) return object;
  return (types.isDataView(object) ? viewed : listed).call(object);
}

// differs says that two values as events have them are not the same.
function differs(a, b) {
  return a.v !== b.v || a.w !== b.w;
}

module.exports = { Aliases, differs };
