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

// sourceOfPlace is the place in the source that a place in the code was made from, as the
// file's source map tells it; the place itself where there is none. Nothing is thrown where
// that is so: the debugger would stop there, where it looks at what is caught.
function sourceOfPlace(at) {
  try {
    if (!at.file || !fs.existsSync(at.file)) return at;
    const found = /\/\/[#@] sourceMappingURL=(\S+)\s*$/.exec(fs.readFileSync(at.file, 'utf8'));
    if (!found) return at;
    const address = found[1];
    const inline = /^data:[^,]*,/.exec(address);
    const beside = inline ? at.file : path.resolve(path.dirname(at.file), decodeURI(address));
    if (!inline && !fs.existsSync(beside)) return at;
    const rest = inline && address.slice(inline[0].length);
    const text = !inline ? fs.readFileSync(beside, 'utf8') : /;base64,$/.test(inline[0]) ? Buffer.from(rest, 'base64').toString() : decodeURIComponent(rest);
    const map = JSON.parse(text), { SourceMap } = require('module');
    const entry = new SourceMap(map).findEntry(at.line - 1, at.column - 1);
    const source = `${map.sourceRoot || ''}${entry.originalSource}`;
    const file = source.startsWith('file:') ? url.fileURLToPath(source) : path.resolve(path.dirname(beside), source);
    if (fs.existsSync(file)) return { file, url: url.pathToFileURL(file).href, line: entry.originalLine + 1, column: entry.originalColumn + 1 };
  } catch {
    // It names no map, or none that can be read.
  }
  return at;
}

module.exports = { sidesOf, sourceOfPlace };
