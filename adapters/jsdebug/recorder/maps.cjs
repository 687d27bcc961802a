// Where the code that runs was written: source maps, inline or in a file beside.
'use strict';
const { Buffer } = require('node:buffer'); // the program may take the global one away
const fs = require('fs');
const path = require('path');
const { SourceMap } = require('module');
const { fileURLToPath } = require('url');

const MARK = /\/\/[#@] sourceMappingURL=(\S+)\s*$/gm;

// Places are those of one file. shift is how much stands before its first line.
class Places {
  constructor(name, code, shift = 0, given = undefined) {
    Object.assign(this, { name, shift, map: undefined, files: new Map(), begins: [0] });
    for (let i = code.indexOf('\n'); i >= 0; i = code.indexOf('\n', i + 1)) this.begins.push(i + 1);
    const payload = given ? read(() => fs.readFileSync(given, 'utf8')) : this.payload(code);
    if (!payload) return;
    this.base = given || this.base || name;
    this.root = typeof payload.sourceRoot === 'string' ? payload.sourceRoot : '';
    try {
      this.map = new SourceMap(payload);
    } catch {
      return; // it is none
    }
    if (![...(payload.sources || [])].some((s) => this.file(s))) this.map = undefined;
  }

  payload(code) {
    let url;
    for (const m of code.matchAll(MARK)) url = m[1];
    if (!url) return undefined;
    if (url.startsWith('data:')) return payloadOf(url);
    this.base = path.resolve(path.dirname(this.name), decodeURI(url));
    return read(() => fs.readFileSync(this.base, 'utf8'));
  }

  // file is the absolute path of one of the map's sources; undefined when it is not there.
  file(source) {
    if (this.files.has(source)) return this.files.get(source);
    let file;
    try {
      if (source === '' && !this.root) return this.name; // node's own map of what it makes of TypeScript
      const whole = this.root && !/^(file:|\/)/.test(source) ? this.root.replace(/\/?$/, '/') + source : source;
      const bundled = /^webpack:\/\/[^/]*\/(.*)$/.exec(whole);
      const places = bundled ? this.above(bundled[1].replace(/\?.*$/, '')) : whole.startsWith('file:') ? [fileURLToPath(whole)] : [this.base, this.name].map((beside) => path.resolve(path.dirname(beside), whole));
      file = places.find((f) => fs.existsSync(f)); // a map in a cache does not lie beside what it is of
    } catch {
      file = undefined;
    }
    this.files.set(source, file);
    return file;
  }

  // above are the places at which a bundler may have found a file that it names from where
  // it ran: the folders around the map.
  above(name) {
    const places = [];
    for (let dir = path.dirname(this.base); ; dir = path.dirname(dir)) {
      places.push(path.resolve(dir, name));
      if (dir === path.dirname(dir)) return places;
    }
  }

  // line is the number of the line of an offset, from 1.
  line(offset) {
    const { begins } = this;
    let low = 0, high = begins.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (begins[middle] <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  }

  // entry is that of the map for an offset, or for what stands before it.
  entry(offset, line) {
    const column = offset - this.begins[line - 1];
    return this.map.findEntry(line - 1, line === 1 ? column - this.shift : column);
  }

  // written says that something of a node was written so, and not all of it made by a compiler.
  written(n) {
    if (!this.map) return true;
    const line = this.line(n.end - 1), e = this.entry(n.end - 1, line), from = this.line(n.start);
    if (!e || e.originalSource === undefined) return false;
    const begins = n.start - this.begins[from - 1] - (from === 1 ? this.shift : 0);
    return e.generatedLine > from - 1 || e.generatedLine === from - 1 && e.generatedColumn >= begins;
  }

  // of is [file, line] of what was written for an offset in the code.
  of(offset) {
    const line = this.line(offset);
    if (!this.map) return [this.name, line];
    const e = this.entry(offset, line);
    const file = e && e.originalSource !== undefined && this.file(e.originalSource);
    return file ? [file, e.originalLine + 1] : [this.name, line];
  }
}

// payloadOf is the map that an address holds itself.
function payloadOf(url) {
  const comma = url.indexOf(',');
  return read(() => /;base64$/.test(url.slice(0, comma)) ? Buffer.from(url.slice(comma + 1), 'base64').toString() : decodeURIComponent(url.slice(comma + 1)));
}

function read(f) {
  try {
    return JSON.parse(f());
  } catch {
    return undefined;
  }
}

module.exports = { Places, MARK, payloadOf };
