// Judges a condition where the program's sources call for it, and notes the moments at
// which it comes to hold.
'use strict';
const { performance } = require('node:perf_hooks');
const fs = require('fs');
const path = require('path');
const { isPromise } = require('util').types;
const { look } = require('./shown.cjs');
const { own } = require('./whole.cjs');
const { EACH } = require('./condition.cjs');
const { Instances } = require('./instances.cjs');
const { callers } = require('./frames.cjs');
const { attempt, failure } = require('./looks.cjs');

const UNREADABLE = { e: 'not readable here' };
const MOST = 5; // callers
const MANY = 100; // judgements that failed, from which on those that fail are to have no stacks: these cost more than all else
const SPENT = 500; // milliseconds that all texts may take which a moment might want later

const { then } = Promise.prototype;

let recorder, notes, counts, api, names, looked, asks, instances;
let left = 0; // moments that are noted still
let spent = 0;
let told = false; // that a judgement failed
let changes = false; // the values of the condition are wanted, and no moments
let last, was; // its value at the last judgement where that cannot change, and as an event has it

// Counts is how often it was judged, in a file of the recording: it is written at each
// doubling, and at the end, when it is whole.
class Counts {
  constructor() {
    this.times = 0;
    this.failed = 0;
    this.next = 1;
    this.whole = false;
    this.file = undefined;
  }

  judged() {
    if (++this.times < this.next) return;
    this.write();
    this.next = this.whole ? 0 : this.times * 2;
  }

  // end: what the program does while it exits is judged still, and told each time.
  end() {
    this.whole = true;
    this.next = 0;
    this.write();
  }

  write() {
    if (!notes.file) return; // another process records
    this.file ??= fs.openSync(path.join(notes.records, 'judged'), 'w', 0o600);
    const numbers = new BigUint64Array([BigInt(this.times), BigInt(this.failed), this.whole ? 1n : 0n, BigInt(instances?.number || 0)]);
    fs.writeSync(this.file, new Uint8Array(numbers.buffer), 0, numbers.byteLength, 0);
  }
}

// Judged is a call in which the condition is judged.
class Judged {
  constructor(at, name) {
    this.at = at;
    this.name = name;
    this.ran = ''; // the statement that has run
    this.last = 0; // what the last judgement was given, while its names mean the same
    this.over = false; // it was judged where the call ends
    this.held = false;
    this.begun = false; // it was judged before
    this.was = undefined; // what was looked at then
    this.call = 0; // its number, once it is told of
  }

  // judge: seen is the place in front of which it is done.
  judge(seen, when, result) {
    if (!api.left || this === idle) return;
    this.last = when;
    this.over = false;
    api.left = 0; // what the condition calls is not judged, nor what is looked at
    try {
      if (changes) this.compare(seen, when, result);
      else if (instances) this.judgeEach(seen, when);
      else this.test(seen, when, result);
    } catch (e) {
      recorder.failed(e);
    } finally {
      api.left = left;
    }
  }

  test(seen, when, result) {
    let holds;
    try {
      holds = counts.failed > MANY ? stackless(when, result) : when(0, result);
    } catch (e) {
      return this.failed(e, when);
    }
    if (holds === undefined) return;
    counts.judged();
    if (holds && !(this.begun && this.held)) this.moment(seen, when, result);
    this.begun = true;
    this.held = holds;
    if (!holds && looked) this.was = kept(when, result);
  }

  // judgeEach judges each instance by itself, wherever it was judged before.
  judgeEach(seen, when) {
    const living = instances.living();
    if (!living.length || !readable(when)) return;
    counts.judged();
    let failed;
    for (const [one, it] of living) {
      const found = attempt(() => (counts.failed > MANY ? stackless(when, it) : when(0, it)));
      if (found.e !== undefined) failed ??= found.e;
      if (found.value === undefined) continue;
      if (found.value && !one.held && left > 0) this.moment(seen, when, it, one, living.length);
      one.held = found.value;
      if (!one.held && looked) one.was = kept(when, it);
    }
    if (failed !== undefined) this.vain(failed);
  }

  // compare notes the value where it is not that of the judgement before.
  compare(seen, when, result) {
    const found = attempt(() => (counts.failed > MANY ? stackless(when, result) : when(0, result)));
    if (found.e === undefined ? found.value === undefined : !readable(when)) return;
    if (found.e !== undefined) counts.failed++;
    counts.judged();
    const value = found.value?.[0], kept = found.e === undefined && Object(value) !== value;
    if (kept && was && last && Object.is(last[0], value)) return;
    last = kept ? [value] : undefined;
    const now = found.e === undefined ? notes.value(value) : found;
    if (was && now.v === was.v && now.e === was.e && now.w === was.w && now.u === was.u) return;
    was = now;
    const asked = when(3, result).slice(names.length - asks).map(valued);
    notes.write({ ...this.event('changed', seen), a: [recorder.weaver.condition.text, ...names.slice(names.length - asks)], v: [now, ...asked], s: above() });
  }

  // failed counts a judgement that has no value, and tells of the first one. One of names
  // that are not there yet is none.
  failed(e, when) {
    if (!readable(when)) return;
    counts.judged();
    this.vain(failure(e).e);
  }

  vain(why) {
    counts.failed++;
    if (told) return;
    told = true;
    notes.write({ k: 'remark', at: this.ran || this.at, m: `the condition could not be judged each time: ${why}` });
  }

  // moment: one is the instance that has come to it, of so many.
  moment(seen, when, given, one, among) {
    const list = when(3, given).map(valued), was = one ? one.was : this.was;
    if (one && names.length > list.length) list.splice(names.length - asks - 1, 0, notes.value(given));
    notes.write({ ...this.event('moment', seen), a: names, v: list, b: (was || []).map(shown), e: one?.number, g: among, s: above() });
    if (--left === 0) counts.end();
  }

  // event is what an event of a judgement begins with.
  event(k, seen) {
    return { k, at: this.ran || this.at, f: this.name, c: (this.call ||= ++recorder.calls), h: counts.times, m: this.ran ? undefined : 'begun', y: seen };
  }

  // out judges behind the value that a call returns.
  out(value, when) {
    if (when) {
      this.judge('', when, value);
      this.over = true;
    }
    return value;
  }

  // promised judges what comes of the value that an async function returns.
  promised(value, when) {
    if (!when || !isPromise(value)) return this.out(value, when);
    if (own(value, 'constructor') === Promise) Reflect.apply(then, value, [(v) => this.judge('', when, v), () => {}]);
    return value;
  }

  // end judges where a call is left by an error, or after what a finally has done.
  end() {
    if (this.last && !this.over) this.judge('', this.last);
  }
}

const idle = new Judged('', ''); // of calls in which nothing is judged

// readable says that the names of a judgement mean something, so that it has failed by itself.
function readable(when) {
  try {
    const taken = when(1), self = taken[taken.length - 1];
    return !recorder.weaver.condition.self || self !== undefined && self !== globalThis;
  } catch {
    return false;
  }
}

// valued is what one of a moment's looks sees.
function valued(get) {
  if (!get) return UNREADABLE;
  const found = attempt(get);
  return found.e === undefined ? notes.value(found.value) : found;
}

// above are the callers of the call that is judged.
function above() {
  return callers(Judged.prototype.judge, MOST, 1, 14);
}

function stackless(when, result) {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return when(0, result);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

// kept are the operands as they are, for the next judgement: as text where they may change.
function kept(when, result) {
  let values;
  try {
    values = when(2, result);
  } catch {
    values = when(3, result).slice(0, looked).map((get) => attempt(get)).map((found) => (found.e === undefined ? found.value : new Unreadable(found.e)));
  }
  for (let i = 0; i < values.length; i++) if (typeof values[i] === 'object' && values[i] !== null) values[i] = seen(values[i]);
  return values;
}

// Seen is the text of a value, or why there is none.
class Seen {
  constructor(value) {
    this.value = value;
  }
}

class Unreadable extends Seen {
  constructor(e) {
    super({ e });
  }
}

// seen is the text of an object, while there is time for that.
function seen(value) {
  if (value instanceof Seen) return value;
  if (spent > SPENT) return new Unreadable('it was not looked at: that took too long');
  const from = performance.now();
  const { text, cut } = look(value, notes.text, notes.deep);
  spent += performance.now() - from;
  return new Seen({ v: notes.cut(text), u: cut || text.length > notes.text || undefined });
}

function shown(value) {
  return value instanceof Seen ? value.value : notes.value(value);
}

// start gives the program's sources what they call for judgements.
function start(r, given) {
  recorder = r;
  notes = r.notes;
  api = given;
  const { kept, called } = r.weaver.condition, { limit, expressions } = r.wish.first;
  looked = kept.length;
  changes = r.wish.first.changes;
  asks = expressions?.length || 0;
  names = [...kept, ...called].map((o) => o.name);
  if (r.wish.first.each) {
    r.instances = instances = new Instances(r.wish.first.each);
    api.built = (it, last) => left > 0 && instances.built(it, last);
    if (!names.includes(EACH)) names.push(EACH);
  }
  names.push(...(expressions || []));
  counts = r.counts = new Counts();
  api.left = left = limit || 1;
  Object.defineProperty(api, 'missing', { get() { throw new ReferenceError('it is not loaded yet'); } });
  api.judged = (at, name) => (api.left ? new Judged(at, name) : idle);
}

module.exports = { start };
