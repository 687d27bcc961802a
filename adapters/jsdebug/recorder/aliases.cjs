// Which objects lie in the places that are asked about, to know them by their other names.
'use strict';
const { types } = require('util');

const UNSEEN = 'unseen'; // recording.Unseen
const KEPT = 20000;
const MEMBER = /^\d+[[<]/; // how the places of members begin
const [listed, viewed] = [Object.getPrototypeOf(Uint8Array.prototype), DataView.prototype].map((of) => Object.getOwnPropertyDescriptor(of, 'buffer').get);

class Aliases {
  // begun is called when there is something to know; look is how a value is shown, sum what
  // it holds, empty where that is not known.
  constructor(begun, look, sum) {
    this.begun = begun;
    this.look = look;
    this.sum = sum;
    this.inner = false; // what lies in one of the objects was changed, and not the object
    this.places = new Map(); // place: { object: a WeakRef, shown, sum: how it was when it was noted last }
    this.objects = new WeakMap(); // object, or the memory that it shows: the places that it lies in
  }

  // put says what lies in a place, and how it is.
  put(place, object, shown) {
    if (this.places.get(place)?.object.deref() !== object) this.drop(place);
    if (typeof object !== 'object' || object === null) return;
    this.begun();
    const sum = this.sum(object), key = memoryOf(object);
    this.places.set(place, { object: new WeakRef(object), shown, sum });
    if (!this.objects.has(key)) this.objects.set(key, new Set());
    for (const other of this.objects.get(key)) { // variables of one name: a change of what lies in them is told once
      const there = !MEMBER.test(other) && this.places.get(other);
      if (there && there.object.deref() === object) Object.assign(there, { shown, sum });
    }
    this.objects.get(key).add(place);
    if (this.places.size > KEPT) this.drop(this.places.keys().next().value);
  }

  // met says that an object was found in a place.
  met({ value, where }) {
    if (where && typeof value === 'object' && value !== null && this.places.get(where)?.object.deref() !== value) this.put(where, value, this.look(value));
  }

  // stands says that the object which was noted last in a place is there, and as it was.
  stands({ value, where }) {
    const { object, sum } = this.places.get(where) || {};
    return object !== undefined && object.deref() === value && sum !== '' && this.sum(value) === sum;
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

  // seen notes how objects are before something may write to them.
  seen(places) {
    for (const place of places) {
      const { object, shown, sum } = this.places.get(place) || {}, value = object?.deref(), holds = value && this.sum(value);
      if (!holds || holds !== sum) continue; // it tells of a write, which is noted with it
      const now = this.look(value);
      this.inner ||= differs(shown, now);
      this.places.get(place).shown = now;
    }
    return places;
  }

  // changed are [place, was, now] of those in which something is not as it was noted last.
  changed() {
    return [...this.places.keys()].flatMap((place) => this.written(place) || []);
  }

  // written is [place, was, now] of one that was written to since it was noted last. It was if
  // other objects lie in it, or other plain values, not if those objects were changed.
  written(place) {
    const { object, shown, sum } = this.places.get(place) || {}, value = object?.deref();
    if (value === undefined) return undefined;
    const now = this.look(value), holds = this.sum(value);
    const written = sum && holds ? sum !== holds : differs(shown, now);
    if (written || differs(shown, now)) this.put(place, value, now);
    if (!written) this.inner ||= differs(shown, now);
    return written ? [[place, shown, now]] : undefined;
  }

  // finish notes at the end what has changed of what has a name.
  finish(notes, name) {
    for (const [o, was, now] of this.changed()) notes.write({ k: 'write', at: '', f: 'the end', o, v: [was, now], m: UNSEEN, ...notes.ends && { h: notes.numbered(o), g: notes.written } });
    if (this.inner) notes.remark(`what lies in ${name} was changed, too: that is no write to ${name} itself, and is asked about by a name of its own`);
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
