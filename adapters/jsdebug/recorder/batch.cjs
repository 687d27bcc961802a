// Writes lines of events thousands at a time: to write each by itself takes longer than all the
// rest. It says in a file that there are some which are not written yet.
'use strict';
const { Buffer } = require('node:buffer'); // the program may take the global one away
const fs = require('fs');
const path = require('path');

const SIZE = 1 << 16; // bytes that are held
const WIDEST = 3; // bytes of a letter
const OFTEN = 50; // milliseconds that an event is held, where more are noted or the program rests
const SHARE = 10; // of the time of a run is what is held longer where to write it takes long
const PENDING = 'pending'; // recording.Pending
const { now } = Date;
const { setTimeout } = globalThis; // the program may put another one in its place

class Batch {
  constructor(records) {
    this.mark = path.join(records, PENDING);
    this.bytes = Buffer.allocUnsafeSlow(SIZE);
    this.used = 0;
    this.since = 0; // when all was written
    this.took = 0; // milliseconds, to write what was held then
    this.marked = false;
    this.waits = false;
  }

  // takes says that a line finds room, which it does not where the batch has to be written.
  takes(line) {
    return this.used + line.length * WIDEST <= SIZE;
  }

  // put answers how many bytes a line has.
  put(line) {
    const length = this.bytes.write(line, this.used);
    this.used += length;
    return length;
  }

  // old says that what is held has to be written.
  old() {
    return now() - this.since >= Math.max(OFTEN, SHARE * this.took);
  }

  // all writes what is held.
  all(write) {
    const begun = now();
    write();
    this.rests();
    this.since = now();
    this.took = this.since - begun;
  }

  // write writes to a file what is held.
  write(file) {
    if (this.used) fs.writeSync(file, this.bytes, 0, this.used);
    this.used = 0;
  }

  // holds says in a file that there are events which are not written: a program that is killed
  // takes them with it. Where it comes to rest they are written.
  holds(write) {
    if (this.marked) return;
    this.marked = true;
    fs.writeFileSync(this.mark, '', { mode: 0o600 });
    if (this.waits) return;
    this.waits = true;
    setTimeout(() => {
      this.waits = false;
      write();
    }, OFTEN).unref();
  }

  // rests says that there are none.
  rests() {
    if (!this.marked) return;
    this.marked = false;
    fs.rmSync(this.mark, { force: true });
  }
}

module.exports = { Batch };
