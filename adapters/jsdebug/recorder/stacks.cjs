// Reads the stacks of errors.
'use strict';
const process = require('node:process'); // the program may take the global one away
const { fileURLToPath } = require('url');

const AT = /^\s*at (?:async )?(?:(.*?) \()?((?:file:\/\/)?(?:\/|[A-Za-z]:[\\/]).*?):(\d+):(\d+)\)?$/;

// frames are those of the user's code in an error's own stack, the innermost first. What
// was put into the sources has moved their columns: where no map follows that, the
// statement is found by what was put in.
function frames(recorder, error) {
  const list = [];
  if (typeof error !== 'object' || error === null) return list;
  for (const line of String(error.stack).split('\n')) {
    const m = AT.exec(line);
    if (!m || m[2].startsWith(__dirname)) continue;
    const file = m[2].startsWith('file:') ? fileURLToPath(m[2]) : m[2];
    if (recorder.weaver.packaged(file)) continue;
    const found = mapped() ? undefined : recorder.statement(file, +m[3], +m[4]);
    list.push(found || `${m[1] || '(module)'} ${file}:${m[3]}`);
  }
  return list;
}

const sitesOf = (_, sites) => sites;

// Sites tells what V8's places in stacks are, which is asked for again and again: of one place
// it is worked out once.
class Sites {
  constructor(recorder) {
    this.recorder = recorder;
    this.files = new Map(); // by the names that V8 has for them; empty for what is not the user's
    this.texts = new Map(); // of files: of positions
  }

  file(name) {
    let file = this.files.get(name);
    if (file === undefined) {
      file = !name || name.startsWith('node:') || name.startsWith(__dirname) ? '' : name.startsWith('file:') ? fileURLToPath(name) : name;
      if (this.recorder.weaver.packaged(file)) file = '';
      this.files.set(name, file);
    }
    return file;
  }

  // callers are those of the statement that runs, as far as they are files: so many of them, after
  // some that are left out. The first one is the statement itself.
  callers(above, most = 10, without = 0, depth = most + 4) {
    const { prepareStackTrace, stackTraceLimit } = Error;
    Error.stackTraceLimit = depth;
    Error.prepareStackTrace = sitesOf;
    const holder = {};
    Error.captureStackTrace(holder, above);
    const sites = holder.stack;
    Error.prepareStackTrace = prepareStackTrace;
    Error.stackTraceLimit = stackTraceLimit;
    if (!Array.isArray(sites)) return [];
    const list = [];
    let left = without;
    for (const s of sites) {
      const file = this.file(s.getFileName());
      if (!file || left-- > 0) continue;
      list.push(this.text(s, file));
      if (list.length === most) break;
    }
    return list;
  }

  // text is the statement at a place, or else its function and its line.
  text(site, file) {
    let known = this.texts.get(file);
    if (!known) this.texts.set(file, (known = new Map()));
    const at = site.getPosition();
    let text = known.get(at);
    if (text !== undefined) return text;
    const line = site.getLineNumber();
    text = this.recorder.statement(file, line, site.getColumnNumber());
    if (!text) return `${site.getFunctionName() || (isModule(site) ? '(module)' : '(anonymous)')} ${file}:${line}`;
    known.set(at, text);
    return text;
  }

  // loaded forgets a file that is there anew.
  loaded(file) {
    this.texts.delete(file);
  }
}

// isModule says that a place which is in no function with a name is in none: what runs there
// begins where its file does.
function isModule(site) {
  return site.getEnclosingLineNumber?.() === 1 && site.getEnclosingColumnNumber() === 1;
}

let byRunner = false; // a test runner rewrites the stacks of errors

function mappedByRunner() {
  byRunner = true;
}

// mapped says that stacks are told in terms of what the code was made from.
function mapped() {
  return byRunner || (process.sourceMapsEnabled ?? process.execArgv.includes('--enable-source-maps'));
}

// standing are the callers of what a call's statement has called.
function standing(call) {
  const list = [];
  for (let c = call; c; c = c.up) {
    list.push(called(c)[0]);
    if (!c.up && c.stack) list.push(...c.stack);
    if (list.length >= 3) break;
  }
  return list.slice(0, 3);
}

const callings = new Map(); // of places: of functions: the lists of the statement there

// called is the list of a call's statement.
function called({ at, function: name }) {
  let names = callings.get(at);
  if (!names) callings.set(at, (names = new Map()));
  let list = names.get(name);
  if (!list) names.set(name, (list = [`${name} ${at}`]));
  return list;
}

const passed = new WeakMap(); // of errors: how many frames of their stacks have been left

// left is where an error has left a call, by the error's own stack: it leaves the
// innermost first.
function left(recorder, thrown, call) {
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

module.exports = { frames, mappedByRunner, called, standing, left, Sites };
