// Is required before the program: rewrites what the program loads, and notes what the
// statements that are put in give it. AIDB_RECORD names the directory of the recording.
'use strict';
const Module = require('module');
const fs = require('fs');
const path = require('path');
const util = require('util');
const records = process.env.AIDB_RECORD;
delete process.env.AIDB_RECORD; // its children are not recorded
const { Notes } = require('./notes.cjs');
const { weave, parse } = require('./rewrite.cjs');

class Recorder {
  constructor() {
    this.wish = JSON.parse(fs.readFileSync(path.join(records, 'wish.json'), 'utf8'));
    this.notes = new Notes(records, this.wish.text);
    this.bound = new Set();
    this.calls = 0;
    this.files = [];
    for (const probe of this.wish.values || []) {
      probe.expressions.forEach((e) => this.check(e, 'expressions'));
      if (probe.condition) this.check(probe.condition, 'condition');
    }
    const { writes } = this.wish;
    this.wanted = writes && writes.expression ? this.check(writes.expression, 'expression') : null;
  }

  check(text, field) {
    try {
      return parse(text);
    } catch (e) {
      this.notes.write({ k: 'refused', m: `${text} is no expression of JavaScript: ${e.message}`, a: [field] });
      process.exit(0);
    }
  }

  parsed(text) {
    return parse(text);
  }

  same(a, b) {
    return a === b || real(a) === real(b);
  }

  original(name, line) {
    return name + ':' + line;
  }

  lineOf(at) {
    return Number(at.slice(at.lastIndexOf(':') + 1));
  }

  short(name) {
    let i = this.files.indexOf(name);
    if (i < 0) i = this.files.push(name) - 1;
    return 'm' + i;
  }

  users(name) {
    return !name.includes(path.sep + 'node_modules' + path.sep) && this.wish.roots.some((r) => name.startsWith(r + path.sep));
  }

  counts(file, name) {
    return (this.wish.calls ? this.wish.calls.names : []).some((want) => {
      if (/\.[cm]?[jt]sx?$/.test(want)) return file === want || file.endsWith('/' + want);
      if (want.includes('*')) return new RegExp('^' + want.split('*').map((x) => x.replace(/[.+?^${}()|[\]\\]/g, '\\$&')).join('.*') + '$').test(name);
      return name === want || name.endsWith('.' + want);
    });
  }

  rewrite(code, name, module) {
    if (!this.users(name)) return code;
    try {
      return weave(this, name, code, module);
    } catch (e) {
      if (!(e instanceof SyntaxError)) this.notes.remark(`${name} is not recorded: ${e.message}`);
      return code; // node says what is wrong with it
    }
  }
}

function real(p) {
  try {
    return fs.realpathSync(p);
  } catch {
    return p;
  }
}

const recorder = new Recorder();
const { notes } = recorder;
let busy = false;

// look is a value with its place, of [text, root, keys, place, inside].
function look([, root, keys, place, inside]) {
  const shown = {};
  let value, where = typeof place === 'function' ? place() : place || '', of;
  try {
    value = root();
    if (keys) {
      for (const key of keys()) {
        if (value === null || value === undefined) return { e: `TypeError: it is ${value}` };
        of = value;
        const got = member(value, key);
        if (got === undefined) return { e: 'only a call of the program tells it' };
        where = notes.identity(of) + '.' + String(key);
        value = got.value;
      }
    }
  } catch (e) {
    return { e: e instanceof Error ? `${e.name}: ${e.message}` : String(e) };
  }
  if (inside) {
    where = notes.identity(value) + '[*]';
    shown.size = Array.isArray(value) ? JSON.stringify(value.length < 50 ? value.map(String) : value.length) : value && value.size !== undefined ? String(value.size) : '';
    of = value;
  }
  shown.v = notes.shown(value);
  if (where) shown.o = where;
  const id = notes.identity(value);
  if (id) shown.i = id;
  if (of !== undefined) shown.h = notes.identity(of);
  return shown;
}

// member is {value} of what an object holds, undefined where a getter would have to be called.
function member(object, key) {
  if (util.types.isProxy(object)) return undefined;
  if (typeof object === 'string') return { value: object[key] };
  for (let o = Object(object); o; o = Object.getPrototypeOf(o)) {
    if (util.types.isProxy(o)) return undefined;
    const d = Object.getOwnPropertyDescriptor(o, key);
    if (d) return 'value' in d ? d : ArrayBuffer.isView(object) ? { value: object[key] } : undefined;
  }
  return { value: undefined };
}

function apart(f) {
  if (busy) return;
  busy = true;
  try {
    f();
  } finally {
    busy = false;
  }
}

class Frame {
  constructor(noted, at, name) {
    this.call = ++recorder.calls;
    this.name = `f${this.call}.`;
    this.noted = noted;
    this.at = at;
    this.function = name;
    this.was = [];
    this.result = undefined;
  }

  use(at, reads, targets) {
    this.at = at;
    apart(() => {
      this.was = targets.map(look);
      const seen = reads.map((r) => [r[0], look(r)]).filter(([, v]) => v.e === undefined && !(v.v || '').startsWith('[Function') && !(v.v || '').startsWith('[class'));
      if (seen.length) notes.write({ k: 'use', at, f: this.function, c: this.call, a: seen.map((x) => x[0]), v: seen.map((x) => x[1]) });
    });
  }

  wrote(at, known, targets) {
    apart(() => targets.forEach((t, i) => {
      const now = look(t), was = known && this.was[i] || {};
      if (now.e !== undefined || now.o === undefined) return;
      if (t[4] && now.size === was.size) return;
      const place = now.o;
      delete now.o; delete now.size;
      notes.write({ k: 'write', at, f: this.function, c: this.call, o: place, v: [was.v === undefined || was.v === 'undefined' && !known ? {} : { v: was.v }, now], s: callers(this.function ? 2 : 1) });
    }));
  }

  left(at, value) {
    this.at = at;
    this.result = value;
    return value;
  }

  raised(error) {
    this.error = error;
    this.failed = true;
  }

  end() {
    if (!this.noted) return;
    apart(() => {
      const e = { k: 'leave', at: this.at, f: this.function, c: this.call };
      if (this.failed) Object.assign(e, { x: true, v: [{ v: notes.cut(this.error instanceof Error ? `${this.error.name}: ${this.error.message}` : notes.plain(this.error)) }] });
      else {
        const shown = { v: notes.shown(this.result) }, id = notes.identity(this.result);
        if (id) shown.i = id;
        e.v = [shown];
      }
      notes.write(e);
    });
  }
}

// callers are those of the statement that runs, the caller first.
function callers(skip) {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.stackTraceLimit = 14;
  Error.prepareStackTrace = (_, sites) => sites;
  const holder = {};
  Error.captureStackTrace(holder, Frame.prototype.wrote);
  let sites = holder.stack;
  if (!Array.isArray(sites)) sites = [];
  Error.prepareStackTrace = prepareStackTrace;
  Error.stackTraceLimit = stackTraceLimit;
  return sites.filter((s) => s.getFileName() && !s.getFileName().startsWith('node:') && !s.getFileName().startsWith(__dirname))
    .slice(1, 4).map((s) => `${s.getFunctionName() || '(module)'} ${s.getFileName()}:${s.getLineNumber()}`);
}

const main = new Frame(false, '', '');
globalThis.__aidb_m = main;
globalThis.__aidb = {
  enter(noted, at, name, params) {
    const f = new Frame(noted, at, name);
    if (noted) apart(() => {
      const list = params(), stack = enteredFrom();
      // the places of parameters are named after the frame that is being made
      notes.write({ k: 'enter', at, f: name, c: f.call, a: list.map((x) => x[0]), v: list.map((x) => argument(x, f)), s: stack });
    });
    return f;
  },
  hit(number, at, name, when, list) {
    apart(() => {
      if (when) {
        try {
          if (!when()) return;
        } catch (e) {
          notes.write({ k: 'hit', at, f: name, p: number, v: [{ e: `condition: ${e}` }] });
          return;
        }
      }
      notes.write({ k: 'hit', at, f: name, p: number, v: list.map(look) });
    });
  },
};

function argument(x, f) {
  const shown = look([x[0], x[1], 0, '']);
  const place = String(x[3]).match(/"(.*)"$/);
  if (place) shown.o = f.name + JSON.parse('"' + place[1] + '"');
  return shown;
}

function enteredFrom() {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.stackTraceLimit = 8;
  Error.prepareStackTrace = (_, sites) => sites;
  const holder = {};
  Error.captureStackTrace(holder, globalThis.__aidb.enter);
  let sites = holder.stack;
  if (!Array.isArray(sites)) sites = [];
  Error.prepareStackTrace = prepareStackTrace;
  Error.stackTraceLimit = stackTraceLimit;
  const s = sites[1];
  return s && s.getFileName() ? [`${s.getFunctionName() || '(module)'} ${s.getFileName()}:${s.getLineNumber()}`] : undefined;
}

const compile = Module.prototype._compile;
Module.prototype._compile = function (code, name, ...more) {
  return compile.call(this, typeof code === 'string' ? recorder.rewrite(code, name, false) : code, name, ...more);
};
