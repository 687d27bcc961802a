// What the statements call that were put into the program's sources.
'use strict';
const util = require('util');
const { fileURLToPath } = require('url');
const { error } = require('./shown.cjs');
const { frames } = require('./stacks.cjs');
const { passed: unnoted } = require('./thin.cjs');

const SNAPSHOT = 1000; // elements of an array whose changes are told one by one
const MANY = 20;

let notes, recorder;
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
const mapGet = Map.prototype.get;

// walk follows keys from a value: {value, of, where}, or {e}.
function walk(value, keys, where) {
  let of;
  for (const k of keys) {
    if (value === null || value === undefined) return { e: `TypeError: it is ${value}` };
    of = value;
    if (typeof k === 'object' && k.p) {
      where = `${notes.identity(of)}[${k.n}]`;
      value = k.p(of);
      continue;
    }
    let key = k;
    if (Array.isArray(k)) key = keyFrom(k);
    else if (typeof k === 'object') {
      if (!util.types.isMap(of) || member(of, 'get')?.value !== mapGet) return UNKNOWN;
      key = Array.isArray(k.g) ? plainFrom(k.g) : k.g;
      where = entryPlace(of, key);
      value = mapGet.call(of, key);
      continue;
    }
    if (key === undefined) return UNKNOWN;
    const got = member(of, key);
    if (got === undefined) return UNKNOWN;
    where = `${notes.identity(of)}[${String(key)}]`;
    value = got.value;
  }
  return { value, of, where };
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
  return { e: util.types.isNativeError(e) ? error(e) : `thrown: ${notes.shown(e)}` };
}

// thrown is what was thrown, as an event has it.
function thrown(value) {
  return util.types.isNativeError(value) ? notes.thrown(error(value), value) : notes.value(value);
}

function variable(place) {
  try {
    return place();
  } catch {
    return ''; // of a function whose frame is not there yet
  }
}

// told is a value with its place, as an event has it.
function told(found) {
  if (found.e !== undefined) return found;
  const v = notes.value(found.value);
  if (found.where) v.o = found.where;
  const id = notes.identity(found.value);
  if (id) v.i = id;
  if (found.of !== undefined) v.h = notes.identity(found.of);
  return v;
}

const look = (x) => told(find(x));
const code = (value) => typeof value === 'function';

// within is what an object holds, key by key, for a call that may change it; undefined
// where that is too much.
function within(object) {
  if (typeof object !== 'object' || object === null || util.types.isProxy(object)) return undefined;
  if (Array.isArray(object)) {
    if (object.length > SNAPSHOT) return object.length;
    const cells = new Map();
    for (let i = 0; i < object.length; i++) cells.set(i, member(object, i)?.value);
    return cells;
  }
  if (util.types.isMap(object) || util.types.isSet(object)) return object.size;
  const keys = Object.keys(object);
  return keys.length <= SNAPSHOT ? new Map(keys.map((k) => [k, member(object, k)?.value])) : keys.length;
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
    this.result = undefined;
    this.steps = undefined;
    this.stack = undefined;
    this.rests = false;
  }

  // use notes what a statement reads; one that calls something is noted without that too.
  use(at, reads, targets, called) {
    this.at = at;
    apart(() => {
      this.was = targets.map((t) => {
        const found = find(t);
        return t[4] ? { found, held: found.e === undefined ? within(found.value) : undefined } : told(found);
      });
      const names = [], values = [];
      for (const r of reads) {
        const found = find(r);
        if (found.e !== undefined || code(found.value)) continue;
        names.push(r[0]);
        values.push(told(found));
      }
      if (names.length || called) notes.write({ k: 'use', at, f: this.function, c: this.call, a: names, v: values });
    });
  }

  wrote(at, known, targets) {
    apart(() => {
      let stack;
      targets.forEach((t, i) => {
        const was = known && this.was[i] || {};
        stack ??= this.above(Frame.prototype.wrote);
        if (t[4]) return this.changed(at, was, find(t), stack);
        const now = look(t);
        if (now.e !== undefined || now.o === undefined) return;
        const place = now.o;
        delete now.o;
        this.write(at, place, was.v === undefined || was.v === 'undefined' && !known ? {} : { v: was.v, u: was.u, w: was.w }, now, stack);
      });
    });
  }

  // above are the callers of a function, which are the same for as long as it runs, unless
  // it is a generator, which is resumed by whoever wants the next of its values.
  above(from) {
    return this.rests ? callers(from).slice(1, 4) : (this.stack ??= callers(from).slice(1, 4));
  }

  write(at, place, was, now, stack) {
    notes.write({ k: 'write', at, f: this.function, c: this.call, o: place, v: [was, now], s: stack });
  }

  // changed notes what a call has changed within an object.
  changed(at, was, now, stack) {
    if (now.e !== undefined) return;
    const id = notes.identity(now.value), before = was.held, after = within(now.value);
    if (!id || before === undefined && after === undefined) return;
    const cells = [];
    if (before instanceof Map && after instanceof Map) {
      for (const key of new Set([...before.keys(), ...after.keys()])) {
        if (before.has(key) !== after.has(key) || !Object.is(before.get(key), after.get(key))) cells.push(key);
      }
    } else if (before === after) return;
    if (cells.length && cells.length <= MANY) {
      for (const key of cells) {
        const value = told({ value: after.get(key), of: now.value });
        this.write(at, `${id}[${String(key)}]`, before.has(key) ? notes.value(before.get(key)) : {}, after.has(key) ? value : { v: 'undefined' }, stack);
      }
    }
    if (cells.length || !(before instanceof Map)) this.write(at, `${id}[*]`, {}, told({ value: now.value }), stack);
  }

  // made notes what an object or a list was made of.
  made(at, object, keys) {
    apart(() => {
      const id = notes.identity(object), stack = this.above(Frame.prototype.made);
      for (const key of keys) {
        const held = member(object, key);
        if (held && !code(held.value)) this.write(at, `${id}[${key}]`, {}, told({ value: held.value, of: object }), stack);
      }
    });
    return object;
  }

  kept(value, at, targets) {
    this.wrote(at, true, targets);
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
    if (this.noted && util.types.isNativeError(thrown)) apart(() => { this.at = left(thrown, this) || this.at; });
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

// callers are those of the statement that runs, itself first, as far as they are files.
function callers(above, most = 10) {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.stackTraceLimit = most + 4;
  Error.prepareStackTrace = (_, sites) => sites;
  const holder = {};
  Error.captureStackTrace(holder, above);
  const sites = holder.stack;
  Error.prepareStackTrace = prepareStackTrace;
  Error.stackTraceLimit = stackTraceLimit;
  if (!Array.isArray(sites)) return [];
  const list = [];
  for (const s of sites) {
    let file = s.getFileName();
    if (!file || file.startsWith('node:') || file.startsWith(__dirname) || file.includes('/node_modules/')) continue;
    if (file.startsWith('file:')) file = fileURLToPath(file);
    list.push(recorder.statement(file, s.getLineNumber(), s.getColumnNumber()) || `${s.getFunctionName() || '(module)'} ${file}:${s.getLineNumber()}`);
  }
  return list;
}

const api = {
  passed: unnoted,

  // meets says whether a call of a function that is counted is to be noted.
  meets(key, at, name) {
    return recorder.thin.meets(key, at, name);
  },

  module(name) {
    return new Frame(false, name, '(module)');
  },

  // enter is given the parameters' names, where they are declared, and their values.
  enter(noted, at, name, params, places, values) {
    const key = noted ? `${at} ${name}` : '';
    const f = new Frame(noted, at, name, key);
    if (noted) {
      const depth = recorder.enter(key);
      apart(() => {
        const e = { k: 'enter', at, f: name, c: f.call, a: params, v: values.map((value, i) => told({ value, where: `${f.name}${params[i]}@${places[i]}` })), s: callers(api.enter, 3).slice(1, 2) };
        if (depth) e.d = depth;
        notes.write(e);
      });
    }
    return f;
  },

  hit(number, at, name, when, list) {
    apart(() => {
      const held = when ? attempt(when) : { value: true };
      if (held.e !== undefined) notes.write({ k: 'hit', at, f: name, p: number, v: [{ e: `condition: ${held.e}` }] });
      else if (held.value) notes.write({ k: 'hit', at, f: name, p: number, v: list.map(look) });
    });
  },

  field(at, name, object, key, reads, value) {
    const f = new Frame(false, at, name);
    f.use(at, reads, []);
    apart(() => f.write(at, `${notes.identity(object)}[${key}]`, {}, told({ value, of: object }), callers(api.field).slice(1, 4)));
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
  Object.defineProperty(globalThis, '__aidb', { value: api, configurable: true, enumerable: false, writable: true });
  return api;
}

module.exports = { start, thrown, callers, attempt, failure };
