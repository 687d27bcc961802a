'use strict';
// Where an error was thrown first that the program throws, or passes on, once more where
// it stands. The error's own stack tells where it was made; that it was thrown there, and
// not kept to be thrown later, is seen in the source. It is loaded by the hook.
const fs = require('fs');
const { sourceOfPlace } = require('./aidb-errors.cjs');

const MOST = 8; // frames that are told
const FAR = 600; // characters of a statement that are looked at

const builtIn = new Set([TypeError, RangeError, ReferenceError, SyntaxError, URIError, EvalError].map((e) => e.prototype));

// origin answers with the frames of the user's code through which an error came when it
// was thrown first, the innermost first; none where it is thrown for the first time, or
// that is not known. Own are the frames of its stack, standing those of the program.
function origin(error, own, standing, library) {
  try {
    if (typeof error !== 'object' || error === null) return [];
    const users = (f) => f.file && !f.file.startsWith(__dirname) && !library(f.file) && !f.file.includes('<anonymous>');
    while (own.length && /^(?:async )?new /.test(own[0].name) && (!own[0].file || !users(own[0]) || makes(error, own[0].name))) own = own.slice(1);
    const first = own.findIndex(users);
    if (first < 0) return [];
    const here = standing.find((f) => f.file && !f.file.startsWith(__dirname));
    const over = !here || here.url.endsWith('?aidb'); // it is the hook that throws it where it was thrown: nothing of the program stands
    const at = over ? first : thrownAt(error, own, first, here, users);
    if (at < 0) return [];
    const places = [];
    for (const f of own.slice(at).filter(users).slice(0, MOST)) {
      const { file, line } = sourceOfPlace(f), last = places[places.length - 1];
      if (!last || last.file !== file || last.line !== line || !nameless(f.name)) places.push({ function: f.name, file, line });
    }
    places[0].line += own[at].later || 0;
    const stands = over ? {} : sourceOfPlace(here);
    return stands.file === places[0].file && stands.line === places[0].line ? [] : places;
  } catch {
    return [];
  }
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

// thrownAt is the frame in which it was thrown, -1 where nothing shows that.
function thrownAt(error, own, first, here, users) {
  const again = here && users(here) && passesOn(here);
  if (own.slice(0, first).some((f) => f.file || /^node:/.test(f.url || ''))) return again ? first : -1; // by a library, which may have handed it back
  for (let i = first; i < own.length && users(own[i]); i++) {
    const text = around(own[i]);
    if (!text) break;
    if (operandOf(text, 'throw')) return i;
    if (!operandOf(text, 'return') || own[i + 1]?.async) break; // what made it has not thrown it
  }
  const text = around(own[first]);
  if (text && builtIn.has(Object.getPrototypeOf(error)) && !/^(?:new\b|[\w$.]*Error\s*\(|(?:Error\.)?captureStackTrace\b)/.test(text.behind)) return first; // V8 throws what it makes
  if (!again || !text) return -1;
  const kept = /\b(?:const|let|var)\s+([\w$]+)\s*(?::[^=;]*)?=\s*[\w$.\s]*$/.exec(text.before);
  if (!kept) return first;
  own[first].later = linesUntilThrown(text.behind, kept[1]); // it is thrown where it was kept, or who knows where
  return own[first].later === undefined ? -1 : first;
}

// linesUntilThrown counts the lines from where an error is made to the statement of the
// same block that throws it; undefined where there is no such one.
function linesUntilThrown(behind, name) {
  const found = new RegExp(`(?:^|[\\s;])throw\\s+${quote(name)}\\s*(?:[;}\\n]|$)`).exec(behind);
  if (!found) return undefined;
  const between = behind.slice(0, found.index + 1);
  return /[{}]/.test(between) && depthOf(between) !== 0 ? undefined : count(between, /\n/g);
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
