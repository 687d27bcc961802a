// Where the code that runs was written: source maps, inline or in a file beside.
'use strict';
const fs = require('fs');
const path = require('path');
const { SourceMap } = require('module');
const { fileURLToPath } = require('url');

const MARK = /\/\/[#@] sourceMappingURL=(\S+)\s*$/gm;

// Places are those of one file. shift is how much stands before its first line.
class Places {
  constructor(name, code, shift = 0, given = undefined) {
    Object.assign(this, { name, shift, map: undefined, files: new Map() });
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
    if (url.startsWith('data:')) {
      const comma = url.indexOf(',');
      return read(() => /;base64$/.test(url.slice(0, comma)) ? Buffer.from(url.slice(comma + 1), 'base64').toString() : decodeURIComponent(url.slice(comma + 1)));
    }
    this.base = path.resolve(path.dirname(this.name), decodeURI(url));
    return read(() => fs.readFileSync(this.base, 'utf8'));
  }

  // file is the absolute path of one of the map's sources; undefined when it is not there.
  file(source) {
    if (this.files.has(source)) return this.files.get(source);
    let file;
    try {
      const whole = this.root && !/^(file:|\/)/.test(source) ? this.root.replace(/\/?$/, '/') + source : source;
      file = whole.startsWith('file:') ? fileURLToPath(whole) : path.resolve(path.dirname(this.base), whole);
      if (!fs.existsSync(file)) file = undefined;
    } catch {
      file = undefined;
    }
    this.files.set(source, file);
    return file;
  }

  // of is [file, line] of a place in the code: line from 1, column from 0.
  of({ line, column }) {
    if (!this.map) return [this.name, line];
    const e = this.map.findEntry(line - 1, line === 1 ? column - this.shift : column);
    const file = e && e.originalSource !== undefined && this.file(e.originalSource);
    return file ? [file, e.originalLine + 1] : [this.name, line];
  }
}

function read(f) {
  try {
    return JSON.parse(f());
  } catch {
    return undefined;
  }
}

module.exports = { Places };
