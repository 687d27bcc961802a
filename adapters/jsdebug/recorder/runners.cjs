// Joins the test runners that load modules in their own way.
'use strict';
const Module = require('module');
const path = require('path');
const vm = require('vm');

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
        arguments[0] = recorder.rewrite(code, file, { module: false, wrapped: true });
      }
      return Reflect.apply(run, this, arguments);
    };
  }
  Module.syncBuiltinESMExports();
}

// loaded has what jest makes of modules rewritten, which it runs in another context.
function loaded(recorder, name, module) {
  if (!recorder.how.tests || !name.endsWith(JEST)) return;
  const { prototype } = module.exports.default;
  for (const transform of ['transformFile', 'transformFileAsync']) {
    const made = prototype[transform];
    if (typeof made !== 'function') continue;
    prototype[transform] = function (file, options) {
      const result = Reflect.apply(made, this, arguments);
      if (options && options.isInternalModule || !recorder.weaver.users(file)) return result;
      const { global } = this._environment;
      if (!global.__aidb) Object.defineProperty(global, '__aidb', { value: globalThis.__aidb, configurable: true });
      const rewrite = (code) => recorder.rewrite(code, file, { module: transform === 'transformFileAsync' && /^\s*(?:import|export)\b/m.test(code), map: this._sourceMapRegistry && this._sourceMapRegistry.get(file) });
      return typeof result === 'string' ? rewrite(result) : result.then(rewrite);
    };
  }
}

module.exports = { join, loaded };
