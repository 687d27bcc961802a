// The writes that a statement is noted to have made.
'use strict';
const { behind, told, around, within, differing } = require('./looks.cjs');

const MANY = 20;

let notes, recorder;
let memory; // where it is asked what has written to a value
let aliases; // where it is asked what is written to a variable or a member

// Changes notes them for the call whose statement it is: in it at is where, call and function
// are whose, and done are the places that the statement is noted to have written to.
class Changes {
  write(at, place, was, now, stack, text) {
    this.done?.add(place);
    const { sink } = notes;
    sink.open();
    sink.shown('', was);
    sink.shown('', now);
    sink.write(at, this.function, this.call, place, stack, text);
    notes.noted();
  }

  // renamed notes that a statement has changed an object by another name.
  renamed(at, { places }, stack) {
    for (const place of places) {
      const found = !this.done?.has(place) && aliases.written(place);
      if (!found) continue;
      const [[, shown, now]] = found;
      this.write(at, place, { v: shown.v, u: shown.u, w: shown.w }, { ...now }, stack);
    }
  }

  // changed notes what a statement has changed within an object; exact, that it has changed
  // no more than is found, as far as that is told one by one.
  changed(at, was, now, stack, exact, text) {
    if (now.e !== undefined) return;
    now = { ...now, value: behind(now.value) };
    const id = notes.identity(now.value), after = within(now.value);
    if (!id || was.held === undefined && after === undefined) return;
    const cells = differing(was, after, now.value);
    if (!cells) return;
    const each = cells.length > 0 && cells.length <= MANY, length = Array.isArray(now.value) ? now.value.length : undefined;
    if (!exact) this.done = new Set();
    if (each && length !== was.length) this.cell(at, now.value, 'length', new Map([['length', was.length]]), new Map([['length', length]]), stack, text);
    if (each) for (const key of cells) this.cell(at, now.value, key, was.held, after, stack, text);
    else memory?.changed(now.value);
    if (recorder.weaver.only === undefined && !each) this.write(at, `${id}[*]`, was.shown || {}, told({ value: now.value, of: now.value }), stack, text);
  }

  // cell notes one of them, unless the statement is noted to have written it.
  cell(at, object, key, old, now, stack, text) {
    const h = notes.identity(object), place = `${h}[${String(key)}]`;
    if (this.done?.has(place) || recorder.weaver.only !== undefined && String(key) !== recorder.weaver.only) return;
    memory?.wrote(object, place, key);
    const v = now.has(key) ? told({ value: now.get(key), of: object }) : { v: 'undefined', h };
    around(v, object);
    this.write(at, place, old.has(key) ? notes.value(old.get(key)) : {}, v, stack, text);
  }

  // began notes what a member holds first.
  began(at, place, value, of, stack) {
    const now = told({ value, of });
    aliases?.put(place, value, now);
    this.write(at, place, {}, now, stack);
  }
}

// begin gives it what the recording is about.
function begin(r, of) {
  recorder = r;
  notes = r.notes;
  memory = of.memory;
  aliases = of.aliases;
}

module.exports = { Changes, begin };
