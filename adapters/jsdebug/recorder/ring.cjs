// Holds the last events of a run that notes very many as the words that they consist of: most of
// them are gone before anybody could read them, and to make a row of each takes longer than all
// the rest. What a place holds is put down as it is where it cannot become anything else.
'use strict';

const EVENTS = 1 << 17; // as many as the last files have room for
const VALUES = 1 << 18; // of these
const SHORT = 12; // letters of a text that is no piece of a longer one, which it would keep
const ROWS = 0, USE = 1, WRITE = 2, ENTER = 3, LEAVE = 4; // kinds of events
const NOWHERE = 0, WITHIN = 1, SHOWN = 2, PART = 3; // what is known of a value: no place or all of it, a variable of a call, what an event has of it, the object that holds it

const FIRST = -1, UNKNOWN = -2; // depths of calls that rest
const DEPTHLESS = -1; // recording.Unknown

// fixed says that a value cannot become another one, nor holds much.
const fixed = (value) => {
  switch (typeof value) {
    case 'number': case 'boolean': case 'undefined': return true;
    case 'string': return value.length <= SHORT;
  }
  return value === null;
};

class Ring {
  constructor(notes) {
    this.notes = notes;
    this.rows = notes.rows;
    this.next = 0; // event, counted from the first one
    this.from = 0; // the oldest that is held
    this.lost = false; // some were not written since the last time
    this.kinds = new Uint8Array(EVENTS);
    this.numbers = new Float64Array(EVENTS);
    this.calls = new Float64Array(EVENTS);
    this.depths = new Float64Array(EVENTS); // of calls within others of their functions; see nested
    this.which = new Float64Array(EVENTS); // of writes, where they are numbered: which to its place it is
    this.among = new Float64Array(EVENTS); // and which of all
    this.firsts = new Float64Array(EVENTS); // values, counted from the first one
    this.counts = new Uint16Array(EVENTS);
    const texts = () => new Array(EVENTS).fill('');
    [this.ats, this.functions, this.places, this.remarks] = [texts(), texts(), texts(), texts()];
    this.stacks = new Array(EVENTS).fill(undefined);
    this.first = this.value = 0; // those of the event that is made
    this.known = new Uint8Array(VALUES);
    this.held = new Array(VALUES).fill(0);
    this.names = new Array(VALUES).fill('');
    this.within = new Float64Array(VALUES); // calls
    this.variables = new Array(VALUES).fill('');
  }

  // open begins an event.
  open() {
    this.first = this.value;
  }

  // word puts down what cannot become anything else, and in which variable of a call it lies.
  word(name, value, call, variable) {
    const i = this.value++ & (VALUES - 1);
    this.known[i] = call ? WITHIN : NOWHERE;
    this.held[i] = value;
    this.names[i] = name;
    this.within[i] = call;
    this.variables[i] = variable;
  }

  // part puts down what cannot become anything else, and the object that holds it.
  part(value, holder) {
    this.word('', value, 0, holder);
    this.known[(this.value - 1) & (VALUES - 1)] = PART;
  }

  // shown puts down what an event has of a value.
  shown(name, value) {
    const i = this.value++ & (VALUES - 1);
    this.known[i] = SHOWN;
    this.held[i] = value;
    this.names[i] = name;
  }

  // count is how many values the event that is made has.
  count() {
    return this.value - this.first;
  }

  // close ends an event.
  close(kind, at, name, call) {
    const n = this.next++, i = n & (EVENTS - 1);
    if (n - this.from >= EVENTS) this.lose(n - EVENTS + 1);
    this.kinds[i] = kind;
    this.numbers[i] = ++this.notes.seq;
    this.calls[i] = call;
    this.firsts[i] = this.first;
    this.counts[i] = this.value - this.first;
    this.ats[i] = at;
    this.functions[i] = name;
    while (this.value - this.firsts[this.from & (EVENTS - 1)] > VALUES) this.lose(this.from + 1);
    return i;
  }

  lose(from) {
    this.from = from;
    this.lost = true;
  }

  use(at, name, call) {
    this.close(USE, at, name, call);
  }

  // write has two values: what was there, and what is. Without a place it is that of the second.
  write(at, name, call, place, stack, remark) {
    const i = this.close(WRITE, at, name, call);
    this.places[i] = place;
    this.stacks[i] = stack;
    this.remarks[i] = remark;
    if (!this.notes.ends) return;
    this.which[i] = this.notes.numbered(place);
    this.among[i] = this.notes.written;
  }

  enter(at, name, call, stack, depth) {
    const i = this.close(ENTER, at, name, call);
    this.stacks[i] = stack;
    this.depths[i] = depth;
  }

  leave(at, name, call, failed, from) {
    const i = this.close(LEAVE, at, name, call);
    this.depths[i] = failed ? 1 : 0;
    this.stacks[i] = from;
  }

  // shorten loses all but the last events: those are enough.
  shorten(most) {
    if (this.next - this.from > most) this.lose(this.next - most);
  }

  // row is an event that is a row already, which has its number.
  row(line) {
    this.notes.seq--;
    this.open();
    this.close(ROWS, line, '', 0);
  }

  // take gives the rows of what is held, the oldest first, and holds nothing any more.
  take(give) {
    for (let n = this.from; n < this.next; n++) give(this.line(n & (EVENTS - 1)));
    this.from = this.next;
    this.lost = false;
  }

  line(i) {
    const { rows } = this, at = this.ats[i], name = this.functions[i], call = this.calls[i], number = this.numbers[i];
    if (this.kinds[i] === ROWS) return at;
    const first = this.firsts[i], values = [], names = [];
    for (let k = 0; k < this.counts[i]; k++) {
      const v = (first + k) & (VALUES - 1);
      values.push(this.valueAt(v));
      names.push(this.names[v]);
    }
    switch (this.kinds[i]) {
      case USE: return rows.use(at, name, call, names, values, number);
      case WRITE: return rows.write(at, name, call, this.places[i] || placeOf(values[1]), values[0], values[1], this.stacks[i], this.remarks[i], number, this.which[i], this.among[i]);
      case ENTER: return rows.enter(at, name, call, names, values, this.stacks[i], nested(this.depths[i]), number);
    }
    return rows.leave(at, name, call, this.depths[i] === 1, this.stacks[i], values, number);
  }

  valueAt(v) {
    const held = this.held[v];
    if (this.known[v] === SHOWN) return held;
    const value = this.notes.value(held), variable = this.variables[v];
    if (this.known[v] === WITHIN) value.o = `f${this.within[v]}.${variable}`;
    else if (this.known[v] === PART) value.h = variable;
    else if (variable) value.o = variable;
    return value;
  }
}

// placeOf takes the place from a value.
function placeOf(value) {
  const place = value.o;
  delete value.o;
  return place;
}

// Single is in place of a ring where each event is written by itself.
class Single {
  constructor(notes) {
    this.notes = notes;
    this.open();
  }

  open() {
    [this.names, this.values] = [[], []];
  }

  word(name, held, call, variable) {
    const value = this.notes.value(held);
    if (call || variable) value.o = call ? `f${call}.${variable}` : variable;
    this.shown(name, value);
  }

  part(held, holder) {
    this.shown('', { ...this.notes.value(held), h: holder });
  }

  shown(name, value) {
    this.names.push(name);
    this.values.push(value);
  }

  count() {
    return this.values.length;
  }

  use(at, f, c) {
    this.notes.write({ k: 'use', at, f, c, a: this.names, v: this.values });
  }

  write(at, f, c, place, s, m) {
    const { notes } = this, o = place || placeOf(this.values[1]), numbers = notes.ends ? { h: notes.numbered(o), g: notes.written } : {};
    notes.write({ k: 'write', at, f, c, o, v: this.values, s, m, ...numbers });
  }

  enter(at, f, c, s, depth) {
    this.notes.write({ k: 'enter', at, f, c, a: this.names, v: this.values, s, ...nested(depth) });
  }

  leave(at, f, c, failed, s) {
    this.notes.write({ k: 'leave', at, f, c, x: failed || undefined, v: this.values, s });
  }
}

// nested is how an event says how deep a call is within others of its function; a negative depth is that of
// one which rests: -1 of the first, -2 of one of which it is not known.
function nested(depth) {
  if (depth >= 0) return { d: depth || undefined };
  return { w: true, d: depth === FIRST ? undefined : DEPTHLESS };
}

module.exports = { Ring, Single, fixed, nested, FIRST, UNKNOWN };
