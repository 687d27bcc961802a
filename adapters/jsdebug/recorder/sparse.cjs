// Leaves out, of a run of which all writes are asked for, what happens between its first events and
// its last ones: package recording's Sparse. What is left out is counted, each piece that would be
// noted as an event.
'use strict';

const NONE = []; // in place of a list that is empty

class Sparse {
  constructor(notes, { first, from }) {
    this.notes = notes;
    this.first = first;
    this.from = from;
    this.counts = false; // what happens now
    this.over = false;
    this.open = new Map(); // of frames: what the statement that runs looks at, and whether it is only counted
    this.passes = []; // of lines: how often each was noted
  }

  // begins is asked before a statement or a call: whether it is only counted.
  begins() {
    if (!this.counts || this.notes.seq + 1 < this.from) return this.skips();
    this.resume();
    return false;
  }

  // skips is asked of what belongs to a statement or a call that has begun.
  skips() {
    if (!this.counts && !this.starts()) return false;
    this.notes.seq++;
    return true;
  }

  // starts writes what is held, where it is to be counted from now on: nothing more is to come
  // soon that would have it written.
  starts() {
    const { seq, batch } = this.notes;
    if (this.over || seq < this.first) return false;
    if (seq >= this.from) {
      this.over = true;
      return false;
    }
    if (batch) this.notes.rest();
    return (this.counts = true);
  }

  // resume: from now on all is noted again. What runs has begun before.
  resume() {
    this.counts = false;
    this.over = true;
    for (const [frame, { looks, counted }] of this.open) frame.goesOn(looks, counted);
    this.open.clear();
  }

  // skipsUse says of a statement that begins in a call that it is only counted; looks is what it is
  // to look at then.
  skipsUse(frame, looks) {
    this.open.delete(frame);
    const counted = this.begins();
    if (counted) frame.was = frame.given = NONE;
    if (!this.over && (looks.targets.length || looks.gives)) this.open.set(frame, { looks, counted });
    return counted;
  }

  // pass is told that the values of a line are noted: which pass of it that is.
  pass(number) {
    return (this.passes[number] = (this.passes[number] || 0) + 1);
  }
}

module.exports = { Sparse, NONE };
