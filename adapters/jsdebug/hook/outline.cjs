'use strict';
// What a source handles of the errors that come through it, by the look of its text: which
// blocks have a handler, and which promises are awaited. It is loaded by the hook.

// outline knows the blocks of a source: which are bodies of functions, which
// are tried and have a handler.
function outline(text) {
  const lines = [0];
  for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) lines.push(i + 1);
  const blocks = blocksOf(text);
  const offset = (line, column) => (lines[line - 1] ?? text.length) + column - 1;
  return {
    offset,
    at(line, column) {
      const o = offset(line, column);
      const around = blocks.filter((b) => b.start < o && o < b.end).sort((a, b) => b.start - a.start);
      const inner = around.findIndex((b) => b.kind === 'function' || b.kind === 'async');
      const own = inner < 0 ? around : around.slice(0, inner);
      return {
        handled: own.some((b) => b.kind === 'try'),
        inFunction: inner >= 0,
        inAsync: inner >= 0 && around[inner].kind === 'async',
      };
    },
    // awaits says whether what a call returns is awaited, with no handler but
    // those around.
    awaits(line, column) {
      const from = lines[line - 1];
      const before = /^([^]*)\b(?:await|return)\b[^;{}]*$/.exec(text.slice(from, offset(line, column)));
      return before !== null && !handles(text, from + before[1].length);
    },
    // handlesAwaited is asked of the place of an await.
    handlesAwaited: (line, column) => handles(text, offset(line, column)),
  };
}

const token =
  /\/\/[^\n]*|\/\*[^]*?\*\/|'(?:[^'\\\n]|\\[^])*'|"(?:[^"\\\n]|\\[^])*"|[A-Za-z_$][\w$]*|\d[\w.]*|=>|[`{}()[\];,:.?!=<>+\-*/%&|^~@#]/g;

// handles says whether the expression behind an await or a return deals with the
// rejection itself: by catch, by the second function of then, or because not each
// promise in it counts.
function handles(text, from) {
  const awaited = /(?:await|return)\b(\s*Promise\s*\.\s*(?:race|any|allSettled)\b)?/y;
  awaited.lastIndex = from;
  const m = awaited.exec(text);
  if (!m || m[1]) return !!m;
  let depth = 0;
  let word = ''; // the last one, with the dot before it
  let last = ''; // the token before
  let then = false; // within the parentheses of a then
  token.lastIndex = awaited.lastIndex;
  for (let m, end = token.lastIndex; (m = token.exec(text)); end = token.lastIndex) {
    const t = m[0];
    if (t.startsWith('//') || t.startsWith('/*')) continue;
    if (depth === 0) {
      if (last && t !== '.' && t !== '?' && text.slice(end, m.index).includes('\n')) return false;
      if (!/^(?:['"`\w$.({[!<>]|\?\.)/.test(text.slice(m.index, m.index + 2))) return false;
      if (t === '(' && word === '.catch') return true;
      if (t === '(') then = word === '.then';
    } else if (depth === 1 && then && t === ',' && !/^,\s*\)/.test(text.slice(m.index, m.index + 80))) return true;
    if (t === '`') token.lastIndex = pastTemplate(text, m.index + 1);
    else if (t === '/' && !/^['"\w$)\]}`]/.test(last)) token.lastIndex = pastRegExp(text, m.index);
    else if (/^[({[]$/.test(t)) depth++;
    else if (/^[)}\]]$/.test(t)) depth--;
    word = /^[A-Za-z_$]/.test(t) && last === '.' ? '.' + t : '';
    last = t;
  }
  return false;
}

// pastTemplate is the end of a template whose text begins at a place.
function pastTemplate(text, at) {
  let depth = 0; // of braces within "${"
  while (at < text.length) {
    const c = text[at++];
    if (c === '\\') at++;
    else if (c === '`' && depth === 0) return at;
    else if (c === '`') at = pastTemplate(text, at);
    else if (c === '{' && (depth > 0 || text[at - 2] === '$')) depth++;
    else if (c === '}' && depth > 0) depth--;
  }
  return at;
}

// pastRegExp is the end of an expression that begins at a place, or the end of
// the slash.
function pastRegExp(text, at) {
  const re = /\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
  re.lastIndex = at;
  return re.test(text) ? re.lastIndex : at + 1;
}

// blocksOf finds the blocks of a source, TypeScript or JavaScript, without
// understanding more of it than where they begin and end.
function blocksOf(text) {
  const blocks = [];
  const open = []; // braces and parentheses that are open
  let last = ''; // the token before, 'value' after one that ends a value
  let closed; // what the last ")" belonged to
  let words = []; // of the statement so far
  token.lastIndex = 0;
  for (let m; (m = token.exec(text)); ) {
    const t = m[0];
    if (t.startsWith('//') || t.startsWith('/*')) continue;
    if (t === '/' && !/^(value|\)|\]|\})$/.test(last)) {
      token.lastIndex = pastRegExp(text, m.index);
      last = 'value';
      continue;
    }
    if (t === '`') {
      template(token.lastIndex);
      last = 'value';
      continue;
    }
    if (t === '(') open.push({ paren: true, before: words.slice(-3) });
    else if (t === ')') closed = pop(true) ?? closed;
    else if (t === '{') open.push({ start: m.index, kind: kindOf() });
    else if (t === '}') {
      const b = pop(false);
      if (b && b.template) {
        template(token.lastIndex);
        last = 'value';
        continue;
      }
      if (b) {
        b.end = m.index;
        if (b.kind === 'try' && !/^\s*(?:\/\/[^\n]*\s*|\/\*[^]*?\*\/\s*)*catch\b/.test(text.slice(m.index + 1, m.index + 400))) b.kind = 'block';
        blocks.push(b);
      }
    }
    if (t === ';' || t === '{' || t === '}') words = [];
    else if (/^[A-Za-z_$]/.test(t)) words.push(t);
    else if (t === '=>') words.push(t);
    const word = /^['"\w$]/.test(t);
    last = word && !/^(return|typeof|case|in|of|do|else|void|delete|throw|new|await|yield|instanceof)$/.test(t) ? 'value' : t;
  }
  return blocks;

  function pop(paren) {
    for (let i = open.length - 1; i >= 0; i--) {
      if (!!open[i].paren === paren) return open.splice(i)[0];
    }
  }
  // template passes over a template's text up to its end or a "${".
  function template(from) {
    for (let i = from; i < text.length; i++) {
      if (text[i] === '\\') i++;
      else if (text[i] === '`') {
        token.lastIndex = i + 1;
        return;
      } else if (text[i] === '$' && text[i + 1] === '{') {
        open.push({ start: i, template: true });
        token.lastIndex = i + 2;
        return;
      }
    }
    token.lastIndex = text.length;
  }
  function kindOf() {
    if (last === '=>') {
      const before = closed && text.slice(Math.max(0, closed.start - 12), closed.start);
      return words.slice(-3).includes('async') || (before && /async\s*$/.test(before)) ? 'async' : 'function';
    }
    if (words[words.length - 1] === 'try' && last === 'value') return 'try';
    if (last === ')' || words.includes('function')) {
      const head = closed ? closed.before : [];
      const word = head[head.length - 1];
      if (/^(if|for|while|switch|catch|with)$/.test(word) || (word === 'await' && head[head.length - 2] === 'for')) return 'block';
      if (head.length === 0 && !words.includes('function')) return 'block';
      return head.includes('async') || words.includes('async') ? 'async' : 'function';
    }
    return 'block';
  }
}

module.exports = { outline };
