'use strict';
// Loaded into the debugged program before its own code. It answers what V8
// cannot: whether an error that some handler will catch is caught by the user's
// code, or only by node's module loader, which catches whatever a module throws
// in order to end the process with it.
//
// The debugger asks at each caught throw, by calling what is kept under key.
const fs = require('fs');
const path = require('path');
const url = require('url');
const vm = require('vm');
const { sidesOf, sourceOfPlace, sourceOfStack } = require('./aidb-errors.cjs');
const { origin } = require('./aidb-origin.cjs');
const { outline } = require('./aidb-outline.cjs');
const { plantsIn } = require('./aidb-plants.cjs');
const { unseen } = require('./aidb-unseen.cjs');

const key = '__aidb';
const started = below();
if (!globalThis[key]) install();

function install() {
  plainConsole();
  keepVariables();
  unseen();
  const told = new Set(); // errors that the debugger has stopped at
  const seen = new WeakMap(); // of caught errors that we were asked about: the frames of their first throw
  let left = 12; // questions about caught errors; each takes a debugger a tenth of a second
  let unasked = false; // the debugger has stopped at an error without asking
  let dying; // the error that ends the process, while the debugger is told of it
  const hook = {
    told,
    // stop is asked about an error that is told in any case; one that comes
    // before any code of the user's runs is told when it ends the process, with
    // its place in the user's code. So is one of libraries among themselves.
    // V8 does not see through Promise.race and Promise.any: what their callers
    // catch is not told.
    stop(error) {
      if (!dying) {
        const frames = framesOf(callStack());
        if (!frames.some((f) => f.file && !library(f.file)) || fateOf(frames) === 'awaited and handled') return false;
        if (passedOn(error, frames) || unmissed(frames)) return false; // it is told at its own place if nothing handles it
      }
      told.add(error);
      hook.thrown = error;
      return true;
    },
    // caught is asked about one that something catches; true stops the program.
    caught(error) {
      const frames = dying ? [] : framesOf(callStack());
      if (!dying && typeof error === 'object' && error !== null && !seen.has(error) && frames.some((f) => f.file)) seen.set(error, frames);
      if (dying ? dying.error === error : fateOf(frames) === 'fatal') return hook.stop(error);
      if (dying) return false;
      if (--left === 0) giveUp();
      return false;
    },
    // raised is told of each error at which V8 stops, whether we are asked about it or not.
    raised(error) {
      hook.latest = error;
    },
    // thrown is what the debugger has stopped at last, as far as we were asked;
    // describe tells it with its causes. It is called at each stop: one that we
    // were not asked about is that of an error which is about to end the process.
    describe() {
      if (!('thrown' in hook) && 'latest' in hook) {
        hook.thrown = hook.latest;
        told.add(hook.thrown);
      }
      delete hook.latest;
      if (!('thrown' in hook)) {
        unasked = true;
        return '[]';
      }
      const chain = [];
      for (let e = hook.thrown; chain.length < 4; e = e.cause) {
        const known = e !== null && typeof e === 'object';
        const from = chain.length ? {} : origin(e, framesOf(String(e && e.stack)), framesOf(callStack()), seen.get(e), library);
        chain.push({
          type: known ? String(e.name || (e.constructor && e.constructor.name) || 'Object') : typeof e,
          message: known && 'message' in e ? messageOf(e) : describe(e),
          stack: known ? sourceOfStack(String(e.stack || '')) : '',
          sides: chain.length ? undefined : sidesOf(e),
          first: from.first,
          made: from.made,
        });
        if (!known || !e.cause) break;
      }
      delete hook.thrown;
      return JSON.stringify(chain);
    },
  };
  Object.defineProperty(globalThis, key, { value: hook });
  plantsIn(hook);
  process.on('uncaughtExceptionMonitor', (error) => {
    if (told.has(error) || unasked) return;
    dying = { error };
    hook.thrown = error;
    stopAtThrows('all');
    rethrow(error);
    dying = undefined;
  });
}

// steps are the functions by which compilers write async functions as generators.
const steps = /^(?:fulfilled|rejected|step|adopt|_next|_throw|asyncGeneratorStep|__awaiter)$/;

// passedOn says that an error is only handed on by such a function: it was thrown elsewhere.
function passedOn(error, frames) {
  const top = frames.find((f) => f.file && path.dirname(f.file) !== __dirname);
  if (!top || !steps.test(top.name.replace(/^.*[. ]/, '')) || typeof error !== 'object' || error === null) return false;
  const own = framesOf(String(error.stack)).find((f) => f.file);
  return !!own && (own.file !== top.file || own.line !== top.line);
}

// unmissed says that an error came to a Promise.any for which nobody is seen to wait, as
// after another promise of it was fulfilled. It takes every error of its promises: what it
// fails with itself is an AggregateError, which is told where nothing handles that.
function unmissed(frames) {
  const last = frames[frames.length - 1];
  return !!last && !last.file && /^async Promise\.any\b/.test(last.name);
}

// messageOf adds what was expected and what there was, where an assertion's
// message tells it in part only.
function messageOf(error) {
  let message = String(error.message).replace(colours, '');
  if (!('expected' in error && 'actual' in error)) return message;
  for (const name of ['expected', 'actual']) {
    const text = describe(error[name]);
    if (!message.includes(text) && !/^[+-] /m.test(message)) message += `\n${name}: ${text}`;
  }
  return message;
}

// keepVariables has V8 keep what variables hold to the end of their scopes: it drops what
// no code needs any more, and would show undefined in its place.
function keepVariables() {
  try {
    require('v8').setFlagsFromString('--no-analyze-environment-liveness');
  } catch {
    // This one has no such option.
  }
}

// plainConsole lets the program's console only write. While it is debugged, node
// reports each line to the debugger as well, with its values and its stack, which
// takes fifty times as long; the debugger has the lines from the streams.
function plainConsole() {
  for (const [name, write] of Object.entries(Object.getOwnPropertyDescriptors(console.Console.prototype))) {
    if (name === 'constructor' || typeof write.value !== 'function' || typeof console[name] !== 'function') continue;
    const own = write.value.bind(console);
    Object.defineProperty(own, 'name', { value: name });
    console[name] = own;
  }
}

const colours = /\u001b\[[\d;]*m/g;

function describe(value) {
  return require('util').inspect(value, { depth: 1, breakLength: Infinity }).slice(0, 1000);
}

// giveUp ends the questions. While modules are evaluated, V8 would only tell of
// the loader's own throws then.
function giveUp() {
  stopAtThrows('none');
  setTimeout(stopAtThrows, 0, 'uncaught').unref();
}

let session;

// stopAtThrows changes at which throws V8 tells the debugger: all, those that
// nobody catches, none. V8 keeps one word on this for all who debug it.
function stopAtThrows(state) {
  try {
    inspect();
    session.post('Debugger.setPauseOnExceptions', { state });
  } catch {
    // Without it the program is slower, or ends without a stop.
  }
}

function inspect() {
  if (session) return;
  session = new (require('inspector').Session)();
  session.connect();
  session.post('Debugger.enable');
}

// apart keeps the script that rethrow makes from taking the place of the one at
// whose place it throws.
const apart = '?aidb';

// rethrow throws and catches the error where it was thrown first, as far as its
// stack tells, so that the debugger can stop there; otherwise at the place.
function rethrow(error, otherwise) {
  const stack = String(error && error.stack);
  const frames = framesOf(stack).filter((f) => f.file && path.dirname(f.file) !== __dirname);
  const own = frames.find((f) => !library(f.file));
  const at =
    (own && sourceOfPlace(own)) ||
    notLoaded(error, stack) ||
    frames[0] ||
    (otherwise && { url: url.pathToFileURL(otherwise.file).href, line: otherwise.line, column: 1 });
  const code = '(error) => { try { throw error } catch {} }';
  const where = at ? { filename: at.url + apart, lineOffset: at.line - 1, columnOffset: at.column - 1 } : {};
  try {
    vm.runInThisContext(code, where)(error);
  } catch {
    // The process ends with its own error, not with one of ours.
  }
}

// notLoaded is the place of an error that comes before any code of the user's
// runs: a mistake in the syntax, a module that is not there.
function notLoaded(error, stack) {
  const head = /^((?:file:\/\/)?(?:\/|[A-Za-z]:[\\/])[^\n]*):(\d+)\n([^\n]*)\n( *)\^/.exec(stack);
  if (head) return { url: head[1], line: +head[2], column: head[4].length + 1 };
  const missing = /(?:Cannot find (?:module|package) '([^']+)'|module '([^']+)' does not provide.*) imported from (.+)$/m.exec(String(error && error.message));
  if (!missing) return undefined;
  const wanted = path.basename(missing[1]);
  const lines = fs.readFileSync(missing[3], 'utf8').split('\n');
  const line = lines.findIndex((text) => text.includes(wanted));
  return { url: url.pathToFileURL(missing[3]).href, line: Math.max(line, 0) + 1, column: 1 };
}

// callStack is the stack of the throw that is being asked about, whatever the
// program has done to the stacks of errors.
function callStack() {
  const { stackTraceLimit, prepareStackTrace } = Error;
  try {
    Error.stackTraceLimit = 200;
    Error.prepareStackTrace = undefined;
    return new Error().stack;
  } catch {
    return '';
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    Error.prepareStackTrace = prepareStackTrace;
  }
}

// callSites is the stack of the throw that is being asked about, in the words of
// the code that runs, which may be compiled from another.
function callSites() {
  const { stackTraceLimit, prepareStackTrace } = Error;
  let sites = [];
  try {
    Error.stackTraceLimit = 200;
    Error.prepareStackTrace = (_, list) => list;
    sites = new Error().stack;
  } catch {
    // Nothing is known of it then.
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    Error.prepareStackTrace = prepareStackTrace;
  }
  let frames = [];
  for (const site of Array.isArray(sites) ? sites : []) {
    const url = site.getScriptNameOrSourceURL() || '';
    if (url.endsWith('.cdp')) {
      frames = [];
      continue;
    }
    const name = site.getFunctionName() || '';
    const promise = !url && (site.isConstructor() ? name === 'Promise' : /^(?:reject|withResolvers|try)$/.test(name) && !site.isAsync());
    const frame = { async: site.isAsync(), name, url, line: site.getLineNumber(), column: site.getColumnNumber(), promise };
    frame.loop = /^node:internal\/(?:process\/task_queues|timers)$/.test(url);
    if (/^(?:file:|\/|[A-Za-z]:[\\/])/.test(url)) frame.file = fileOf(url);
    frames.push(frame);
  }
  return frames;
}

function fileOf(name) {
  return name.startsWith('file:') ? url.fileURLToPath(name.replace(/\?.*$/, '')) : name;
}

const place = /^\s+at (async )?(?:(.*?) \()?((?:file:\/\/|node:|\/|[A-Za-z]:[\\/]).*?):(\d+):(\d+)\)?$/;

// framesOf reads a stack; what the debugger itself has called is left out.
function framesOf(stack) {
  const frames = [];
  for (const line of stack.split('\n')) {
    if (!/^\s+at /.test(line)) continue;
    if (/\.cdp:\d+/.test(line)) {
      frames.length = 0;
      continue;
    }
    const m = place.exec(line);
    if (!m) {
      frames.push({ name: line.trim().slice(3) });
      continue;
    }
    const frame = { async: !!m[1], name: m[2] || '', url: m[3], line: +m[4], column: +m[5] };
    if (!m[3].startsWith('node:')) {
      frame.file = fileOf(m[3]);
    }
    frames.push(frame);
  }
  return frames;
}

// below is what the paths begin with that lie in the directory in which the program was started.
function below() {
  try {
    return process.cwd() + path.sep;
  } catch {
    return path.sep; // it is gone
  }
}

// library says that a file is a package's: what lies below the directory that the program was
// started in is told by the path from there, for that may be a package's itself.
function library(file) {
  return /[\\/]node_modules[\\/]/.test(file.replace(started, path.sep));
}

// fateOf follows an error up the stack: it is fatal, for it ends the process, when
// it gets out of a module without having met a handler.
function fateOf(frames) {
  for (let i = 0; i < frames.length; i++) {
    const frame = frames[i];
    if (!frame.file) {
      if (/^(async )?ModuleJob(Sync)?\.run(Sync)?$/.test(frame.name)) return i > 0 ? 'fatal' : 'unknown';
      if (/^new Promise|^(Promise|Function)\.(reject|all|any|race)/.test(frame.name) || /^node:assert/.test(frame.url || '')) return 'unknown';
      continue;
    }
    const code = read(frame.file);
    if (!code) continue;
    const at = code.at(frame.line, frame.column);
    if (frame.async && (at.handled || code.handlesAwaited(frame.line, frame.column))) return 'awaited and handled';
    if (at.handled) return 'handled';
    const next = frames[i + 1];
    if (!next) return at.inFunction ? 'unknown' : 'fatal'; // the module goes on after an await
    // What an async function throws goes on only where its promise is awaited.
    if (at.inAsync && !next.async && next.file) {
      const caller = read(next.file);
      if (caller && !caller.awaits(next.line, next.column)) return 'unknown';
    }
  }
  return 'unknown';
}

const sources = new Map();

function read(file) {
  if (!sources.has(file)) {
    let text = '';
    try {
      text = fs.readFileSync(file, 'utf8');
    } catch {
      // Code that is in no file catches nothing that we could see.
    }
    sources.set(file, text ? outline(text) : undefined);
  }
  return sources.get(file);
}

let scripts; // the newest script of each name, once it has been asked for

// sourceOf is the code that runs under a name; it need not be what its file says.
function sourceOf(name) {
  try {
    if (!scripts) {
      scripts = new Map();
      inspect();
      session.post('Debugger.disable');
      session.on('Debugger.scriptParsed', ({ params }) => scripts.set(params.url, params.scriptId));
      session.post('Debugger.enable');
    }
    let text;
    const scriptId = scripts.get(name) ?? scripts.get(url.pathToFileURL(name).href);
    session.post('Debugger.getScriptSource', { scriptId }, (_, answer) => (text = answer?.scriptSource));
    return text;
  } catch {
    return undefined;
  }
}

module.exports = { callSites, fileOf, library, rethrow, sourceOf, stopAtThrows };
