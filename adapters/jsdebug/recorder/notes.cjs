// Writes what was noted, each event by itself and at once, so that a crash loses none;
// package recording says into which files, and reads them. It also shows values: what
// of the program's would have to be called for that is left out.
'use strict';
const fs = require('fs');
const path = require('path');
const util = require('util');

const HEAD = 4 << 20;
const TAIL = 8 << 20;

class Notes {
  constructor(records, text) {
    this.records = records;
    this.text = text;
    this.seq = 0;
    this.tail = 0;
    this.room = HEAD;
    this.busy = false;
    this.file = fs.openSync(path.join(records, 'head'), 'wx', 0o600);
    this.names = new WeakMap(); // of objects
    this.named = 0;
  }

  write(event) {
    event.n = ++this.seq;
    const line = Buffer.from(JSON.stringify(event) + '\n');
    if (line.length > this.room) {
      fs.closeSync(this.file);
      this.file = fs.openSync(path.join(this.records, 'tail' + (this.tail++ % 2)), 'w', 0o600);
      this.room = TAIL;
    }
    this.room -= line.length;
    fs.writeSync(this.file, line);
  }

  remark(text) {
    this.write({ k: 'remark', m: text });
  }

  // identity tells one object from another, for as long as the run lasts.
  identity(value) {
    if ((typeof value !== 'object' || value === null) && typeof value !== 'function') return '';
    let name = this.names.get(value);
    if (!name) this.names.set(value, (name = String(++this.named)));
    return name;
  }

  shown(value) {
    return this.cut(this.plain(value));
  }

  plain(value) {
    switch (typeof value) {
      case 'string':
        return util.inspect(value.length > this.text ? value.slice(0, this.text) : value);
      case 'number':
        return Object.is(value, -0) ? '-0' : String(value);
      case 'bigint':
        return value + 'n';
      case 'boolean':
      case 'undefined':
        return String(value);
      case 'symbol':
        return value.toString();
    }
    if (value === null) return 'null';
    return util.inspect(value, {
      depth: 1, maxArrayLength: 20, maxStringLength: 100, breakLength: Infinity, compact: true, customInspect: false, showProxy: true, getters: false,
    });
  }

  cut(text) {
    return text.length <= this.text ? text : text.slice(0, this.text) + '…';
  }

  // look evaluates a thunk; what it throws is why there is no value.
  look(thunk) {
    try {
      return { value: thunk() };
    } catch (e) {
      return { error: e instanceof Error ? e.name + ': ' + e.message : String(e) };
    }
  }
}


module.exports = { Notes };
