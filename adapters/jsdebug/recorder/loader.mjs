// Rewrites ES modules in the thread of node's loader. What is to be told of a module is
// told by itself, in the program's thread, when it begins.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { Weaver } = require('./weaver.cjs');
const { users } = require('./loads.cjs');
const { moved } = require('./moved.cjs');
const { OPEN, CLOSE } = require('./rewrite.cjs');

let weaver, tests;

export function initialize({ wish, tests: files = [] }) {
  weaver = new Weaver(wish);
  tests = new Set(files);
}

export async function load(url, context, next) {
  const loaded = await next(url, context);
  const own = users(weaver, url, loaded);
  if (!own) return loaded;
  const woven = weaver.rewrite(own.name, own.source, { module: own.format === 'module' }), { code } = woven;
  const told = woven.told || tests.has(weaver.real(own.name)) && { name: own.name }; // that it is loaded says which process records
  if (!told) return loaded;
  const line = code.startsWith('#!') ? 2 : 1, at = line === 2 ? code.indexOf('\n') + 1 : 0;
  if (told.lines) told.lines = told.lines();
  const put = (length) => `${OPEN}__aidb.loaded(${JSON.stringify(told)},${line},${String(length).padStart(9)});${CLOSE}`;
  const text = put(put(0).length);
  return { ...loaded, format: own.format, source: moved(code, [{ at, length: text.length }], code.slice(0, at) + text + code.slice(at)) };
}
