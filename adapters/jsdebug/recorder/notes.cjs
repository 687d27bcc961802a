// Writes what was noted, each event by itself and at once, so that a crash loses none, but for
// a run that notes very many: those are written in batches. Package recording says into which
// files, and reads them.
'use strict';
const { Buffer } = require('node:buffer'); // the program may take the global one away
const fs = require('fs');
const path = require('path');
const { look } = require('./shown.cjs');
const { Hasher } = require('./whole.cjs');
const { Batch } = require('./batch.cjs');
const { Rows } = require('./rows.cjs');
const { Ring, Single } = require('./ring.cjs');

const ALONE = 1 << 18; // bytes of events that are written one by one, though there may be very many
const OFTEN = 0xff; // so many events more or less, it is looked whether they have to be written
const HEAD = 4 << 20;
const TAIL = 8 << 20;
const FEW = 1 << 20; // of each, where the first and the last events are enough
const PLACES = 100_000; // to which writes are counted
const EARLY = 2000; // events that are kept while it is not known yet whether this process records
const { stringify } = JSON;

class Notes {
  // deep shows what lies within values too, which a debugger does not: nothing that is
  // noted is compared with what one shows. Many says that a run may note so many events that
  // to write each at once takes longer than the run.
  constructor(records, text, deep, many) {
    this.records = records;
    this.many = many;
    this.batch = undefined; // once it is seen that there are many
    this.alone = ALONE;
    this.ended = false;
    this.text = text;
    this.deep = deep;
    this.hasher = new Hasher();
    this.rows = new Rows();
    this.seq = 0;
    this.tail = 0;
    this.room = HEAD;
    this.ends = 0; // so many of the first and of the last writes are enough
    this.few = false; // they are all that there are many of: a part of what there is room for is enough
    this.aside = undefined; // the first file, for what is no such write, once the others are written to
    this.spare = HEAD - FEW; // bytes that it may have yet
    this.written = 0; // writes, where they are numbered
    this.writes = new Map(); // of places: how many of them
    this.file = undefined;
    this.early = [];
    this.names = new WeakMap(); // of objects
    this.named = 0;
    this.sink = new Single(this); // what the events of statements and calls are put into
  }

  // claim makes this the process that records, if there is none yet.
  claim() {
    if (this.file !== undefined || this.early === null) return this.file !== undefined;
    try {
      this.file = fs.openSync(path.join(this.records, 'head'), 'wx', 0o600);
    } catch {
      this.early = null; // another one does
      return false;
    }
    if (this.many) this.sink = this.ring = new Ring(this);
    if (this.few) this.room = FEW;
    const early = this.early;
    this.early = [];
    for (const event of early) this.write(event);
    return true;
  }

  write(event) {
    if (this.file === undefined) {
      if (this.early !== null && this.early.length < EARLY) this.early.push(event);
      return;
    }
    event.n = ++this.seq;
    const line = stringify(event) + '\n';
    if (this.aside !== undefined && (this.spare -= Buffer.byteLength(line)) >= 0) fs.writeSync(this.aside, line);
    else if (!this.ring) return this.row(line);
    else this.ring.row(line);
    this.noted(event.k === 'failed');
  }

  // numbered is which write to a place one is, 0 where that is not known; it is number written of all.
  numbered(place) {
    this.written++;
    const number = this.writes.get(place) ?? (this.writes.size < PLACES ? 0 : undefined);
    if (number === undefined) return 0;
    this.writes.set(place, number + 1);
    return number + 1;
  }

  // noted writes the events that are held, if it is time to.
  noted(atOnce = false) {
    const { ring, batch } = this;
    if (!ring) return;
    if (!batch) ring.take((line) => this.row(line));
    else if (atOnce || this.ended || !(ring.next & OFTEN) && batch.old()) this.rest();
    else if (!batch.marked) batch.holds(() => this.rest());
  }

  row(line) {
    const length = Buffer.byteLength(line);
    if (length > this.room) this.turn();
    this.room -= length;
    fs.writeSync(this.file, line);
    if (this.many && (this.alone -= length) < 0) this.batch ??= new Batch(this.records);
  }

  // turn goes on in the other one of the last files, which is emptied.
  turn() {
    if (this.few && !this.tail) this.aside = this.file;
    else fs.closeSync(this.file);
    this.file = fs.openSync(path.join(this.records, 'tail' + (this.tail++ % 2)), 'w', 0o600);
    this.room = this.few ? FEW : TAIL;
  }

  // rest writes what is held; until more comes nothing is.
  rest() {
    const { ring, batch } = this;
    batch.all(() => {
      if (this.aside !== undefined) ring.shorten(this.ends);
      if (ring.lost) for (let n = this.tail ? 2 : 1; n; n--) this.turn(); // there is no gap in what the last files hold
      ring.take((line) => this.batched(line));
      this.flush();
    });
  }

  // flush writes a batch: it is no longer than what a file may have beyond its size.
  flush() {
    this.batch.write(this.file);
    if (this.room <= 0) this.turn();
  }

  // batched puts a line to others.
  batched(line) {
    const { batch } = this;
    if (!batch.takes(line)) this.flush();
    if (batch.takes(line)) this.room -= batch.put(line);
    else this.row(line);
  }

  // finish ends the recording. What comes then is not held.
  finish() {
    this.ended = true;
    if (this.batch) this.rest();
  }

  remark(text, kind = 'remark') {
    this.write({ k: kind, m: text });
  }

  // missing says at the end that there was nothing of what is wished.
  missing(text, field) {
    this.claim();
    this.write({ k: 'missing', m: text, a: [field] });
  }

  // refuse ends the process: what is wished cannot be noted.
  refuse(text, field) {
    this.claim();
    this.write({ k: 'refused', m: text, a: [field] });
    this.finish();
    process.reallyExit(0);
  }

  // identity tells one object from another, for as long as the run lasts.
  identity(value) {
    if ((typeof value !== 'object' || value === null) && typeof value !== 'function') return '';
    let name = this.names.get(value);
    if (!name) this.names.set(value, (name = String(++this.named)));
    return name;
  }

  // value is a value as an event has it: its text, and a hash of all of it where that
  // leaves something out.
  value(value) {
    const { text, cut } = look(value, this.text, this.deep);
    const v = { v: this.cut(text) };
    return cut || text.length > this.text ? this.identified(v, value) : v;
  }

  identified(v, value) {
    v.u = true;
    if (this.onlyLast) return v; // it is looked at, and not compared
    const whole = this.hasher.of(value);
    if (whole) v.w = whole;
    return v;
  }

  // thrown is what was thrown, as an event has it.
  thrown(text, value) {
    const v = { v: this.cut(text) };
    return text.length > this.text ? this.identified(v, value) : v;
  }

  shown(value) {
    return this.value(value).v;
  }

  cut(text) {
    return text.length <= this.text ? text : text.slice(0, this.text) + '…';
  }
}

module.exports = { Notes };
