'use strict';
// What an error that has stopped the program tells by itself. It is loaded by the hook.
const fs = require('fs');
const path = require('path');
const url = require('url');

// sidesOf are the two values of an expectation that was not met, as the error itself has
// them; undefined where it has none, or where they were not to be equal.
function sidesOf(error) {
  try {
    if (typeof error !== 'object' || error === null) return undefined;
    const { matcherResult } = error;
    const jest = matcherResult && typeof matcherResult === 'object' && 'expected' in matcherResult && 'actual' in matcherResult;
    if (jest && matcherResult.pass) return undefined;
    if (!jest && !compares(error)) return undefined;
    const from = jest ? matcherResult : error;
    return { Expected: whole(from.expected), Actual: whole(from.actual), From: jest ? "expected and actual of the error's matcherResult" : "the error's own expected and actual" };
  } catch {
    return undefined; // of what throws when it is looked at
  }
}

// compares knows the errors of node:assert and chai by what they were asked to compare.
function compares(error) {
  if (!('expected' in error && 'actual' in error)) return false;
  if (typeof error.operator === 'string') return /^(?:(?:deep|strict|deepStrict|partialDeepStrict)?[eE]qual|===?|match)$/.test(error.operator);
  return error.showDiff === true;
}

// whole is a value with what lies in it, on one line.
function whole(value) {
  const text = require('util').inspect(value, { depth: 4, breakLength: Infinity, compact: 100, customInspect: false, maxArrayLength: 50, maxStringLength: 500 });
  return text.length > 1000 ? text.slice(0, 1000) + '…' : text;
}

const maps = new Map(); // of files, undefined where they have none

// mapOf is the source map that a file names.
function mapOf(file) {
  if (!fs.existsSync(file)) return undefined;
  const found = /\/\/[#@] sourceMappingURL=(\S+)\s*$/.exec(fs.readFileSync(file, 'utf8'));
  if (!found) return undefined;
  const address = found[1];
  const inline = /^data:[^,]*,/.exec(address);
  const beside = inline ? file : path.resolve(path.dirname(file), decodeURI(address));
  if (!inline && !fs.existsSync(beside)) return undefined;
  const rest = inline && address.slice(inline[0].length);
  const text = !inline ? fs.readFileSync(beside, 'utf8') : /;base64,$/.test(inline[0]) ? Buffer.from(rest, 'base64').toString() : decodeURIComponent(rest);
  const map = JSON.parse(text), { SourceMap } = require('module');
  return { map, beside, entries: new SourceMap(map) };
}

// sourceOfPlace is the place in the source that a place in the code was made from, as the
// file's source map tells it; the place itself where there is none. Nothing is thrown where
// that is so: the debugger would stop there, where it looks at what is caught.
function sourceOfPlace(at) {
  try {
    if (at.file && !maps.has(at.file)) maps.set(at.file, mapOf(at.file));
    const known = maps.get(at.file);
    if (!known) return at;
    const { map, beside } = known;
    const entry = known.entries.findEntry(at.line - 1, at.column - 1);
    const source = `${map.sourceRoot || ''}${entry.originalSource}`;
    const file = source.startsWith('file:') ? url.fileURLToPath(source) : path.resolve(path.dirname(beside), source);
    if (fs.existsSync(file)) return { file, url: url.pathToFileURL(file).href, line: entry.originalLine + 1, column: entry.originalColumn + 1 };
  } catch {
    // It names no map, or none that can be read.
  }
  return at;
}

const PLACE = /((?:file:\/\/)?(?:\/|[A-Za-z]:[\\/])[^()]*?):(\d+):(\d+)(\)?)$/;

// sourceOfStack has the places of a stack's lines in terms of the source.
function sourceOfStack(stack) {
  return stack.split('\n').map((text) => {
    const m = /^\s+at /.test(text) && PLACE.exec(text);
    if (!m || /[\\/]node_modules[\\/]/.test(m[1])) return text;
    const at = { file: m[1].startsWith('file:') ? url.fileURLToPath(m[1]) : m[1], line: +m[2], column: +m[3] };
    const from = sourceOfPlace(at);
    return from === at ? text : `${text.slice(0, m.index)}${from.file}:${from.line}:${from.column}${m[4]}`;
  }).join('\n');
}

module.exports = { sidesOf, sourceOfPlace, sourceOfStack };
