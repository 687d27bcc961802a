'use strict';
// Where an error was thrown first that the program throws, or passes on, once more where
// it stands: at the first throw at which V8 has stopped, or as V8's own record of where it
// was made and the source show it, which tell whether it was thrown there or kept to be
// thrown later. It is loaded by the hook.
const fs = require('fs');
const { findSourceMap } = require('module');
const { sourceOfPlace } = require('./aidb-errors.cjs');
const { keptBy } = require('./aidb-kept.cjs');

const MOST = 8; // frames that are told
const FAR = 600; // characters of a statement that are looked at

const builtIn = new Set([TypeError, RangeError, ReferenceError, SyntaxError, URIError, EvalError].map((e) => e.prototype));

const user = (f) => f && f.file && !f.file.startsWith(__dirname) && !f.file.includes('<anonymous>');

// origin answers with first, the frames of the user's code through which an error came
// when it was thrown first, the innermost first; with none where it is thrown for the
// first time. Made is where it was made, of one that a handler throws once more and of
// which nobody knows where it was thrown first. Own are the frames of its stack, standing
// those of the program, seen those of the first throw of it at which V8 has stopped.
function origin(error, own, standing, seen, library) {
  try {
    if (typeof error !== 'object' || error === null) return {};
    const users = (f) => user(f) && !library(f.file);
    const here = standing.find((f) => f.file && !f.file.startsWith(__dirname));
    const over = !here || here.url.endsWith('?aidb'); // it is the hook that throws it where it was thrown: nothing of the program stands
    if (seen?.some(users)) return elsewhere(seen.filter(users), 0, over ? undefined : here);
    own = ofItsOwn(error, own, users);
    while (own.length && /^(?:async )?new /.test(own[0].name) && (!own[0].file || !users(own[0]) || makes(error, own[0].name))) own = own.slice(1);
    const first = own.findIndex(users);
    if (first < 0) return {};
    if (over) return elsewhere(own.slice(first).filter(users), 0);
    const again = users(here) && passesOn(here);
    const thrown = thrownAt(error, own, first, again, users);
    if (thrown) return elsewhere(own.slice(thrown.at).filter(users), thrown.later, here);
    const made = again && placesOf(own.slice(first, first + 1))[0];
    return made ? { made } : {};
  } catch {
    return {};
  }
}

// elsewhere are the places of frames, unless the innermost is where the program stands.
function elsewhere(frames, later, here) {
  const first = placesOf(frames);
  if (!first.length) return {};
  first[0].line += later;
  const stands = here ? sourceOfPlace(here) : {};
  return stands.file === first[0].file && stands.line === first[0].line ? {} : { first };
}

function placesOf(frames) {
  const places = [];
  for (const f of frames.slice(0, MOST)) {
    const { file, line } = sourceOfPlace(f), last = places[places.length - 1];
    if (!last || last.file !== file || last.line !== line || !nameless(f.name)) places.push({ function: f.name, file, line });
  }
  return places;
}

// ofItsOwn are the frames of the stack that V8 has kept of an error, where its text names
// others: a program may give an error the stack of another.
function ofItsOwn(error, own, users) {
  const kept = keptBy(error);
  const top = own.find(users);
  if (!kept || kept.some((f) => same(f, top))) return own;
  return kept;
}

// same says that two frames are one, of which the second may have been read from its
// source map already.
function same(frame, told) {
  if (!told || !frame.file) return false;
  if (frame.file === told.file && frame.line === told.line) return true;
  const entry = findSourceMap(frame.file)?.findEntry(frame.line - 1, frame.column - 1);
  if (entry && entry.originalLine !== undefined) return entry.originalLine + 1 === told.line;
  const from = sourceOfPlace(frame);
  return from.file === told.file && from.line === told.line;
}

// nameless frames of one line are one: transpilers put functions round a module.
const nameless = (name) => /^$|<anonymous>$/.test(name);

// makes says that a frame is that of a constructor of the error's own classes.
function makes(error, name) {
  const wanted = name.replace(/^.*?new /, '').replace(/ \[as .*$/, '').replace(/^.*\./, '');
  for (let p = Object.getPrototypeOf(error); p; p = Object.getPrototypeOf(p)) {
    if (Object.hasOwn(p, 'constructor') && p.constructor.name === wanted) return true;
  }
  return false;
}

// thrownAt is the frame in which it was thrown, and how many lines later than it was made
// there; undefined where nothing shows that.
function thrownAt(error, own, first, again, users) {
  const text = around(own[first]);
  if (own.slice(0, first).some((f) => f.file || /^node:/.test(f.url || ''))) { // made by a library, which may have handed it back
    return !again ? undefined : text ? goneFrom(text, own, first, users) || { at: first, later: 0 } : undefined;
  }
  if (text && builtIn.has(Object.getPrototypeOf(error)) && !/^(?:new\b|[\w$.]*Error\s*\(|(?:Error\.)?captureStackTrace\b)/.test(text.behind)) return { at: first, later: 0 }; // V8 throws what it makes
  return text && goneFrom(text, own, first, users);
}

// goneFrom follows what is made at a frame to the statement that throws it: that itself, or
// a later one of the same block, or one of a caller to which it is returned.
function goneFrom(text, own, at, users) {
  for (; text; text = users(own[at]) && around(own[at])) {
    if (operandOf(text, 'throw') || /\breject\(\s*$/.test(text.before)) return { at, later: 0 };
    const name = keptAs(text.before);
    const later = name && linesUntil('throw', text.behind, name);
    if (later !== undefined && later !== '') return { at, later };
    const returned = name ? linesUntil('return', text.behind, name) !== undefined : operandOf(text, 'return') || /=>\s*[({]?\s*$/.test(text.before);
    if (!returned || !own[at + 1] || own[at + 1].async) return undefined; // it has gone where nobody sees it
    at++;
  }
  return undefined;
}

// keptAs is the variable whose value begins to be made at the end of a text.
function keptAs(before) {
  const found = /(?:^|[;{}\n])\s*(?:(?:const|let|var)\s+)?([\w$]+)\s*(?::[^=;{}]*)?=(?![=>])([^;{}]*)$/.exec(before);
  if (!found || found[2].includes('=>')) return '';
  const [, name, between] = found, line = between.indexOf('\n');
  return line < 0 || !between.slice(0, line).trim() || count(between, /[([]/g) > count(between, /[)\]]/g) ? name : '';
}

// linesUntil counts the lines from where an error is made to the only statement within the
// same block that throws, or returns, what it is kept as; undefined where there is none.
function linesUntil(word, behind, name) {
  const statement = new RegExp(`(?:^|[\\s;{})])${word}\\s+${quote(name)}(?:\\.[\\w$]+)*\\s*(?=[;}\\n]|$)`, 'g');
  const found = [...behind.matchAll(statement)].map((m) => behind.slice(0, m.index + m[0].search(/\w/)));
  const within = found.filter((between) => neverLeaves(between) && !new RegExp(`[;{}\\n]\\s*${quote(name)}\\s*=(?![=>])`).test(between));
  return within.length === 1 ? count(within[0], /\n/g) : undefined;
}

// neverLeaves says that a text does not end the block in which it begins.
function neverLeaves(text) {
  let depth = 0;
  for (const c of text.replace(LITERALS, '')) {
    if (c === '{') depth++;
    else if (c === '}' && --depth < 0) return false;
  }
  return true;
}

function depthOf(text) {
  let depth = 0;
  for (const c of text.replace(LITERALS, '')) {
    if (c === '{') depth++;
    else if (c === '}' && --depth < 0) return depth;
  }
  return depth;
}

const LITERALS = /\/\/[^\n]*|\/\*[^]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[^])*`/g;

function quote(name) {
  return name.replace(/\$/g, '\\$');
}

const sources = new Map(); // of files: their lines

// around is the source before and behind a place.
function around({ file, line, column }) {
  if (!sources.has(file)) sources.set(file, fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n') : []);
  const lines = sources.get(file), text = lines[line - 1];
  if (text === undefined || column > text.length) return undefined;
  return {
    before: (lines.slice(Math.max(0, line - 8), line - 1).join('\n') + '\n' + text.slice(0, column - 1)).slice(-FAR),
    behind: (text.slice(column - 1) + '\n' + lines.slice(line, line + 8).join('\n')).slice(0, FAR),
    all: () => lines.slice(0, line - 1).join('\n') + '\n' + text.slice(0, column - 1),
  };
}

// operandOf says that a place lies in the operand of a statement: throw or return.
function operandOf({ before, behind }, word) {
  if (new RegExp(`^${word}\\b`).test(behind)) return true; // of a source map that knows statements only
  const found = new RegExp(`(?:^|[^\\w$.])${word}\\b([^;{}]*)$`).exec(before);
  if (!found || found[1].includes('=>')) return false;
  const between = found[1], line = between.indexOf('\n');
  return line < 0 || !between.trim() || count(between.slice(0, line), /[([]/g) > count(between.slice(0, line), /[)\]]/g);
}

function count(text, what) {
  return (text.match(what) || []).length;
}

// passesOn says that what stands at a place throws, or hands to a call, what the handler
// round it has caught.
function passesOn(here) {
  const text = around(here);
  const name = text && /^(?:throw\s+|[\w$.]+\()([\w$]+)\s*(?:[;})\n]|$)/.exec(text.behind)?.[1];
  if (!name) return false;
  const all = text.all();
  const handler = new RegExp(`\\b(?:catch|then)\\s*\\([^{}]*?\\b${quote(name)}\\s*(?::[^(){}]*)?\\)?\\s*(?:=>\\s*)?\\{`, 'g');
  let begins = -1;
  for (let m; (m = handler.exec(all)); ) begins = m.index + m[0].length;
  if (begins < 0) return false;
  const between = all.slice(begins);
  return depthOf(between) >= 0 && !new RegExp(`\\b${quote(name)}\\s*=[^=>]`).test(between); // within it, and not another
}

module.exports = { origin };
