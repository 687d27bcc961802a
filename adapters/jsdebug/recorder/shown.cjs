// Shows values as the debugger does: one line, the contents one level deep. Nothing of
// the program's is called for that: a getter is left closed, a proxy is looked behind.
'use strict';
const util = require('util');
const { types } = util;

const MEMBERS = 5; // of an object, as V8's previews have
const ELEMENTS = 100;
const has = Object.prototype.hasOwnProperty;
const source = Function.prototype.toString;
const time = Date.prototype.getTime, day = Date.prototype.toString;

function shown(value, limit) {
  if (typeof value === 'string') return quoted(value.length > limit ? value.slice(0, limit) : value);
  if (typeof value !== 'object' && typeof value !== 'function' || value === null) return plain(value);
  try {
    return object(value, limit);
  } catch (e) {
    return util.inspect(value, { depth: 0, customInspect: false, showProxy: true, breakLength: Infinity, compact: true });
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
    const behind = util.inspect(value, { showProxy: false, depth: 0, customInspect: false, getters: false, breakLength: Infinity, compact: true });
    return `Proxy(${typeof value === 'function' ? 'Function' : 'Object'}) ${behind.replace(/^\{ /, '{').replace(/ \}$/, '}')}`;
  }
  if (typeof value === 'function') return head(source.call(value));
  if (Array.isArray(value)) return `(${value.length}) ${elements(value, value.length, limit)}`;
  if (ArrayBuffer.isView(value) && !types.isDataView(value)) return `${kind(value)}(${value.length}) ${elements(value, value.length, limit)}`;
  if (types.isMap(value)) return `${kind(value)}(${mapSize.call(value)}) ${entries(value, limit)}`;
  if (types.isSet(value)) return `${kind(value)}(${setSize.call(value)}) ${members(value, limit)}`;
  if (types.isDate(value)) return Number.isNaN(time.call(value)) ? 'Invalid Date' : day.call(value);
  if (types.isRegExp(value)) return RegExp.prototype.toString.call(value);
  if (types.isNativeError(value)) return error(value);
  if (types.isPromise(value)) return promise(value);
  if (types.isBoxedPrimitive(value)) return `(${shown(value.valueOf(), limit)})`;
  if (types.isWeakMap(value) || types.isWeakSet(value) || types.isGeneratorObject(value)) return kind(value);
  return properties(value, limit);
}

const mapSize = Object.getOwnPropertyDescriptor(Map.prototype, 'size').get;
const setSize = Object.getOwnPropertyDescriptor(Set.prototype, 'size').get;

// own is what an object holds under a name; undefined where only a call would tell.
function own(object, name) {
  for (let o = object; o && !types.isProxy(o); o = Object.getPrototypeOf(o)) {
    const d = Object.getOwnPropertyDescriptor(o, name);
    if (d) return d.value;
  }
  return undefined;
}

// kind is the name of an object's class.
function kind(value) {
  const made = own(value, 'constructor');
  const name = typeof made === 'function' && !types.isProxy(made) ? own(made, 'name') : '';
  return typeof name === 'string' && name || 'Object';
}

// within is a value inside another one.
function within(value) {
  if (typeof value === 'string') return quoted(value.length > 100 ? value.slice(0, 49) + '…' + value.slice(-50) : value);
  if (typeof value === 'function') return 'ƒ';
  if (typeof value !== 'object' || value === null) return plain(value);
  if (types.isProxy(value)) return 'Proxy(Object)';
  if (Array.isArray(value)) return `Array(${value.length})`;
  if (types.isMap(value)) return `${kind(value)}(${mapSize.call(value)})`;
  if (types.isSet(value)) return `${kind(value)}(${setSize.call(value)})`;
  if (types.isDate(value) || types.isRegExp(value)) return object(value, 100);
  if (types.isNativeError(value)) return error(value);
  if (ArrayBuffer.isView(value) && !types.isDataView(value)) return `${kind(value)}(${value.length})`;
  const name = kind(value);
  return name === 'Object' ? Object.keys(value).length ? '{…}' : '{}' : name;
}

function elements(list, length, limit) {
  const parts = [];
  let room = limit, gap = false;
  for (let i = 0; i < length && i < ELEMENTS && room > 0; i++) {
    if (!has.call(list, i)) {
      if (!gap) parts.push('…');
      gap = true;
      continue;
    }
    gap = false;
    const d = ArrayBuffer.isView(list) ? { value: list[i] } : Object.getOwnPropertyDescriptor(list, i);
    const text = 'value' in d ? within(d.value) : '<accessor>';
    room -= text.length + 2;
    parts.push(text);
  }
  if (length > ELEMENTS) parts.push('…');
  return `[${parts.join(', ')}]`;
}

// listed is what is in braces: as many of some things as are shown.
function listed(things, limit, text) {
  const parts = [];
  let room = limit;
  for (const thing of things) {
    if (parts.length === MEMBERS || room <= 0) {
      parts.push('…');
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
  return m[1] === '<pending>' ? '{pending}' : m[1] ? `{rejected: ${m[2]}}` : `{fulfilled: ${m[2]}}`;
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

module.exports = { shown, error };
