// Looks at what statements read and write, without running any code of the program's, and says
// of it what an event has.
'use strict';
const util = require('util');
const { error } = require('./shown.cjs');
const { shared } = require('./shared.cjs');
const { fixed } = require('./ring.cjs');
const { KEYED, ALIAS, NAMED, inside } = require('./flags.cjs');

const SNAPSHOT = 1000; // elements of an array whose changes are told one by one

const SHARED = 'threads share memory (SharedArrayBuffer): which of them has written what lies there is not told';
const OWN = 1; // the place of a variable of the call that looks

let notes, recorder;
let memory; // where it is asked what has written to a value
let proxies; // where it is asked what is written
let aliases; // and what is written to a variable or a member

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
function find([, root, keys, place, name], frame) {
  try {
    const where = place === OWN ? frame.name + name : typeof place === 'function' ? variable(place, name) : place || '';
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

function variable(place, name) {
  try {
    return place().name + name;
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

// read is a value that was read, as an event has it. What another thread may have written to lies in no
// place of which it could be told who did.
function read(found, asked = false) {
  const v = told(found, asked);
  if (found.of === undefined || !recorder.children.beside || !shared(found.of)) return v;
  recorder.remark(SHARED, 'apart');
  delete v.o;
  delete v.h;
  return v;
}

// about is what was asked about, with those of its parts that were written to last.
function about(x) {
  const found = find(x), v = read(found, true);
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

// bare puts down what a variable holds, where that cannot become anything else.
function bare(sink, name, [, root, , place, variable], frame) {
  let value, call = 0;
  try {
    value = root();
  } catch {
    return false;
  }
  if (!fixed(value)) return false;
  if (place === OWN) call = frame.call;
  else if (typeof place === 'function') {
    try {
      call = place().call;
    } catch {
      return false; // of a function whose frame is not there yet
    }
  }
  sink.word(name, value, call, call ? variable : place || '');
  return true;
}

function attempt(get) {
  try {
    return { value: get() };
  } catch (e) {
    return failure(e);
  }
}

// heldBy is what an object holds in the only place that some targets name: {value, of}. There is none where
// a look at it may tell of anything else, too, or of other objects that lie where it is asked about.
function heldBy(targets) {
  const t = targets[0], keys = t && t[2];
  if (memory || aliases?.places.size || !keys || keys.length !== 1 || typeof keys[0] !== 'string' || t[5] !== undefined || t[6]) return undefined;
  for (let i = 1; i < targets.length; i++) {
    const other = targets[i];
    if (!other || other[5] !== ALIAS && (other[5] !== NAMED || other[0] !== t[0])) return undefined;
  }
  try {
    const of = t[1]();
    if (typeof of !== 'object' || of === null || util.types.isProxy(of)) return undefined;
    const held = Object.getOwnPropertyDescriptor(of, keys[0]);
    return held !== undefined && 'value' in held ? { value: held.value, of } : undefined;
  } catch {
    return undefined; // find says why
  }
}

// Word is what cannot become anything else, as an event has it.
class Word {
  constructor(value) {
    this.value = value;
  }

  get v() {
    return notes.value(this.value).v;
  }
}

// found is what is known of a target before the statement.
function found(t, frame) {
  if (!t || t[5] === KEYED && !keyed(t)) return undefined;
  const found = find(t, frame);
  if (t[5] === NAMED) return aliases.met(found);
  if (t[5] === ALIAS) return { value: found.value, places: aliases.seen(aliases.of(found.value)) };
  if (inside(t[5])) return before(found);
  return memory && found.e === undefined && fixed(found.value) ? new Word(found.value) : told(found);
}

// begin says what is looked at for.
function begin(r, of) {
  recorder = r;
  notes = r.notes;
  memory = of.memory;
  proxies = of.proxies;
  aliases = of.aliases;
}

module.exports = { begin, member, behind, keyed, find, failure, isError, found, heldBy, Word, thrown, told, read, about, around, code, within, before, differing, bare, attempt, HIDDEN, UNKNOWN };
