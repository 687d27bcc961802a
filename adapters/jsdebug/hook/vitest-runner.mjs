// vitest's test runner, by the setting "runner": its own, with each test and
// each hook called as tests.cjs does it.
import { createRequire } from 'node:module';

const { counts, failed, guarded, lineNaming, record, told } = createRequire(import.meta.url)(process.env.AIDB_TESTS);
const home = new URL('dist/', process.env.AIDB_VITEST);
const vitest = await import(new URL('index.js', home).href);
const Runner = vitest.TestRunner ?? (await import(new URL('runners.js', home).href)).VitestTestRunner;
const getCurrentSuite = vitest.TestRunner?.getCurrentSuite ?? (await import(new URL('suite.js', home).href)).getCurrentSuite;

export default class extends Runner {
  onCollected(files) {
    counts();
    const walk = (task) => (task.tasks ? task.tasks.forEach(walk) : record(nameOf(task), 'known'));
    files.forEach(walk);
    return super.onCollected?.(files);
  }
  async importFile(file, source) {
    if (source === 'collect') collect(getCurrentSuite(), file);
    try {
      return await super.importFile(file, source);
    } catch (error) {
      failed(error, () => ({ file, line: 1 }));
      throw error;
    }
  }
  async onAfterRunTask(test) {
    const state = test.result?.state;
    if (state === 'pass' || state === 'fail') record(nameOf(test), state);
    if (state === 'fail' && !test.fails && told.size === before) failed(test.result.errors?.[0], () => lineNaming(test.file.filepath, test.name));
    return super.onAfterRunTask?.(test);
  }
  async onBeforeRunTask(test) {
    before = told.size;
    return super.onBeforeRunTask?.(test);
  }
}

let before = 0; // errors that the debugger had been told of when the test began

function nameOf(task) {
  const names = [];
  for (let t = task; t && t.type !== undefined && t !== task.file; t = t.suite) names.unshift(t.name);
  return names.filter(Boolean).join(' > ');
}

// collect wraps the tests and hooks that a suite is given, and those of the
// suites within.
function collect(suite, file) {
  if (!suite || suites.has(suite)) return;
  suites.add(suite);
  const { test } = suite;
  const { fn } = test;
  suite.test = function (...args) {
    return Reflect.apply(test, this, args);
  };
  Object.setPrototypeOf(suite.test, test);
  const value = function (name, ...rest) {
    const fails = this?.fails || rest.some((x) => x && typeof x === 'object' && x.fails);
    return fn.call(this, name, ...(fails ? rest : rest.map((x) => (typeof x === 'function' ? guarded(x, false, () => lineNaming(file, String(name))) : x))));
  };
  Object.defineProperty(suite.test, 'fn', { value });
  const { on } = suite;
  suite.on = (name, ...fns) => on.call(suite, name, ...fns.map((x) => (/^(?:before|after)(?:Each|All)$/.test(name) ? Object.assign(guarded(x, false), x) : x)));
  const { push } = suite.tasks;
  suite.tasks.push = function (...tasks) {
    for (const task of tasks) if (task?.type === 'collector') collect(task, file);
    return push.apply(this, tasks);
  };
}

const suites = new WeakSet();
