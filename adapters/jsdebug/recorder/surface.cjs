// What an object holds itself, without what that holds: it tells that something was put into one
// whose elements nobody can look at. No code of the program's is run.
'use strict';
const { types } = require('util');

const MOST = 4096; // elements, of which all are compared

// surface is a text that differs where an object holds others than before; identity names objects.
function surface(value, identity) {
  if (typeof value !== 'object' || value === null || types.isProxy(value)) return '';
  const one = (v) => identity(v) || `${typeof v} ${String(v)}`;
  if (types.isMap(value)) return [...Map.prototype.entries.call(value)].slice(0, MOST).map(([k, v]) => `${one(k)}=>${one(v)}`).join();
  if (types.isSet(value)) return [...Set.prototype.values.call(value)].slice(0, MOST).map(one).join();
  if (ArrayBuffer.isView(value)) return '';
  return Reflect.ownKeys(value).slice(0, MOST).map((key) => {
    const d = Object.getOwnPropertyDescriptor(value, key);
    return `${String(key)}:${d && 'value' in d ? one(d.value) : 'accessor'}`;
  }).join();
}

module.exports = { surface };
