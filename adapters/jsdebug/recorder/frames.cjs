// What the statements call that were put into the program's sources.
'use strict';
const { types } = require('util');
const { called, standing, left, Sites } = require('./stacks.cjs');
const { origin, throws } = require('./origins.cjs');
const { passed: unnoted } = require('./thin.cjs');
const { Aliases } = require('./aliases.cjs');
const changes = require('./changes.cjs');
const { Memory } = require('./memory.cjs');
const { Proxies } = require('./proxies.cjs');
const { Sparse, NONE } = require('./sparse.cjs');
const { Steps } = require('./steps.cjs');
const { EXACT, METHOD, KEYED, ALIAS, NAMED, TOUCHED, inside, VOUCHES, RESTS } = require('./flags.cjs');
const { begin, member, behind, keyed, find, isError, found, heldBy, Word, thrown, told, read, about, around, code, before, bare, attempt, HIDDEN, UNKNOWN } = require('./looks.cjs');
const { fixed, FIRST, UNKNOWN: UNTOLD } = require('./ring.cjs');

const GIVEN = 'given'; // recording.Given
const SET = 'what is asked about has a setter, or what leads there a getter: what a statement assigns to it is given to that, and is no row; trace(calls) tells of its calls, and what it writes is asked about by its own name';
const DEEP = 14; // frames, among which callers are looked for

const NOTHING = {};
const UNSEEING = { word() {}, shown() {} }; // in place of a sink

let notes, recorder;
let memory; // where it is asked what has written to a value
let proxies; // where it is asked what is written
let sparse; // where what lies between the first events and the last ones is left out
let aliases; // where it is asked what is written to a variable or a member
let busy = false;
let top; // the call whose statement runs, where that is known; a captured stack tells where it is not

// apart keeps what we look at from being noted itself.
function apart(f) {
  if (busy) return;
  busy = true;
  try {
    f();
  } catch (e) {
    recorder.failed(e);
  } finally {
    busy = false;
  }
}

class Frame extends changes.Changes {
  constructor(noted, at, name) {
    super();
    this.call = ++recorder.calls;
    this.noted = noted;
    this.at = at;
    this.function = name;
    this.was = NONE;
    this.given = NONE; // away, by the statement that runs
    this.done = undefined; // places that it is noted to have written to
    this.result = undefined;
    this.steps = undefined;
    this.stack = undefined;
    this.gives = ''; // where the value stands that it gives: what is around that ends after it
    this.up = undefined; // the call whose statement has made this one, where that is known
    this.counted = undefined;
    this.vouches = memory !== undefined && noted === VOUCHES;
    this.rests = false;
    this.over = false;
    this.failed = false;
    this.from = undefined; // where its error was raised, where that is told with it
  }

  get name() {
    return `f${this.call}.`;
  }

  // here says which statement runs.
  here(at) {
    this.at = at;
    top = this.vouches ? this : undefined;
  }

  // use notes what a statement reads; one that calls something is noted without that too.
  // Given are the objects among that which it may give to what is not noted.
  use(at, reads, targets, called, gives) {
    this.here(at);
    if (busy) return;
    if (sparse !== undefined && !sparse.over && sparse.skipsUse(this, { reads, targets, gives })) return;
    if (!called && !reads.length && this.holding(targets)) return;
    busy = true;
    try {
      this.given = NONE;
      this.was = targets.length ? targets.map((t) => found(t, this)) : NONE;
      const { sink } = notes;
      sink.open();
      for (let i = 0; i < reads.length; i++) this.read(sink, reads[i], gives);
      if (!called && !sink.count()) return;
      sink.use(at, this.function, this.call);
      notes.noted();
    } catch (e) {
      recorder.failed(e);
    } finally {
      busy = false;
    }
  }

  // holding looks at the one member that a statement writes to, in a small part of the time that find takes.
  holding(targets) {
    const held = heldBy(targets);
    if (held === undefined || !fixed(held.value)) return false;
    this.given = NONE;
    this.was = [new Word(held.value)];
    return true;
  }

  // put notes what has been written there, if that cannot become anything else.
  put(at, targets) {
    const was = this.was[0], held = was instanceof Word ? heldBy(targets) : undefined;
    if (held === undefined || !fixed(held.value)) return false;
    busy = true;
    try {
      const { sink } = notes, holder = notes.identity(held.of), place = `${holder}[${targets[0][2][0]}]`;
      sink.open();
      sink.word('', was.value, 0, '');
      sink.part(held.value, holder);
      sink.write(at, this.function, this.call, place, this.above(Frame.prototype.wrote), undefined);
      this.done = undefined;
      notes.noted();
    } catch (e) {
      recorder.failed(e);
    } finally {
      busy = false;
    }
    return true;
  }

  // goesOn is told of the statement that runs when all is noted again. What one has read that was only
  // counted is not known; of what another one may change by what it calls, that is noted from now on.
  goesOn({ reads, targets, gives }, counted) {
    apart(() => {
      notes.sink.open();
      if (counted) notes.sink.use('', this.function, this.call);
      this.was = targets.map((t, i) => (counted || t && inside(t[5]) ? found(t, this) : this.was[i]));
      this.given = NONE;
      if (gives) for (const read of reads) this.read(UNSEEING, read, gives);
    });
  }

  // read notes one of these.
  read(sink, look, gives) {
    if (look[2] === 0 && bare(sink, look[0], look, this)) return;
    const found = find(look, this);
    if (found.e !== undefined || code(found.value)) return;
    const value = read(found);
    sink.shown(look[0], value);
    if (!gives || !value.m) return;
    if (this.given === NONE) this.given = [];
    this.given.push({ value: found.value, was: before(found, value) });
  }

  // stored looks again at what a value goes into that is worked out now; what a method has changed
  // to work it out is as it was before.
  stored(value, targets) {
    apart(() => targets.forEach((t, i) => this.was.length && t[5] !== TOUCHED && !inside(t[5]) && (this.was[i] = found(t, this))));
    return value;
  }

  // resumed looks again at what a statement writes to, which has waited.
  resumed(value, targets) {
    apart(() => this.was.length && (this.was = targets.map((t) => found(t, this))));
    return value;
  }

  wrote(at, known, targets) {
    if (sparse !== undefined && this.skips()) return;
    if (memory && targets.length === 1 && targets[0][2] === 0 && targets[0][5] === undefined && !targets[0][6]) return this.set(at, known, targets[0]);
    if (known && !busy && this.was.length && this.put(at, targets)) return;
    apart(() => {
      let stack;
      const note = (t, i) => {
        if (t[5] === NAMED || t[5] === KEYED && !keyed(t)) return;
        const was = known && this.was[i] || {};
        if (t[5] === ALIAS && !was.places?.length) return;
        stack ??= this.above(Frame.prototype.wrote);
        if (t[5] === ALIAS) return this.renamed(at, was, stack);
        const found = find(t, this);
        if (t[5] === METHOD && memory?.noted(found.value, was.changes)) return; // by its statements
        if (found === HIDDEN || proxies && t[5] && types.isProxy(behind(found.value))) return proxies?.written();
        if (found === UNKNOWN && t[5] === undefined && !memory) return recorder.remark(SET, 'apart');
        if (inside(t[5])) return this.changed(at, was, found, stack, t[5] === EXACT);
        if (t[5] === TOUCHED && aliases?.stands(found)) return;
        const now = told(found);
        if (now.e !== undefined || now.o === undefined) return;
        if (t[6] && known && was.v === now.v && was.i === now.i) return; // it was not come to
        if (found.of !== undefined) memory?.wrote(found.of, now.o, found.last);
        const place = now.o;
        delete now.o;
        around(now, found.of);
        aliases?.put(place, found.value, now);
        this.write(at, place, was.v === undefined || was.v === 'undefined' && !known ? {} : { v: was.v, u: was.u, w: was.w }, now, stack);
      };
      this.done = new Set();
      targets.forEach((t, i) => t[5] !== EXACT && t[5] !== ALIAS && note(t, i));
      targets.forEach((t, i) => (t[5] === EXACT || t[5] === ALIAS) && note(t, i));
    });
  }

  // skips says that what the statement has done is only counted.
  skips() {
    if (busy || sparse.over) return false;
    sparse.open.delete(this);
    return sparse.skips();
  }

  // set notes what a statement has written to one variable.
  set(at, known, target) {
    if (busy) return;
    busy = true;
    try {
      const { sink } = notes, was = known && this.was[0] || NOTHING, stack = this.above(Frame.prototype.set);
      sink.open();
      if (was.v === undefined || was.v === 'undefined' && !known) sink.shown('', NOTHING);
      else if (was instanceof Word) sink.word('', was.value, 0, '');
      else sink.shown('', { v: was.v, u: was.u, w: was.w });
      if (!bare(sink, '', target, this)) {
        const now = told(find(target, this));
        if (now.e !== undefined || now.o === undefined) return;
        sink.shown('', now);
      }
      sink.write(at, this.function, this.call, '', stack, undefined);
      notes.noted();
    } catch (e) {
      recorder.failed(e);
    } finally {
      busy = false;
    }
  }

  // calledBy is the caller of a function that begins. Where its writes are noted too, what they
  // need to know of its callers is known from then on.
  calledBy() {
    if (this.up) return called(this.up);
    if (!memory || this.noted === RESTS) return callers(api.enter, 1, 1, 7);
    this.stack = callers(api.enter, 3, 1, DEEP);
    return this.stack.slice(0, 1);
  }

  // above are the callers of a function, which are the same for as long as it runs, unless
  // it is a generator, which is resumed by whoever wants the next of its values.
  above(from) {
    if (this.rests) return callers(from, 3, 1, DEEP);
    return this.stack ??= this.up ? standing(this.up) : callers(from, 3, 1, DEEP);
  }

  // gave notes what has become of what the statement gave away, unless something that was
  // noted since has written to it.
  gave(at) {
    if (sparse !== undefined && this.skips() || this.given === NONE) return;
    apart(() => {
      this.done = new Set();
      for (const { value, was } of this.given) {
        if (memory.changes(value) === was.changes) this.changed(at, was, { value }, this.above(Frame.prototype.gave), true, GIVEN);
      }
      this.given = NONE;
    });
  }

  // made notes what an object or a list was made of.
  made(at, object, keys) {
    if (sparse !== undefined && !busy && sparse.skips()) return object;
    apart(() => {
      const id = notes.identity(object), stack = this.above(Frame.prototype.made);
      for (const key of keys) {
        const held = member(object, key);
        if (held && !code(held.value)) this.began(at, `${id}[${key}]`, held.value, object, stack);
      }
    });
    return object;
  }

  kept(value, at, targets, gives) {
    this.wrote(at, true, targets);
    if (gives) this.gave(at);
    return value;
  }

  left(at, value) {
    if (this.steps) this.line(at, true, this.steps.state);
    this.at = this.gives = at;
    this.result = value;
    return value;
  }

  // falls says that the call comes to the end of its function without a return; used, that the
  // statement that has run last stands in the same line: it reads nothing of what is given.
  falls(at, used) {
    if (used) this.use(at, NONE, NONE, true);
    this.left(at, undefined);
  }

  gone(at, value) {
    this.left(at, value);
    this.end();
    return value;
  }

  raised(thrown) {
    this.error = thrown;
    this.failed = true;
    if (this.noted && isError(thrown)) apart(() => {
      this.from = origin(recorder, thrown);
      this.at = left(recorder, thrown, this) || this.at;
    });
  }

  threw(thrown) {
    this.raised(thrown);
    this.end();
  }

  end() {
    if (this.over) return;
    this.over = true;
    if (this.steps) apart(() => this.steps.end());
    if (!this.noted) return;
    this.counted.open--;
    this.leave();
    top = this.up;
    this.up = undefined;
  }

  // leave notes that the call has ended.
  leave() {
    if (busy || sparse !== undefined && this.skips()) return;
    busy = true;
    try {
      const { sink } = notes;
      sink.open();
      if (this.failed) sink.shown('', thrown(this.error));
      else if (fixed(this.result)) sink.word('', this.result, 0, '');
      else sink.shown('', told({ value: this.result }));
      sink.leave(!this.failed && this.gives || this.at, this.function, this.call, this.failed, this.from && [this.from]);
      notes.noted();
    } catch (e) {
      recorder.failed(e);
    } finally {
      busy = false;
    }
  }

  // begins notes that the call has begun; depth is how many of its function are around it.
  begins(params, places, values, depth) {
    if (busy || sparse !== undefined && sparse.begins()) return;
    busy = true;
    try {
      const { sink } = notes, stack = this.calledBy();
      sink.open();
      for (let i = 0; i < values.length; i++) {
        const value = values[i];
        if (fixed(value)) sink.word(params[i], value, this.call, places[i]);
        else sink.shown(params[i], told({ value, where: this.name + places[i] }));
      }
      sink.enter(this.at, this.function, this.call, stack, this.noted === RESTS ? depth ? UNTOLD : FIRST : depth);
      notes.noted();
    } catch (e) {
      recorder.failed(e);
    } finally {
      busy = false;
    }
  }

  // follow makes this the call whose lines are noted, if it is the one that is wanted.
  follow(when) {
    const { lines } = recorder.wish;
    if (!lines || recorder.followed || busy) return;
    recorder.met = (recorder.met || 0) + 1;
    if (lines.call && recorder.met !== lines.call) return;
    if (when) {
      let holds = false;
      apart(() => { holds = attempt(when).value; });
      if (!holds) return;
    }
    recorder.followed = true;
    recorder.children.tell({ followed: true });
    this.steps = new Steps(recorder, this);
  }

  // line says that a line begins; loop, that it may be the head of a loop that goes on. One that
  // gives its variables what they hold in a round has done so already: shared are those of them that
  // the line before knows too, and given is to be looked at from now on.
  line(at, loop, state, shared, given) {
    const { steps } = this;
    if (!steps) return;
    if (loop && at === steps.at) steps.state = state; // with what the head has declared
    else apart(() => steps.begin(at, state, shared));
    if (given) steps.state = given;
  }
}

const callers = (...asked) => recorder.sites.callers(...asked);

const api = {
  throws,
  passed: unnoted,
  held: false, // an object lies in a place that is asked about

  // counter is that of a function whose calls are counted.
  counter(key, noted, at, name, params, places) {
    const c = recorder.thin.counter(key, at, name);
    c.enter = (values) => api.enter(noted, at, name, params, places, values);
    return c;
  },

  // module begins one. Where node runs a script from its beginning to its end, it is known when.
  module(name, plain) {
    const f = new Frame(false, name, '(module)');
    if (memory && plain && recorder.runs === name) {
      f.vouches = true;
      f.stack = callers(api.module, 3, 1, DEEP);
    }
    return f;
  },

  // enter is given the parameters' names, where they are declared, and their values. Of a
  // function that rests and goes on later, which of its calls are around one is not known.
  enter(noted, at, name, params, places, values) {
    const f = new Frame(noted, at, name);
    if (!noted) return f;
    f.counted = recorder.counter(at, name);
    if (f.vouches) f.up = top;
    f.begins(params, places, values, f.counted.open++);
    top = f.vouches ? f : undefined;
    return f;
  },

  // back is called where another code goes on than that which ran before.
  back(value) {
    top = undefined;
    return value;
  },

  hit(number, at, name, when, list) {
    apart(() => {
      const held = when ? attempt(when) : { value: true };
      if (held.e !== undefined) notes.write({ k: 'hit', at, f: name, p: number, v: [{ e: `condition: ${held.e}` }] });
      else if (held.value) notes.write({ k: 'hit', at, f: name, p: number, h: sparse?.pass(number), v: list.map(about) });
    });
  },

  field(at, name, object, key, reads, value) {
    const f = new Frame(false, at, name);
    f.use(at, reads, []);
    if (sparse !== undefined && f.skips()) return value;
    apart(() => f.began(at, `${notes.identity(object)}[${key}]`, value, object, callers(api.field, 3, 1, DEEP)));
    return value;
  },

  // exits is given what was put where a code to end with may stand, as it stands there.
  exits(value) {
    recorder.exits?.(callers(api.exits));
    return value;
  },

  // loaded is told by a module that another thread has rewritten; the call itself moves
  // the columns of a line.
  loaded(told, line, length) {
    for (const piece of told.lines || []) {
      if (piece[0] !== line) continue;
      piece[1] += length;
      piece[2] += length;
    }
    recorder.loaded(told);
  },
};

// start gives the program's sources what they call.
function start(r) {
  recorder = r;
  notes = r.notes;
  r.sites = new Sites(r);
  if (r.wish.writes) proxies = new Proxies(r);
  if (r.weaver.byAnyName) {
    const held = new Memory((value) => notes.identity(value));
    aliases = new Aliases(() => { api.held = true; }, (value) => notes.value(value), (value) => held.contents(value));
  }
  if (r.wish.writes?.sparse) sparse = new Sparse(notes, r.wish.writes.sparse);
  if (r.wish.writes?.all) memory = new Memory((value) => notes.identity(value));
  begin(r, { memory, proxies, aliases });
  changes.begin(r, { memory, aliases });
  Object.defineProperty(globalThis, '__aidb', { value: api, configurable: true, enumerable: false, writable: true });
  return api;
}

// finish notes what has changed since, and no statement was seen to do it.
function finish() {
  if (aliases) apart(() => aliases.finish(notes, recorder.wish.writes.expression));
}

module.exports = { start, finish, thrown, callers };
