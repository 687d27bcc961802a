// What an object holds itself, without what that holds: it tells that something was put into one
// whose elements nobody can look at. No code of the program's is run.
'use strict';
const { types } = require('util');

const MOST = 4096; // elements that are compared; of more, how many there are besides
const sizeOf = (type) => Object.getOwnPropertyDescriptor(type.prototype, 'size').get;
const mapSize = sizeOf(Map), setSize = sizeOf(Set);

// surface is a text that differs where an object holds others than before; identity names objects.
function surface(value, identity) {
  if (typeof value !== 'object' || value === null || types.isProxy(value)) return '';
  const one = (v) => identity(v) || `${typeof v} ${String(v)}`;
  if (types.isMap(value)) return first(mapSize.call(value), Map.prototype.entries.call(value), ([k, v]) => `${one(k)}=>${one(v)}`);
  if (types.isSet(value)) return first(setSize.call(value), Set.prototype.values.call(value), one);
  if (ArrayBuffer.isView(value)) return '';
  const keys = Array.isArray(value) && value.length > MOST ? Array.from({ length: MOST }, (_, i) => String(i)) : Reflect.ownKeys(value);
  return first(Array.isArray(value) ? value.length : keys.length, keys, (key) => {
    const d = Object.getOwnPropertyDescriptor(value, key);
    return `${String(key)}:${d && 'value' in d ? one(d.value) : 'accessor'}`;
  });
}

// first are the first of all elements, as text, behind how many there are.
function first(size, all, text) {
  const list = [];
  for (const x of all) {
    if (list.length === MOST) break;
    list.push(text(x));
  }
  return `${size} ${list.join()}`;
}

module.exports = { surface };
