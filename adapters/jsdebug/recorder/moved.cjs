// Corrects the source map that a source names for what was put into it, so that the
// program's own stacks say what they would say without: no line is added, but columns move.
'use strict';
const { Buffer } = require('node:buffer'); // the program may take the global one away
const { MARK, payloadOf } = require('./maps.cjs');

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = new Map([...DIGITS].map((c, i) => [c, i]));

// moved is a source, in which texts were put at offsets of what it was, with a map of
// what it is; as it is where it names no map. Edits are {at, length}, in their order.
function moved(before, edits, after) {
  let url;
  for (const m of before.matchAll(MARK)) url = m[1];
  const at = url ? after.lastIndexOf(url) : -1;
  if (at < 0 || !url.startsWith('data:')) return after;
  const payload = payloadOf(url);
  if (!payload || typeof payload.mappings !== 'string') return after;
  const mappings = shifted(payload.mappings, before, edits);
  const text = Buffer.from(JSON.stringify({ ...payload, mappings })).toString('base64');
  return `${after.slice(0, at)}data:application/json;base64,${text}${after.slice(at + url.length)}`;
}

// shifted are mappings whose columns have moved by what was put in before them.
function shifted(mappings, code, edits) {
  let begin = 0, next = 0;
  return mappings.split(';').map((line) => {
    let column = 0, was = 0, put = 0, moves = '';
    for (; next < edits.length && edits[next].at < begin; next++);
    const segments = line ? line.split(',') : [];
    for (const segment of segments) {
      const [delta, rest] = first(segment);
      column += delta;
      for (; next < edits.length && edits[next].at <= begin + column; next++) put += edits[next].length;
      moves += (moves && ',') + encoded(column + put - was) + rest;
      was = column + put;
    }
    const end = code.indexOf('\n', begin);
    begin = end < 0 ? code.length + 1 : end + 1;
    return moves;
  }).join(';');
}

// first is the first number of a segment, and the rest of it.
function first(segment) {
  let value = 0, shift = 0, i = 0, digit;
  do {
    digit = VALUES.get(segment[i++]);
    value += (digit & 31) * 2 ** shift;
    shift += 5;
  } while (digit & 32);
  return [value % 2 ? -Math.floor(value / 2) : value / 2, segment.slice(i)];
}

function encoded(number) {
  let value = number < 0 ? -number * 2 + 1 : number * 2, text = '';
  do {
    const digit = value % 32;
    value = Math.floor(value / 32);
    text += DIGITS[value ? digit + 32 : digit];
  } while (value);
  return text;
}

module.exports = { moved };
