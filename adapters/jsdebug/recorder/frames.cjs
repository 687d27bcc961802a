// What the statements call that were put into the program's sources.
'use strict';
const util = require('util');
const { error } = require('./shown.cjs');
const { frames, Sites } = require('./stacks.cjs');
const { passed: unnoted } = require('./thin.cjs');
const { Aliases } = require('./aliases.cjs');
const { Memory } = require('./memory.cjs');
const { Proxies } = require('./proxies.cjs');

const SNAPSHOT = 1000; // elements of an array whose changes are told one by one
const MANY = 20;
const EXACT = 2; // of a target: the statement has changed no more of the object than it is found to have
const METHOD = 3; // it has called a method, which may be one of the program's own
const KEYED = 4; // of a target whose key is worked out: it is meant where that is the name in question
const ALIAS = 5; // the object is meant where it lies in a place that is asked about
const NAMED = 6; // the object is one that lies there
const TOUCHED = 7; // a method has changed the object, if it did
const GIVEN = 'given'; // recording.Given
const UNSEEN = 'unseen'; // recording.Unseen
const DEPTHLESS = -1; // recording.Unknown
const DEEP = 14; // frames, among which callers are looked for
const RESTS = 2; // of a noted function: it rests and goes on later

let notes, recorder;
let memory; // where it is asked what has written to a value
let proxies; // where it is asked what is written
let aliases; // where it is asked what is written to a variable or a member
let busy = false;

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

// member is {value} of what an object holds, undefined where a call would have to tell.
function member(object, key) {
  if (typeof object === 'string') return { value: typeof key === 'symbol' ? undefined : object[key] };
  for (let o = Object(object); o; o = Object.getPrototypeOf(o)) {
    if (util.types.isProxy(o)) return undefined;
    const d = Object.getOwnPropertyDescriptor(o, key);
    if (d) return 'value' in d ? d : ArrayBuffer.isView(object) && key === 'length' ? { value: object.length } : undefined;
  }
  return { value: undefined };
}

const UNKNOWN = { e: 'only a call of the program tells it' };
const HIDDEN = { ...UNKNOWN }; // by a Proxy
const mapGet = Map.prototype.get;

// walk follows keys from a value: {value, of, where, last}, or {e}; last is the last key
// by itself, which leads from the same object to the same place.
function walk(value, keys, where) {
  let of, last;
  for (const k of keys) {
    if (value === null || value === undefined) return { e: `TypeError: it is ${value}` };
    of = value = behind(value);
    if (typeof k === 'object' && k.p) {
      where = `${notes.identity(of)}[${k.n}]`;
      value = k.p(of);
      last = undefined;
      continue;
    }
    let key = k;
    if (Array.isArray(k)) key = keyFrom(k);
    else if (typeof k === 'object') {
      if (!util.types.isMap(of) || member(of, 'get')?.value !== mapGet) return UNKNOWN;
      key = Array.isArray(k.g) ? plainFrom(k.g) : k.g;
      where = entryPlace(of, key);
      value = mapGet.call(of, key);
      last = { g: key };
      continue;
    }
    if (key === undefined) return UNKNOWN;
    const got = member(of, key);
    if (got === undefined) return util.types.isProxy(of) ? HIDDEN : UNKNOWN;
    where = `${notes.identity(of)}[${String(key)}]`;
    value = got.value;
    last = key;
  }
  return { value, of, where, last };
}

// behind is what a look goes on in where it comes to a Proxy.
function behind(value) {
  return proxies && util.types.isProxy(value) ? proxies.behind(value) : value;
}

// keyed says that the key of a target is the name that is in question.
function keyed([, , keys]) {
  const last = keys[keys.length - 1], key = Array.isArray(last) ? keyFrom(last) : last;
  return String(key) === recorder.weaver.only;
}

function entryPlace(map, key) {
  return `${notes.identity(map)}<${notes.identity(key) || typeof key + ' ' + String(key)}>`;
}

// plainFrom is the value of a key's own path.
function plainFrom([root, keys]) {
  return walk(root(), keys || [], '').value;
}

// keyFrom is such a value where it is a key by itself: an object would have to be asked.
function keyFrom(path) {
  const key = plainFrom(path);
  return typeof key === 'string' || typeof key === 'number' || typeof key === 'symbol' ? key : key === undefined || key === null || typeof key === 'boolean' ? String(key) : undefined;
}

// find is what a look leads to.
function find([, root, keys, place]) {
  try {
    const where = typeof place === 'function' ? variable(place) : place || '';
    return walk(root(), keys || [], where);
  } catch (e) {
    return failure(e);
  }
}

function failure(e) {
  return { e: isError(e) ? error(e) : `thrown: ${notes.shown(e)}` };
}

// isError says that something is an error, of a class as chai's too, which makes them itself.
function isError(value) {
  return util.types.isNativeError(value) || typeof value === 'object' && !util.types.isProxy(value) && value instanceof Error;
}

// thrown is what was thrown, as an event has it.
function thrown(value) {
  return isError(value) ? notes.thrown(error(value), value) : notes.value(value);
}

function variable(place) {
  try {
    return place();
  } catch {
    return ''; // of a function whose frame is not there yet
  }
}

// told is a value with its place, as an event has it.
function told(found, asked = false) {
  if (found.e !== undefined) return found;
  const v = notes.value(found.value);
  if (found.where) v.o = found.where;
  const id = notes.identity(found.value);
  if (id) v.i = id;
  if (found.of !== undefined) v.h = notes.identity(found.of);
  const sum = id && memory?.sum(found.value, asked);
  if (sum) v.m = sum;
  return v;
}

// about is what was asked about, with those of its parts that were written to last.
function about(x) {
  const found = find(x), v = told(found, true);
  if (!memory || found.e !== undefined) return v;
  const parts = memory.parts(found.value).map((key) => told(walk(found.value, [key], ''))).filter((part) => part.o);
  if (parts.length) v.p = parts;
  return v;
}

// around gives a value that was put into an object what that holds then.
function around(v, object) {
  const sum = memory && object !== undefined && memory.small(object);
  if (sum) v.a = sum;
}

// inside says of the flag of a target that what lies in an object is meant.
const inside = (flag) => flag !== undefined && flag !== 0 && flag !== KEYED && flag !== TOUCHED;

const look = (x) => told(find(x));
const code = (value) => typeof value === 'function';

// within is what an object holds, key by key, for a call that may change it; undefined
// where that is too much.
function within(object) {
  object = behind(object);
  if (typeof object !== 'object' || object === null || util.types.isProxy(object)) return undefined;
  const { only } = recorder.weaver;
  if (only !== undefined) return new Map(Object.hasOwn(object, only) ? [[only, member(object, only)?.value]] : []);
  if (Array.isArray(object)) {
    if (object.length > SNAPSHOT) return object.length;
    const cells = new Map();
    for (let i = 0; i < object.length; i++) cells.set(i, member(object, i)?.value);
    return cells;
  }
  if (util.types.isMap(object) || util.types.isSet(object)) return object.size;
  if (util.types.isDataView(object)) return 0; // its sum tells
  if (util.types.isDate(object)) return Number(Date.prototype.getTime.call(object)) || 0;
  const keys = Object.keys(object);
  return keys.length <= SNAPSHOT ? new Map(keys.map((k) => [k, member(object, k)?.value])) : keys.length;
}

// before is what an object holds before a statement that may change it.
function before({ value, e }, shown) {
  if (e !== undefined) return {};
  const held = within(value);
  return {
    held, length: Array.isArray(value) ? value.length : undefined, changes: memory?.changes(value),
    sum: typeof held === 'number' ? shown?.m || memory?.sum(value) : '', shown: shown && { v: shown.v, u: shown.u, w: shown.w },
  };
}

// differing are the keys under which an object holds something else than before, undefined
// where it does not, and none where that is not known.
function differing(was, after, value) {
  const { held, sum } = was;
  if (held instanceof Map && after instanceof Map) {
    const cells = [...new Set([...held.keys(), ...after.keys()])].filter((key) => held.has(key) !== after.has(key) || !Object.is(held.get(key), after.get(key)));
    return cells.length ? cells : undefined;
  }
  return held === after && (!sum || [sum, ''].includes(memory.sum(value))) ? undefined : [];
}

class Frame {
  constructor(noted, at, name, key) {
    this.call = ++recorder.calls;
    this.name = `f${this.call}.`;
    this.noted = noted;
    this.at = at;
    this.function = name;
    this.key = key;
    this.was = [];
    this.given = []; // away, by the statement that runs
    this.done = new Set(); // places that it is noted to have written to
    this.result = undefined;
    this.steps = undefined;
    this.stack = undefined;
    this.rests = false;
  }

  // use notes what a statement reads; one that calls something is noted without that too.
  // Given are the objects among that which it may give to what is not noted.
  use(at, reads, targets, called, gives) {
    this.at = at;
    this.given = [];
    apart(() => {
      this.was = targets.map((t) => {
        if (!t || t[4] === KEYED && !keyed(t)) return undefined;
        const found = find(t);
        if (t[4] === NAMED) return aliases.met(found);
        if (t[4] === ALIAS) return { value: found.value, places: aliases.seen(aliases.of(found.value)) };
        return inside(t[4]) ? before(found) : told(found);
      });
      const names = [], values = [];
      for (const r of reads) {
        const found = find(r);
        if (found.e !== undefined || code(found.value)) continue;
        const value = told(found);
        names.push(r[0]);
        values.push(value);
        if (gives && value.m) this.given.push({ value: found.value, was: before(found, value) });
      }
      if (names.length || called) notes.used(at, this.function, this.call, names, values);
    });
  }

  wrote(at, known, targets) {
    apart(() => {
      let stack;
      const note = (t, i) => {
        if (t[4] === NAMED || t[4] === KEYED && !keyed(t)) return;
        const was = known && this.was[i] || {};
        if (t[4] === ALIAS && !was.places?.length) return;
        stack ??= this.above(Frame.prototype.wrote);
        if (t[4] === ALIAS) return this.renamed(at, was, stack);
        const found = find(t);
        if (t[4] === METHOD && memory?.noted(found.value, was.changes)) return; // by its statements
        if (found === HIDDEN || proxies && t[4] && util.types.isProxy(behind(found.value))) return proxies?.written();
        if (inside(t[4])) return this.changed(at, was, found, stack, t[4] === EXACT);
        if (t[4] === TOUCHED && aliases?.stands(found)) return;
        const now = told(found);
        if (now.e !== undefined || now.o === undefined) return;
        if (found.of !== undefined) memory?.wrote(found.of, now.o, found.last);
        const place = now.o;
        delete now.o;
        around(now, found.of);
        aliases?.put(place, found.value, now);
        this.write(at, place, was.v === undefined || was.v === 'undefined' && !known ? {} : { v: was.v, u: was.u, w: was.w }, now, stack);
      };
      this.done = new Set();
      targets.forEach((t, i) => t[4] !== EXACT && t[4] !== ALIAS && note(t, i));
      targets.forEach((t, i) => (t[4] === EXACT || t[4] === ALIAS) && note(t, i));
    });
  }

  // calledBy is the caller of a function that begins. Where its writes are noted too, what they
  // need to know of its callers is known from then on.
  calledBy() {
    if (!memory || this.noted === RESTS) return callers(api.enter, 1, 1, 7);
    this.stack = callers(api.enter, 3, 1, DEEP);
    return this.stack.slice(0, 1);
  }

  // above are the callers of a function, which are the same for as long as it runs, unless
  // it is a generator, which is resumed by whoever wants the next of its values.
  above(from) {
    return this.rests ? callers(from, 3, 1, DEEP) : (this.stack ??= callers(from, 3, 1, DEEP));
  }

  write(at, place, was, now, stack, text) {
    this.done.add(place);
    notes.wrote(at, this.function, this.call, place, was, now, stack, text);
  }

  // renamed notes that a statement has changed an object by another name.
  renamed(at, { places }, stack) {
    for (const place of places) {
      const found = !this.done.has(place) && aliases.written(place);
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
    if (!exact) this.done.clear();
    if (each && length !== was.length) this.cell(at, now.value, 'length', new Map([['length', was.length]]), new Map([['length', length]]), stack, text);
    if (each) for (const key of cells) this.cell(at, now.value, key, was.held, after, stack, text);
    else memory?.changed(now.value);
    if (recorder.weaver.only === undefined && !each) this.write(at, `${id}[*]`, was.shown || {}, told({ value: now.value, of: now.value }), stack, text);
  }

  // cell notes one of them, unless the statement is noted to have written it.
  cell(at, object, key, old, now, stack, text) {
    const h = notes.identity(object), place = `${h}[${String(key)}]`;
    if (this.done.has(place) || recorder.weaver.only !== undefined && String(key) !== recorder.weaver.only) return;
    memory?.wrote(object, place, key);
    const v = now.has(key) ? told({ value: now.get(key), of: object }) : { v: 'undefined', h };
    around(v, object);
    this.write(at, place, old.has(key) ? notes.value(old.get(key)) : {}, v, stack, text);
  }

  // gave notes what has become of what the statement gave away, unless something that was
  // noted since has written to it.
  gave(at) {
    apart(() => {
      this.done.clear();
      for (const { value, was } of this.given) {
        if (memory.changes(value) === was.changes) this.changed(at, was, { value }, this.above(Frame.prototype.gave), true, GIVEN);
      }
      this.given = [];
    });
  }

  // made notes what an object or a list was made of.
  made(at, object, keys) {
    apart(() => {
      const id = notes.identity(object), stack = this.above(Frame.prototype.made);
      for (const key of keys) {
        const held = member(object, key);
        if (held && !code(held.value)) this.began(at, `${id}[${key}]`, held.value, object, stack);
      }
    });
    return object;
  }

  // began notes what a member holds first.
  began(at, place, value, of, stack) {
    const now = told({ value, of });
    aliases?.put(place, value, now);
    this.write(at, place, {}, now, stack);
  }

  kept(value, at, targets, gives) {
    this.wrote(at, true, targets);
    if (gives) this.gave(at);
    return value;
  }

  left(at, value) {
    if (this.steps) this.line(at, true, this.steps.state);
    this.at = at;
    this.result = value;
    return value;
  }

  gone(at, value) {
    this.left(at, value);
    this.end();
    return value;
  }

  raised(thrown) {
    this.error = thrown;
    this.failed = true;
    if (this.noted && isError(thrown)) apart(() => { this.at = left(thrown, this) || this.at; });
  }

  threw(thrown) {
    this.raised(thrown);
    this.end();
  }

  end() {
    if (this.over) return;
    this.over = true;
    if (this.steps) apart(() => this.stepped());
    if (!this.noted) return;
    recorder.leave(this.key);
    apart(() => {
      const e = { k: 'leave', at: this.at, f: this.function, c: this.call };
      if (this.failed) Object.assign(e, { x: true, v: [thrown(this.error)] });
      else e.v = [told({ value: this.result })];
      notes.write(e);
    });
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
    this.steps = { at: '', old: new Map(), state: undefined };
  }

  // line says that a line begins; loop, that it may be the head of a loop that goes on.
  line(at, loop, state) {
    const { steps } = this;
    if (!steps || loop && at === steps.at) return;
    apart(() => {
      if (steps.at) this.stepped();
      steps.at = at;
      steps.state = state;
      if (steps.begun && recorder.wish.lines.expressions) return;
      for (const [name, value] of this.states(state)) if (!steps.old.has(name)) steps.old.set(name, value);
      steps.begun = true;
    });
  }

  // stepped notes the line that has run until now, with what it has changed.
  stepped() {
    const { steps } = this, asked = recorder.wish.lines.expressions;
    const changed = [], values = [], all = [];
    for (const [name, value] of this.states(steps.state)) {
      all.push(value);
      const old = steps.old.get(name);
      if (old && old.v === value.v && old.e === value.e && old.w === value.w) continue;
      if (!asked && value.e !== undefined) continue;
      steps.old.set(name, value);
      changed.push(name);
      values.push(value);
    }
    if (asked && !changed.length) return;
    notes.write({ k: 'line', at: steps.at, f: this.function, c: this.call, ...(asked ? { v: all } : { a: changed, v: values }) });
  }

  states(state) {
    return state().map(([name, get]) => {
      const found = attempt(get);
      return [name, found.e !== undefined ? found : notes.value(found.value)];
    }).filter(([, v]) => recorder.wish.lines.expressions || !/^TypeError: it is/.test(v.e || ''));
  }
}

const passed = new WeakMap(); // of errors: how many frames of their stacks have been left

// left is where an error has left a call, by the error's own stack: it leaves the
// innermost first.
function left(thrown, call) {
  const list = frames(recorder, thrown), file = call.at.slice(0, call.at.lastIndexOf(':'));
  for (let i = passed.get(thrown) || 0; i < list.length; i++) {
    const at = list[i].lastIndexOf(' '), name = list[i].slice(0, at);
    if (list[i].slice(at + 1, list[i].lastIndexOf(':')) !== file || last(name) !== last(call.function)) continue;
    passed.set(thrown, i + 1);
    return list[i].slice(at + 1);
  }
  return '';
}

// last is the last part of a function's name.
function last(name) {
  return name.replace(/ \[as .*\]$/, '').replace(/^.*[. ]/, '');
}

function attempt(get) {
  try {
    return { value: get() };
  } catch (e) {
    return failure(e);
  }
}

const callers = (...asked) => recorder.sites.callers(...asked);

const api = {
  passed: unnoted,
  held: false, // an object lies in a place that is asked about

  // counter is that of a function whose calls are counted.
  counter(key, noted, at, name, params, places) {
    const c = recorder.thin.counter(key, at, name);
    c.enter = (values) => api.enter(noted, at, name, params, places, values);
    return c;
  },

  module(name) {
    return new Frame(false, name, '(module)');
  },

  // enter is given the parameters' names, where they are declared, and their values. Of a
  // function that rests and goes on later, which of its calls are around one is not known.
  enter(noted, at, name, params, places, values) {
    const key = noted ? `${at} ${name}` : '';
    const f = new Frame(noted, at, name, key);
    if (noted) {
      const depth = recorder.enter(key);
      apart(() => {
        const e = { k: 'enter', at, f: name, c: f.call, a: params, v: values.map((value, i) => told({ value, where: `${f.name}${params[i]}@${places[i]}` })), s: f.calledBy() };
        if (noted === RESTS) {
          e.w = true;
          if (depth) e.d = DEPTHLESS;
        } else if (depth) e.d = depth;
        notes.write(e);
      });
    }
    return f;
  },

  hit(number, at, name, when, list) {
    apart(() => {
      const held = when ? attempt(when) : { value: true };
      if (held.e !== undefined) notes.write({ k: 'hit', at, f: name, p: number, v: [{ e: `condition: ${held.e}` }] });
      else if (held.value) notes.write({ k: 'hit', at, f: name, p: number, v: list.map(about) });
    });
  },

  field(at, name, object, key, reads, value) {
    const f = new Frame(false, at, name);
    f.use(at, reads, []);
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
  if (r.wish.writes?.all) memory = new Memory((value) => notes.identity(value));
  Object.defineProperty(globalThis, '__aidb', { value: api, configurable: true, enumerable: false, writable: true });
  return api;
}

// finish notes what has changed since, and no statement was seen to do it.
function finish() {
  if (!aliases) return;
  apart(() => {
    aliases.changed().forEach(([o, was, now]) => notes.write({ k: 'write', at: '', f: 'the end', o, v: [was, now], m: UNSEEN }));
    const name = recorder.wish.writes.expression;
    if (aliases.inner) notes.remark(`what lies in ${name} was changed, too: that is no write to ${name} itself, and is asked about by a name of its own`);
  });
}

module.exports = { start, finish, thrown, callers, attempt, failure };
