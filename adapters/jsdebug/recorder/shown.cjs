// Shows values as the debugger does: one line, the contents one level deep, or several
// where nothing is compared with what the debugger shows. Nothing of the program's is
// called for that: a getter is left closed, a proxy is looked behind.
'use strict';
const util = require('util');
const { types } = util;
const { own, kind, hidden } = require('./whole.cjs');

const MEMBERS = 5; // of an object, as V8's previews have
const ELEMENTS = 100;
const DEEP = 3; // levels, where it is to be deep
const has = Object.prototype.hasOwnProperty;
const source = Function.prototype.toString;
const time = Date.prototype.getTime, day = Date.prototype.toString;

// look is a value as text, and whether that leaves something out.
function look(value, limit, deep) {
  left = false;
  levels = deep ? DEEP : 0;
  const text = shown(value, limit);
  return { text, cut: left };
}

let left = false; // something was left out
let levels = 0; // that may still be opened

// leave is what stands for something that is left out.
function leave(text) {
  left = true;
  return text;
}

function shown(value, limit) {
  if (typeof value === 'string') return quoted(value.length > limit ? leave(value.slice(0, limit)) : value);
  if (typeof value !== 'object' && typeof value !== 'function' || value === null) return plain(value);
  try {
    return object(value, limit);
  } catch (e) {
    return leave(util.inspect(value, { depth: 0, customInspect: false, showProxy: true, breakLength: Infinity, compact: true }));
  }
}

function plain(value) {
  switch (typeof value) {
    case 'number': return Object.is(value, -0) ? '-0' : String(value);
    case 'bigint': return value + 'n';
    case 'symbol': return value.toString();
  }
  return String(value);
}

function quoted(text) {
  const mark = !text.includes("'") ? "'" : !text.includes('"') ? '"' : '`';
  return mark + text + mark;
}

// object is the whole of an object.
function object(value, limit) {
  if (types.isProxy(value)) {
    left = true;
    const behind = util.inspect(value, { showProxy: false, depth: 0, customInspect: false, getters: false, breakLength: Infinity, compact: true });
    return `Proxy(${typeof value === 'function' ? 'Function' : 'Object'}) ${behind.replace(/^\{ /, '{').replace(/ \}$/, '}')}`;
  }
  if (typeof value === 'function') return leave(head(source.call(value)));
  if (Array.isArray(value)) return `(${value.length}) ${elements(value, value.length, limit)}`;
  if (ArrayBuffer.isView(value) && !types.isDataView(value)) return `${kind(value)}(${value.length}) ${elements(value, value.length, limit)}`;
  if (types.isMap(value)) return `${kind(value)}(${mapSize.call(value)}) ${entries(value, limit)}`;
  if (types.isSet(value)) return `${kind(value)}(${setSize.call(value)}) ${members(value, limit)}`;
  if (types.isDate(value)) return Number.isNaN(time.call(value)) ? 'Invalid Date' : time.call(value) % 1000 ? leave(day.call(value)) : day.call(value);
  if (types.isRegExp(value)) return RegExp.prototype.toString.call(value);
  if (types.isNativeError(value)) return Reflect.ownKeys(value).some((key) => key !== 'stack' && key !== 'message') ? leave(error(value)) : error(value);
  if (levels && ofError(value)) return leave(error(value));
  if (types.isPromise(value)) return leave(promise(value));
  if (types.isBoxedPrimitive(value)) return `(${shown(value.valueOf(), limit)})`;
  if (types.isWeakMap(value) || types.isWeakSet(value) || types.isGeneratorObject(value)) return leave(kind(value));
  return hidden(value) ? leave(properties(value, limit)) : properties(value, limit);
}

// ofError says that an object is what a worker's error has come to in another thread: of a
// class of errors, without being a native one.
function ofError(value) {
  const stack = Object.getOwnPropertyDescriptor(value, 'stack'), message = Object.getOwnPropertyDescriptor(value, 'message');
  if (typeof stack?.value !== 'string' || typeof message?.value !== 'string' || stack.enumerable || message.enumerable) return false;
  for (let p = Object.getPrototypeOf(value); p && !types.isProxy(p); p = Object.getPrototypeOf(p)) if (p === Error.prototype) return true;
  return false;
}

const mapSize = Object.getOwnPropertyDescriptor(Map.prototype, 'size').get;
const setSize = Object.getOwnPropertyDescriptor(Set.prototype, 'size').get;

// within is a value inside another one.
function within(value) {
  if (typeof value === 'string') return quoted(value.length > 100 ? leave(value.slice(0, 49) + '…' + value.slice(-50)) : value);
  if (typeof value === 'function') return leave('ƒ');
  if (typeof value !== 'object' || value === null) return plain(value);
  if (types.isProxy(value)) return leave('Proxy(Object)');
  if (types.isDate(value) || types.isRegExp(value)) return object(value, 100);
  if (types.isNativeError(value)) return error(value);
  if (levels > 0 && (Array.isArray(value) || kind(value) === 'Object' && Object.getPrototypeOf(Object(value)) !== null)) return opened(value);
  if (Array.isArray(value)) return value.length ? leave(`Array(${value.length})`) : 'Array(0)';
  if (types.isMap(value)) return mapSize.call(value) ? leave(`${kind(value)}(${mapSize.call(value)})`) : `${kind(value)}(0)`;
  if (types.isSet(value)) return setSize.call(value) ? leave(`${kind(value)}(${setSize.call(value)})`) : `${kind(value)}(0)`;
  if (ArrayBuffer.isView(value) && !types.isDataView(value)) return leave(`${kind(value)}(${value.length})`);
  const name = kind(value), held = Object.keys(value).length;
  return name === 'Object' ? held ? leave('{…}') : '{}' : leave(name);
}

// opened is a list or a plain object inside another, with what it holds.
function opened(value) {
  levels--;
  try {
    return Array.isArray(value) ? elements(value, value.length, 200, 20) : properties(value, 200);
  } finally {
    levels++;
  }
}

function elements(list, length, limit, most = ELEMENTS) {
  const parts = [];
  let room = limit, gap = false;
  for (let i = 0; i < length && i < most && room > 0; i++) {
    if (!has.call(list, i)) {
      if (!gap) parts.push(leave('…'));
      gap = true;
      continue;
    }
    gap = false;
    const d = ArrayBuffer.isView(list) ? { value: list[i] } : Object.getOwnPropertyDescriptor(list, i);
    const text = 'value' in d ? within(d.value) : '<accessor>';
    room -= text.length + 2;
    parts.push(text);
  }
  if (length > most) parts.push('…');
  if (length > most || room <= 0) left = true;
  return `[${parts.join(', ')}]`;
}

// listed is what is in braces: as many of some things as are shown.
function listed(things, limit, text) {
  const parts = [];
  let room = limit;
  for (const thing of things) {
    if (parts.length === MEMBERS || room <= 0) {
      parts.push(leave('…'));
      break;
    }
    const one = text(thing);
    room -= one.length + 2;
    parts.push(one);
  }
  return `{${parts.join(', ')}}`;
}

function properties(value, limit) {
  return listed(enumerable(value), limit, ([key, d]) => `${String(key)}: ${'value' in d ? within(d.value) : '<accessor>'}`);
}

function* enumerable(value) {
  for (const key of Reflect.ownKeys(value)) {
    const d = Object.getOwnPropertyDescriptor(value, key);
    if (d && d.enumerable) yield [key, d];
  }
}

// inner is a key or a value of a collection: V8 shows its texts without quotes.
function inner(value) {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null && !types.isProxy(value) && kind(value) === 'Object' ? properties(value, 100) : within(value);
}

function entries(map, limit) {
  return listed(Map.prototype.entries.call(map), limit, ([k, v]) => `${inner(k)} => ${inner(v)}`);
}

function members(set, limit) {
  return listed(Set.prototype.values.call(set), limit, inner);
}

function error(e) {
  const name = own(e, 'name'), message = own(e, 'message');
  return message ? `${kind(e) === 'Object' ? name : typeof name === 'string' && name || kind(e)}: ${message}` : String(name);
}

function promise(p) {
  const text = util.inspect(p, { depth: 0, customInspect: false, breakLength: Infinity, compact: true });
  const m = /^\w+ \{ (<pending>|<rejected> )?(.*?) ?\}$/s.exec(text);
  if (!m) return kind(p);
  return m[1] === '<pending>' ? '{pending}' : m[1] ? `{rejected: ${m[2].replace(/\\n +at [^]*$|\n +at [^]*$/, '')}}` : `{fulfilled: ${m[2]}}`;
}

// head is what stands before a function's body.
function head(text) {
  let m = /^class\s*([\w$]*)(?:\s+extends\s+([\w$.]+))?\s*\{/.exec(text);
  if (m) return `class ${m[1]}`.trim() + (m[2] ? ` extends ${m[2]}` : '');
  m = /^(async )?(\([^)]*\)|[\w$]+)\s*=>/.exec(text);
  if (m) return `ƒ ${m[1] || ''}${m[2].replace(/\s+/g, ' ')} =>`;
  m = /^(async )?(?:function\s*)?(\*?\s*)([\w$.#]*)\s*\(([^]*?)\)\s*\{/.exec(text);
  if (m) return `ƒ ${m[1] || ''}${m[2].trim()}${m[3]}(${m[4].replace(/\s+/g, ' ')})`;
  const [first, ...more] = text.split('\n');
  return first + (more.length ? ' …' : '');
}

module.exports = { look, shown, error };
