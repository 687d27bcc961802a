// One recording: what is wished, what is known of the sources, and who may note it.
'use strict';
const fs = require('fs');
const Module = require('module');
const path = require('path');
const { Children } = require('./children.cjs');
const { Notes } = require('./notes.cjs');
const { Weaver, Refused } = require('./weaver.cjs');
const { start, finish } = require('./frames.cjs');
const { stripped } = require('./stripped.cjs');
const { Thin } = require('./thin.cjs');
const { OPEN, CLOSE } = require('./rewrite.cjs');
const judged = require('./judged.cjs');
const failures = require('./failures.cjs');
const runners = require('./runners.cjs');

const KEY = Symbol.for('aidb.recorder');

class Recorder {
  constructor(records) {
    this.children = new Children(this, records);
    const { home, child } = this.children;
    this.wish = read(home, 'wish.json');
    this.how = read(home, 'how.json');
    this.notes = new Notes(records, this.wish.text, !this.wish.writes, !this.wish.calls && !this.wish.first);
    this.notes.ends = this.wish.writes?.ends || 0;
    this.notes.few = this.notes.ends > 0 && !this.wish.values;
    this.thin = this.wish.calls?.thin && new Thin(this.notes, this.wish.calls.thin, this.children.name());
    this.calls = 0;
    this.lines = new Map(); // of files: of lines: the statements that stand there, or what tells them
    this.open = new Map(); // of places: of functions: how many calls are under way
    this.runs = ''; // the script that node has begun to run
    this.bound = new Set();
    this.loadedFiles = new Set();
    this.scripts = new Set(); // those that have been rewritten before node compiles them
    this.counted = 0;
    this.named = new Set(); // those of several names by which functions go
    this.spots = 0; // where the condition of a First has a value
    this.unknown = new Set(); // names of it that mean nothing where they were looked for
    this.functions = new Set();
    this.unbuilt = new Map(); // classes without a constructor of their own: what they derive from
    this.remarks = new Set();
    const tests = child ? undefined : this.how.tests; // what a test has started records at once
    if (!tests) this.claim();
    try {
      this.weaver = new Weaver(this.wish);
    } catch (e) {
      if (!(e instanceof Refused)) throw e;
      this.notes.refuse(e.message, e.field);
    }
    this.tests = new Set((tests || []).map((t) => this.weaver.real(t)));
    if (tests) this.pass();
  }

  // claim: from now on this process records. Its children do where they are told to.
  claim() {
    delete process.env.AIDB_RECORD;
    const first = this.notes.file === undefined;
    if (this.notes.claim() && first) this.children.claimed();
    return this.notes.file !== undefined;
  }

  // pass lets child processes be the one that runs the tests.
  pass() {
    this.top = !process.env.AIDB_RECORD_TOP;
    if (!this.top) return;
    process.env.AIDB_RECORD_TOP = '1';
    const options = `--require ${path.join(__dirname, 'hook.cjs')}`;
    process.env.NODE_OPTIONS = process.env.NODE_OPTIONS ? `${process.env.NODE_OPTIONS} ${options}` : options;
  }

  // rewrite is what a source becomes.
  rewrite(code, name, how) {
    this.reached(name);
    const woven = this.weaver.rewrite(name, code, how);
    if (woven.told) this.loaded(woven.told);
    return woven.code;
  }

  // reached: the process that loads a file of the tests is the one that records.
  reached(name) {
    if (this.tests.size && !this.notes.file && this.tests.has(this.weaver.real(name))) this.claim();
  }

  // loaded is told what a rewritten file is like.
  loaded(told) {
    this.reached(told.name);
    if (told.refused) this.notes.refuse(told.refused, told.field);
    for (const text of told.remarks || []) this.remark(text);
    this.knows(told);
    for (const [name, parent] of told.unbuilt || []) this.unbuilt.set(name, parent);
    if (told.lines) this.lines.set(told.name, told.lines);
    this.sites?.loaded(told.name);
    this.children.tell(told);
  }

  // knows is told what of the wish a file has.
  knows(told) {
    if (told.followed) this.followed = true;
    if (told.name) this.loadedFiles.add(told.name);
    for (const number of told.bound || []) this.bound.add(number);
    this.counted += told.counted || 0;
    for (const name of told.named || []) this.named.add(name);
    this.spots += told.judged || 0;
    for (const name of told.unknown || []) this.unknown.add(name);
    for (const name of told.functions || []) this.functions.add(name);
  }

  // statement is the name and the place of what stands at a line and a column.
  statement(file, line, column) {
    let lines = this.lines.get(file);
    if (lines && !(lines instanceof Map)) this.lines.set(file, (lines = pieces(typeof lines === 'function' ? lines() : lines)));
    const list = lines?.get(line);
    if (!list) return undefined;
    for (let i = list.length - 1; i >= 0; i--) if (list[i][1] <= column && column <= list[i][2]) return list[i][3];
    return list[0][3];
  }

  remark(text, kind) {
    if (this.remarks.has(text) || kind !== 'apart' && this.remarks.size > 20) return;
    this.remarks.add(text);
    this.notes.remark(text, kind);
  }

  // failed is a fault of ours, which is not to become one of the program's.
  failed(e) {
    this.remark(`the recorder failed at an event, which it does not tell: ${e && e.message}`, 'apart');
  }

  // counter is what counts the calls of a function that are under way.
  counter(at, name) {
    let names = this.open.get(at);
    if (!names) this.open.set(at, (names = new Map()));
    let c = names.get(name);
    if (!c) names.set(name, (c = { open: 0 }));
    return c;
  }

  // finish ends the recording with the program.
  finish() {
    this.tell();
    this.notes.finish();
  }

  // tell says at the end what was not found.
  tell() {
    const { values, calls, lines, first } = this.wish;
    if (this.top && !this.notes.file && this.claim()) this.remark('no process of the test runner loaded a file of the tests where it can be recorded');
    if (!this.notes.file) return;
    finish();
    if (!this.children.ended()) return void this.counts?.end(); // what they have is not known
    if (first) this.judged(first.scope || []);
    (values || []).forEach((p, i) => {
      if (this.bound.has(i)) return;
      const loaded = [...this.loadedFiles].some((f) => this.weaver.same(f, p.file));
      this.remark(loaded ? `nothing runs at line ${p.line} of ${p.file} or behind it` : `${p.file} was not loaded`);
    });
    if ((calls || lines) && !this.counted && !calls?.names.includes('*')) {
      const wanted = calls ? calls.names : [lines.function];
      this.notes.missing(`no function of what the program loaded is called ${wanted.join(' or ')}${this.nearest(wanted)}`, calls ? 'functions' : 'function');
    }
    if (calls && this.counted && calls.names.length > 1 && !this.wish.writes) {
      for (const name of calls.names) if (!this.named.has(name)) this.remark(`no function of what the program loaded is called ${name}${this.nearest([name])}`);
    }
    if (lines && this.counted && !this.followed) this.remark(`${this.met || 0} calls of ${lines.function} were seen${this.children.started ? ' in the program itself' : ''}, and none of them is the one that is wanted${this.children.started ? ', nor is one in the threads and processes that it has started' : ''}`);
  }

  // judged ends a run in which a condition was judged, if it could be.
  judged(scope) {
    this.counts.end();
    const unbuilt = this.instances?.remark();
    if (unbuilt) this.remark(unbuilt);
    if (!this.counted && scope.length) {
      this.notes.missing(`nothing of what the program loaded is called ${scope.join(' or ')}${this.nearest(scope)}`, 'scope');
      return;
    }
    if (this.spots) return;
    const unknown = [...this.unknown], members = unknown.filter((name) => name.startsWith('this.'));
    const names = members.length ? members : unknown.length ? unknown : this.weaver.names();
    this.notes.missing(`the condition has a value nowhere in the scope${names.length ? `: ${names.join(', ')} ${names.length > 1 ? 'mean' : 'means'} nothing there` : ''}`, 'condition');
  }

  nearest(wanted) {
    const classes = wanted.map((w) => w.replace(/\.constructor$/, '')).filter((w) => this.unbuilt.has(w));
    if (classes.length) return classes.map((w) => `; ${w} is a class without a constructor of its own${this.functions.has(this.unbuilt.get(w)) || this.unbuilt.has(this.unbuilt.get(w)) ? `: ask for that of what it extends, ${this.unbuilt.get(w)}` : ''}`).join('');
    const list = [...this.functions, ...this.weaver.others()].filter((f) => f !== '(anonymous)').map((f) => [Math.min(...wanted.map((w) => distance(w, f))), f]).sort((a, b) => a[0] - b[0]);
    return list.length ? `; the nearest names are ${list.slice(0, 5).map((x) => x[1]).join(', ')}` : '';
  }
}

// pieces are those of a file by their lines, each line's in the order of their beginnings.
function pieces(list) {
  const lines = new Map();
  for (const piece of list) {
    if (!lines.has(piece[0])) lines.set(piece[0], []);
    lines.get(piece[0]).push(piece);
  }
  for (const one of lines.values()) one.sort((a, b) => a[1] - b[1]);
  return lines;
}

// distance is how many letters two names differ by; the last parts of the names count.
function distance(a, b) {
  const [x, y] = [a, b].map((s) => s.slice(s.lastIndexOf('.') + 1).toLowerCase());
  let row = [...Array(y.length + 1).keys()];
  for (let i = 1; i <= x.length; i++) {
    const next = [i];
    for (let j = 1; j <= y.length; j++) next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (x[i - 1] === y[j - 1] ? 0 : 1));
    row = next;
  }
  return row[y.length];
}

function read(records, name) {
  return JSON.parse(fs.readFileSync(path.join(records, name), 'utf8'));
}

// begin is the start of all.
function begin(records) {
  const recorder = new Recorder(records);
  Object.defineProperty(globalThis, KEY, { value: recorder, configurable: true });
  const api = start(recorder);
  recorder.back = api.back;
  if (recorder.wish.first) judged.start(recorder, api);
  scripts(recorder);
  ownSource();
  runners.join(recorder);
  failures.watch(recorder);
  process.on('exit', () => recorder.finish());
  if (process.features.typescript && !Module.stripTypeScriptTypes) recorder.remark('this node cannot record TypeScript that it strips of its types: it takes 22.13 or newer');
  recorder.children.join();
  const { Loads } = require('./loads.cjs');
  recorder.loads = new Loads(recorder);
}

// scripts rewrites what is loaded by require.
function scripts(recorder) {
  const compile = Module.prototype._compile;
  Module.prototype._compile = function (code, name, format) {
    if (typeof code === 'string' && !recorder.scripts.delete(code) && recorder.weaver.users(name)) {
      const plain = stripped(code, format);
      const how = { module: plain.format === 'module' ? true : plain.format === 'commonjs' ? false : undefined };
      const woven = recorder.rewrite(plain.code, name, how);
      if (woven !== plain.code) [arguments[0], arguments[2]] = [woven, plain.format];
      if (code.includes('import(')) recorder.loads.need();
    }
    recorder.runs = name;
    let result;
    try {
      result = Reflect.apply(compile, this, arguments);
    } finally {
      recorder.runs = '';
      recorder.back();
    }
    runners.loaded(recorder, name, this);
    return result;
  };
}

// ownSource keeps from the program what was put into its functions.
function ownSource() {
  const { toString } = Function.prototype;
  const put = new RegExp(`${escaped(OPEN)}[^]*?(?:${escaped(CLOSE)}|$)`, 'g');
  const replaced = {
    toString() {
      const text = Reflect.apply(toString, this === replaced ? toString : this, arguments);
      return text.includes(OPEN) ? text.replace(put, '') : text;
    },
  }.toString;
  Object.defineProperty(Function.prototype, 'toString', { value: replaced, configurable: true, writable: true, enumerable: false });
}

function escaped(text) {
  return text.replace(/[*/]/g, '\\$&');
}

module.exports = { begin };
