'use strict';
// Loaded, after the hook, into every process of a program that runs tests. It
// makes the debugger stop where a test fails, in the test's own frames.
//
// Every runner catches what a test throws, so that V8 takes it for handled. But
// what V8 calls handled is a guess, made at the throw, and attempt calls a test
// in a way in which the guess is "nobody": V8 then stops, at full speed, where
// something is thrown that gets out of the test, and nowhere else. What fails a
// test without such a throw is shown where its stack begins, when it has failed.
const fs = require('fs');
const Module = require('module');
const path = require('path');
const { AsyncResource } = require('async_hooks');
const { types } = require('util');
const vm = require('vm');
const hook = globalThis.__aidb;
const { callSites, fileOf, library, rethrow, sourceOf, stopAtThrows } = require('./aidb-hook.cjs');
const { outline } = require('./aidb-outline.cjs');
const { isUnmet, unmet } = require('./aidb-tape.cjs');

const report = path.join(__dirname, 'aidb-tests.jsonl');

let failing; // the error of a test that has failed, while the debugger is told of it
let everyThrow = false; // the user wants to stop at all of them

hook.stop = (error, all) => {
  everyThrow = !!all;
  if (error === undefined || control(error)) return false; // the debugger did not get hold of it
  if (failing ? failing.error !== error : !all && !failsTest(callSites())) return false;
  hook.told.add(error);
  hook.thrown = error;
  return true;
};

// control knows what runners throw to skip the rest of a test.
function control(error) {
  return !!error && typeof error === 'object' && (error.constructor?.name === 'Pending' || error.code === 'VITEST_PENDING');
}

// guards makes the functions that stand between a runner and a test. It is
// compiled under a name of node's own, which runners leave out of the stacks
// that they print.
function guards(failed, isPromise, isGeneratorFunction, oldV8) {
  const made = new WeakSet();
  return guarded;

  // attempt calls a test or a hook of a runner. V8 counts what gets out of it as
  // caught by nobody: it does not see through Promise.race, where it is old, nor
  // that what finally calls observes the promise; and it looks at the callers on
  // the stack, of which there are none behind a microtask.
  function attempt(fn, where) {
    return new Promise((resolve, reject) => {
      Promise.resolve().then(() => {
        let result;
        const called = new Promise((done) => {
          result = fn();
          done();
        });
        const own = isPromise(result);
        observe(own ? result : called, own ? resolve : () => resolve(result), (error) => {
          failed(error, where);
          reject(error);
        });
      });
    });
  }

  function observe(promise, resolve, reject) {
    const Promises = typeof promise.constructor?.race === 'function' ? promise.constructor : Promise;
    const seen = oldV8 ? Promises.race([promise]) : promise;
    const settled = seen.finally(() => {
      settled.catch(() => {});
      seen.then(resolve, reject);
    });
  }

  // guarded is a function of a test that is called by attempt. One that takes a
  // callback is called at once, for what it returns matters to its runner.
  function guarded(fn, takesCallback, where) {
    if (made.has(fn) || isGeneratorFunction(fn)) return fn;
    const guard = takesCallback
      ? function (...args) {
          let result;
          new Promise((done) => {
            result = Reflect.apply(fn, this, args);
            done();
          }).catch((error) => {
            failed(error, where);
            args[args.length - 1](error);
          });
          return result;
        }
      : function (...args) {
          return attempt(() => Reflect.apply(fn, this, args), where);
        };
    made.add(guard);
    Object.defineProperty(guard, 'length', { value: fn.length });
    Object.defineProperty(guard, 'name', { value: fn.name });
    guard.toString = () => Function.prototype.toString.call(fn);
    return guard;
  }
}

const guardName = 'node:internal/aidb/tests';
const guarded = new vm.Script(`(${guards})`, { filename: guardName })
  .runInThisContext()(failed, types.isPromise, types.isGeneratorFunction, parseInt(process.versions.v8) < 12);

// failed stops at an error that fails a test and that no stop has shown, at the
// place where its stack begins.
function failed(error, where) {
  if (failing || error === undefined || error === null || hook.told.has(error) || control(error)) return;
  failing = { error };
  hook.thrown = error;
  stopAtThrows('all');
  rethrow(error, where?.());
  stopAtThrows(everyThrow ? 'all' : 'uncaught');
  hook.told.add(error);
  failing = undefined;
}

// failsTest follows an error from where it is thrown to the test. V8 has seen
// no handler; but a promise that fails before it is handed out has none yet, so
// that it must be awaited at once for being sure.
function failsTest(frames) {
  let handedOut = false; // the error is in a promise that the next frame gets
  if (!frames.some((f) => f.file && !library(f.file))) return false;
  for (let i = 0; i < frames.length; i++) {
    const frame = frames[i];
    if (frame.url === guardName) return true;
    if (!frame.file) {
      if (frame.promise) handedOut = true;
      else if (handedOut && !frame.loop) return false;
      continue;
    }
    const text = sourceOf(frame.url);
    if (!text) continue;
    const code = outlineOf(frame.url, text);
    const at = code.at(frame.line, frame.column);
    const passed = handedOut && passedOn(text, code.offset(frame.line, frame.column));
    if (handedOut && !passed) return false;
    if (at.handled && (!handedOut || passed === 'await')) return false;
    if (frame.async && code.handlesAwaited(frame.line, frame.column)) return false;
    const next = frames[i + 1];
    if (at.inAsync) handedOut = !!next && !next.async && !next.loop; // else it had been awaited before
  }
  return true;
}

// passedOn says whether the promise that a call at a place gives is awaited or
// returned as it is.
function passedOn(text, offset) {
  const before = text.slice(Math.max(0, offset - 300), offset);
  const m = /^[^]*(\bawait\b|\breturn\b|=>)\s*(?:new\s+)?(?:\(0,\s*)?([\w$.?![\]'"#]*)$/.exec(before);
  if (!m || handlesCall(text, offset)) return undefined;
  return m[1] === 'await' ? 'await' : 'return';
}

// handlesCall says whether the promise of a call is given a handler.
function handlesCall(text, offset) {
  let at = text.indexOf('(', offset);
  if (at < 0) return false;
  for (let depth = 0; at < text.length; at++) {
    if (text[at] === '(') depth++;
    else if (text[at] === ')' && --depth === 0) break;
  }
  return /^\)\s*\.\s*(?:catch|then|finally)\b/.test(text.slice(at, at + 200));
}

const outlines = new Map();

function outlineOf(url, text) {
  if (outlines.get(url)?.text !== text) outlines.set(url, { text, code: outline(text) });
  return outlines.get(url).code;
}

// record keeps what became of a test, for the one who asks at the end.
function record(name, state) {
  try {
    fs.appendFileSync(report, JSON.stringify({ name, state }) + '\n');
  } catch {
    // Nothing is said about the tests then.
  }
}

// counts tells that the tests of this process are recorded.
let counted = false;
function counts() {
  if (!counted) record('', 'counted');
  counted = true;
}

// lineNaming is the line of a file that names a test.
function lineNaming(file, title) {
  try {
    const lines = fs.readFileSync(file, 'utf8').split('\n');
    const line = lines.findIndex((text) => text.includes(title));
    return { file, line: Math.max(line, 0) + 1 };
  } catch {
    return undefined;
  }
}

// What is evaluated in a context of its own, as jest does with tests, finds the
// hook there.
const facade = Object.freeze({
  stop: (error, all) => hook.stop(error, all),
  caught: (error) => hook.caught(error),
  describe: () => hook.describe(),
});
const { createContext } = vm;
vm.createContext = function (...args) {
  const context = createContext.apply(this, args);
  try {
    Object.defineProperty(context, '__aidb', { value: facade, configurable: true, writable: true });
  } catch {
    // A context that takes no property has no stops with a reason.
  }
  return context;
};

// The runners' modules, as they are loaded.
const runners = [
  [/[\\/]jest-circus[\\/](?:build[\\/])?runner\.js$/, withJest],
  [/[\\/]mocha[\\/]lib[\\/]runnable\.js$/, withRunnable],
  [/[\\/]mocha[\\/]lib[\\/]runner\.js$/, withMocha],
  [/[\\/]tape[\\/]lib[\\/]test\.js$/, withTape],
];
const known = new Map();
const { _load } = Module;
Module._load = function (request, parent, isMain) {
  const exports = _load.apply(this, arguments);
  if (!/(?:runn(?:er|able)|lib\/test)(?:\.js)?$/.test(request)) return exports;
  if (known.has(exports)) return known.get(exports);
  try {
    const file = Module._resolveFilename(request, parent, isMain);
    for (const [name, patch] of runners) if (name.test(file)) known.set(exports, patch(exports, file));
  } catch {
    // It is loaded as it is.
  }
  return known.get(exports) ?? exports;
};

// withJest sees the events of a test environment, and what a file of tests gave.
function withJest(exports) {
  counts();
  const original = typeof exports === 'function' ? exports : exports.default;
  const run = async (globalConfig, config, environment, runtime, file, ...rest) => {
    watchCircus(environment);
    try {
      const result = await original(globalConfig, config, environment, runtime, file, ...rest);
      for (const test of result.testResults || []) record(test.fullName, test.status);
      return result;
    } catch (error) {
      failed(error, () => ({ file, line: 1 }));
      record(file, 'failed');
      throw error;
    }
  };
  return typeof exports === 'function' ? run : { ...exports, __esModule: true, default: run };
}

function watchCircus(environment) {
  const { handleTestEvent } = environment;
  environment.handleTestEvent = function (event, state) {
    const { test } = event;
    const subject = event.name === 'test_start' ? test : event.name === 'hook_start' ? event.hook : undefined;
    if (subject?.fn && !test?.failing) subject.fn = guarded(subject.fn, subject.fn.length > 0);
    if (event.name === 'test_done' && !test.failing) {
      const [first] = test.errors;
      const shown = test.errors.some((e) => hook.told.has(Array.isArray(e) ? e[0] : e) || shownAs(e));
      if (first && !shown) failed(Array.isArray(first) ? first[0] || first[1] : first, () => placeIn(test.asyncError));
    }
    return handleTestEvent?.call(this, event, state);
  };
}

// shownAs knows an error of node:assert, which jest tells in words of its own.
function shownAs(e) {
  const error = Array.isArray(e) ? e[0] : e;
  return [...hook.told].some((told) => told?.code === 'ERR_ASSERTION' && (typeof error === 'string' || error?.stack === told.stack || String(error?.stack ?? error).includes(told.message)));
}

function placeIn(error) {
  const m = /\(?((?:\/|[A-Za-z]:[\\/])[^()\n]*?):(\d+):\d+\)?$/m.exec(String(error?.stack ?? '').split('\n').filter((l) => !library(l)).join('\n'));
  return m ? { file: m[1], line: +m[2] } : undefined;
}

// classOf is a class that a module is, or from mocha 12 on exports.
function classOf(exports, name) {
  return typeof exports === 'function' ? exports : exports[name];
}

function withRunnable(exports) {
  const Runnable = classOf(exports, 'Runnable'), { run } = Runnable.prototype;
  Runnable.prototype.run = function (done) {
    if (typeof this.fn === 'function') this.fn = guarded(this.fn, !!this.async, () => lineNaming(this.file, this.title));
    return run.call(this, done);
  };
  return exports;
}

// withMocha sees which tests ran; one that ends by its limit of time fails here.
function withMocha(exports) {
  const Runner = classOf(exports, 'Runner'), { fail, run } = Runner.prototype;
  Runner.prototype.run = function (...args) {
    counts();
    this.suite.eachTest((test) => record(test.fullTitle(), 'known'));
    this.on('pass', (test) => record(test.fullTitle(), 'passed'));
    this.on('fail', (test) => record(test.fullTitle(), 'failed'));
    return run.apply(this, args);
  };
  Runner.prototype.fail = function (test, error, ...rest) {
    failed(error, () => lineNaming(test.file, test.title));
    return fail.call(this, test, error, ...rest);
  };
  return exports;
}

// withTape stops at an assertion that is not met, which throws nothing: where it is called, when
// it is reported. Its sides are what it was given.
function withTape(Test, file) {
  counts();
  const { _end, emit } = Test.prototype;
  const thrower = new vm.Script('(error) => { try { throw error } catch {} }', { filename: `${file}?aidb` }).runInThisContext();
  Test.prototype.emit = function (event, result) {
    if (event === 'result' && isUnmet(result) && !failing && callSites().some((f) => f.file && !library(f.file) && path.dirname(f.file) !== __dirname)) {
      failing = { error: unmet(result, Test.prototype.emit) };
      stopAtThrows('all');
      thrower(failing.error);
      stopAtThrows(everyThrow ? 'all' : 'uncaught');
      failing = undefined;
    }
    return Reflect.apply(emit, this, arguments);
  };
  Test.prototype._end = function () {
    record(String(this.name), this._skip ? 'skipped' : 'ran');
    return Reflect.apply(_end, this, arguments);
  };
  return Test;
}

// node's own runner calls a test in the test's asynchronous scope.
const { runInAsyncScope } = AsyncResource.prototype;
AsyncResource.prototype.runInAsyncScope = function (fn, that, ...args) {
  const kind = this.constructor?.name;
  if ((kind !== 'Test' && kind !== 'TestHook') || typeof fn !== 'function' || this.isTodo || this.expectFailure) {
    return runInAsyncScope.call(this, fn, that, ...args);
  }
  if (kind === 'Test') {
    counts();
    record(String(this.name), this.skipped ? 'skipped' : 'ran');
    watchFailures(Object.getPrototypeOf(this));
  }
  const callback = typeof args[args.length - 1] === 'function' && args.length > 1;
  return runInAsyncScope.call(this, guarded(fn, callback), that, ...args);
};

// Where none of its tests is chosen none is called. A file that cannot be loaded
// calls none either, and says why itself.
process.on('exit', (code) => {
  if (code === 0 && [...(process.moduleLoadList ?? [])].includes('NativeModule internal/test_runner/test')) counts();
});

// watchFailures sees what fails a test of node's own runner without having been
// thrown in it, such as its limit of time.
function watchFailures(Test) {
  const { fail } = Test;
  if (typeof fail !== 'function' || watched.has(Test)) return;
  watched.add(Test);
  Test.fail = function (error, ...rest) {
    const own = error?.failureType !== 'subtestsFailed' && !this.isTodo && !this.expectFailure;
    const cause = error?.cause && typeof error.cause === 'object' ? error.cause : error;
    if (own) failed(cause, () => this.loc && { file: fileOf(this.loc.file), line: this.loc.line });
    return fail.call(this, error, ...rest);
  };
}

const watched = new WeakSet();

module.exports = { counts, failed, guarded, lineNaming, record, told: hook.told };
