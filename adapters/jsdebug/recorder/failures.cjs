// Notes what ends the run or a test of it: an error that nobody caught, a test that
// failed, a call that exits.
'use strict';
const { AsyncResource } = require('async_hooks');
const { isMainThread } = require('worker_threads');
const { thrown, callers } = require('./frames.cjs');
const { frames } = require('./stacks.cjs');

const MOST = 20; // frames of a stack

let recorder;
const known = new WeakMap(); // of errors: the tests whose failures they are

function watch(r) {
  recorder = r;
  process.on('uncaughtExceptionMonitor', (error) => failed('uncaught', error));
  const { exit } = process;
  process.exit = function (code) {
    const stack = callers(process.exit);
    if (stack.length) note({ m: 'exited', v: [{ v: String(Number(code ?? process.exitCode ?? 0)) }] }, stack);
    return Reflect.apply(exit, this, arguments);
  };
  if (isMainThread) r.exits = asks();
  nodeTests();
}

// asks answers with what notes that the program asks to end with another code than before,
// which it may do long before it ends.
function asks() {
  let before = 0;
  return (stack) => {
    const code = Number(process.exitCode ?? 0);
    if (code === before) return;
    before = code;
    if (stack.length) note({ m: 'exited', v: [{ v: String(code) }] }, stack);
  };
}

// failed notes a failure by an error, once for each test.
function failed(kind, error, test = '') {
  try {
    if (typeof error === 'object' && error !== null) {
      const tests = known.get(error) || new Set();
      if (tests.has(test) || !test && tests.size) return;
      known.set(error, tests.add(test));
    }
    note({ m: kind, v: [thrown(error)], q: test || undefined }, frames(recorder, error));
  } catch (e) {
    recorder.failed(e);
  }
}

// began says that a test begins, with what is made ready for it.
function began(test) {
  if (recorder.thin) recorder.notes.write({ k: 'test', at: '', q: test });
}

function note(event, stack) {
  recorder.thin?.countAll();
  recorder.counts?.write();
  const [first = '', ...more] = stack, at = first.lastIndexOf(' ');
  recorder.notes.write({ k: 'failed', at: first.slice(at + 1), f: first.slice(0, Math.max(at, 0)) || undefined, s: more.slice(0, MOST), ...event });
}

// nodeTests sees what fails the tests of node's own runner.
function nodeTests() {
  const { runInAsyncScope } = AsyncResource.prototype;
  const watched = new WeakSet();
  AsyncResource.prototype.runInAsyncScope = function () {
    const Test = this.constructor?.name === 'Test' && Object.getPrototypeOf(this);
    if (Test && typeof Test.fail === 'function' && !watched.has(Test)) {
      watched.add(Test);
      const { fail, run } = Test;
      if (typeof run === 'function') {
        Test.run = function () {
          began(fullName(this));
          return Reflect.apply(run, this, arguments);
        };
      }
      Test.fail = function (error) {
        if (error?.failureType !== 'subtestsFailed' && !this.isTodo && !this.expectFailure) {
          failed('uncaught', error?.cause && typeof error.cause === 'object' ? error.cause : error, fullName(this));
        }
        return Reflect.apply(fail, this, arguments);
      };
    }
    return Reflect.apply(runInAsyncScope, this, arguments);
  };
}

// fullName is a test's name with those of what is around it, but for the outermost.
function fullName(test, between = ' > ') {
  const names = [];
  for (let t = test; t && t.parent; t = t.parent) names.unshift(String(t.name));
  return names.join(between);
}

module.exports = { watch, began, failed, fullName };
