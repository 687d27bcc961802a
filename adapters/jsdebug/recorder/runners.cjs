// Joins the test runners that load modules in their own way.
'use strict';
const Module = require('module');
const path = require('path');
const vm = require('vm');
const { began, failed, fullName } = require('./failures.cjs');
const { mappedByRunner } = require('./stacks.cjs');

const MOCHA = `${path.sep}mocha${path.sep}lib${path.sep}runner.js`;
const TAPE = `${path.sep}tape${path.sep}lib${path.sep}test.js`;
const JEST = `${path.sep}jest-runtime${path.sep}build${path.sep}index.js`;

// join has what vitest makes of modules rewritten: it runs them as scripts, each in a
// function of its own.
function join(recorder) {
  if (!recorder.how.tests) return;
  for (const [name, at] of [['runInThisContext', 1], ['runInContext', 2]]) {
    const run = vm[name];
    vm[name] = function (code) {
      const options = arguments[at], file = options && options.filename;
      if (typeof code === 'string' && typeof file === 'string' && options.columnOffset < 0 && /__vi_|__vite_ssr/.test(code) && recorder.weaver.users(file)) {
        if (at === 2) arguments[1].__aidb ??= globalThis.__aidb;
        vitest((at === 2 ? arguments[1] : globalThis).__vitest_worker__);
        arguments[0] = recorder.rewrite(code, file, { module: false, wrapped: true });
      }
      return Reflect.apply(run, this, arguments);
    };
  }
  Module.syncBuiltinESMExports();
}

// vitest sees the tests that its worker runs, but for those that run beside others.
function vitest(worker) {
  if (!worker || Object.getOwnPropertyDescriptor(worker, 'current')?.get) return;
  let { current } = worker;
  Object.defineProperty(worker, 'current', {
    configurable: true,
    enumerable: true,
    get: () => current,
    set(task) {
      current = task;
      if (task?.type === 'test' && !task.concurrent) began(task.name);
    }
  });
}

// loaded has what jest makes of modules rewritten, which it runs in another context, and
// sees what fails the tests of jest and mocha.
function loaded(recorder, name, module) {
  if (!recorder.how.tests) return;
  if (name.endsWith(MOCHA)) mocha((module.exports.Runner || module.exports).prototype); // it is a module of its own kind from mocha 12 on
  if (name.endsWith(TAPE)) tape(module.exports.prototype);
  if (name.endsWith(JEST)) jest(recorder, module.exports.default.prototype);
}

function jest(recorder, prototype) {
  mappedByRunner(); // by source-map-support
  const own = typeof prototype.transformFile === 'function'; // until jest 30.4 or so
  if (own) into(recorder, prototype, ['transformFile', 'transformFileAsync'], (runtime) => [runtime._environment, runtime._sourceMapRegistry]);
  const seen = new WeakSet();
  for (const name of Object.getOwnPropertyNames(prototype)) {
    const made = prototype[name];
    if (typeof made !== 'function' || !/^(?:require|unstable_|setGlobals)/.test(name)) continue;
    prototype[name] = function () {
      if (!seen.has(this)) {
        seen.add(this);
        events(this._environment);
        if (!own) cached(recorder, this);
      }
      return Reflect.apply(made, this, arguments);
    };
  }
}

// cached rewrites what a runtime's own cache gives.
function cached(recorder, runtime) {
  const cache = runtime.transformCache;
  if (typeof cache?.transform !== 'function') return recorder.remark('this version of jest loads modules in a way that is not known: they are not recorded');
  into(recorder, cache, ['transform', 'transformAsync'], () => [runtime._environment, cache.sourceMaps]);
}

// into rewrites what the functions of an object make of files; about answers with the
// environment that they run in and the files of their source maps.
function into(recorder, object, names, about) {
  for (const name of names) {
    const made = object[name];
    if (typeof made !== 'function') continue;
    object[name] = function (file, options) {
      const result = Reflect.apply(made, this, arguments);
      if (options && options.isInternalModule || !recorder.weaver.users(file)) return result;
      const [{ global }, maps] = about(this);
      if (!global.__aidb) Object.defineProperty(global, '__aidb', { value: globalThis.__aidb, configurable: true });
      const rewrite = (code) => recorder.rewrite(code, file, { module: /^\s*(?:import|export)\b/m.test(code) ? undefined : false, map: maps && maps.get(file) });
      return typeof result === 'string' ? rewrite(result) : result.then(rewrite);
    };
  }
}

// events sees the tests of an environment of jest's.
function events(environment) {
  const { handleTestEvent } = environment || {};
  if (!environment) return;
  environment.handleTestEvent = function (event) {
    if (event.name === 'test_start') began(fullName(event.test, ' '));
    if ((event.name === 'test_fn_failure' || event.name === 'hook_failure') && !event.test?.failing) {
      const error = Array.isArray(event.error) ? event.error[0] : event.error;
      failed('uncaught', error, fullName(event.test || event.describeBlock, ' '));
    }
    return handleTestEvent && Reflect.apply(handleTestEvent, this, arguments);
  };
}

function mocha(prototype) {
  if (typeof prototype?.fail !== 'function') return;
  const { fail, emit } = prototype;
  prototype.emit = function (event, test) {
    if (event === 'test' && test) began(test.fullTitle());
    return Reflect.apply(emit, this, arguments);
  };
  prototype.fail = function (test, error) {
    failed('uncaught', error, test.fullTitle());
    return Reflect.apply(fail, this, arguments);
  };
}

// tape tells of an assertion that is not met, after which its test goes on.
function tape(prototype) {
  const { emit } = prototype;
  prototype.emit = function (event, result) {
    if (event === 'result' && result?.ok === false && !result.todo && !result.skip) {
      const error = new Error(String(result.name));
      error.name = 'AssertionError';
      failed('expected', error, String(this.name));
    }
    return Reflect.apply(emit, this, arguments);
  };
}

module.exports = { join, loaded };
