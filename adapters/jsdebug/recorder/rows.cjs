// Makes the rows of the kinds of events that there are most of: JSON.stringify takes longer
// for such a row than all the rest that is done for it. What it makes of them is the same.
'use strict';
const { stringify } = JSON;
const has = Object.prototype.hasOwnProperty;

const SHORT = 32; // letters that are looked at one by one
const KNOWN = 2000; // texts that are kept: places in the sources, names of functions

class Rows {
  constructor() {
    this.texts = new Map(); // what is said again and again, quoted
    this.stack = undefined; // the one that was quoted last
    this.stacked = '';
  }

  use(at, name, call, names, values, n) {
    return `{"k":"use","at":${this.known(at)},"f":${this.known(name)},"c":${call},"a":${this.list(names)},"v":${valuesOf(values)},"n":${n}}\n`;
  }

  write(at, name, call, place, was, now, stack, text, n, which, among) {
    if (stack !== this.stack) [this.stack, this.stacked] = [stack, this.list(stack)];
    const remark = text === undefined ? '' : `,"m":${quoted(text)}`;
    const numbers = among ? `,"h":${which},"g":${among}` : '';
    return `{"k":"write","at":${this.known(at)},"f":${this.known(name)},"c":${call},"o":${quoted(place)},"v":[${valueOf(was)},${valueOf(now)}],"s":${this.stacked}${remark}${numbers},"n":${n}}\n`;
  }

  enter(at, name, call, names, values, stack, nested, n) {
    const { w, d } = nested, rest = (w ? ',"w":true' : '') + (d === undefined ? '' : `,"d":${d}`);
    return `{"k":"enter","at":${this.known(at)},"f":${this.known(name)},"c":${call},"a":${this.list(names)},"v":${valuesOf(values)},"s":${this.list(stack)}${rest},"n":${n}}\n`;
  }

  leave(at, name, call, failed, from, values, n) {
    return `{"k":"leave","at":${this.known(at)},"f":${this.known(name)},"c":${call}${failed ? ',"x":true' : ''},"v":${valuesOf(values)}${from ? `,"s":${this.list(from)}` : ''},"n":${n}}\n`;
  }

  known(text) {
    let known = this.texts.get(text);
    if (known !== undefined) return known;
    known = stringify(text);
    if (this.texts.size < KNOWN) this.texts.set(text, known);
    return known;
  }

  list(texts) {
    let all = '';
    for (let i = 0; i < texts.length; i++) all += (i ? ',' : '') + this.known(texts[i]);
    return `[${all}]`;
  }
}

function valuesOf(values) {
  let all = '';
  for (let i = 0; i < values.length; i++) all += (i ? ',' : '') + valueOf(values[i]);
  return `[${all}]`;
}

// valueOf is a value as an event has it: what the program may have put into the prototype of all
// objects is not of it.
function valueOf(value) {
  let all = '';
  for (const key in value) {
    if (!has.call(value, key)) continue;
    const held = value[key];
    if (held === undefined) continue;
    all += `${all && ','}"${key}":${typeof held === 'string' ? quoted(held) : stringify(held)}`;
  }
  return `{${all}}`;
}

// quoted is a text in JSON: a short one of plain letters stands as it is.
function quoted(text) {
  const { length } = text;
  if (length > SHORT) return stringify(text);
  for (let i = 0; i < length; i++) {
    const c = text.charCodeAt(i);
    if (c < 0x20 || c > 0x7e || c === 0x22 || c === 0x5c) return stringify(text);
  }
  return `"${text}"`;
}

module.exports = { Rows };
