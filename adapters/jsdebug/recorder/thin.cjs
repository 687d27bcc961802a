// Counts the calls of functions that are called often, of which not all are noted.
'use strict';

const SMALL = 0x3fffffff; // a field that holds no other numbers than such up to it costs least

class Counter {
  constructor(thin, key, at, name, after) {
    this.calls = 0;
    this.next = after === undefined ? 0 : after + 1; // calls are not noted that come before it
    this.after = after; // calls are noted that come after it; undefined: the first ones are
    this.thin = thin;
    this.key = key;
    this.at = at;
    this.name = name;
    this.told = 0;
    this.enter = undefined; // notes that one begins
  }

  // meets says whether a call that begins is to be noted. An engine makes it cost next to nothing
  // where it is not: two words of one object, of which one does not change any more.
  meets() {
    return ++this.calls >= this.next && this.thin.noted(this);
  }
}

class Thin {
  // name tells the counts of this thread or process from others in what the reader of a recording
  // asks for; empty for the program itself.
  constructor(notes, wish, name) {
    this.notes = notes;
    this.name = name && `${name} `;
    this.first = wish.first;
    this.after = wish.after || {};
    this.last = wish.last || 0;
    notes.onlyLast = Object.keys(this.after).length > 0;
    this.counters = new Map(); // by the keys that the weaver has given to functions
  }

  // counter is that of a function, which may be loaded more than once.
  counter(key, at, name) {
    let c = this.counters.get(key);
    if (!c) this.counters.set(key, (c = new Counter(this, key, at, name, this.after[this.name + key])));
    return c;
  }

  // noted: the last call before the others are only counted tells of that.
  noted(c) {
    if (c.after !== undefined) return c.calls <= c.after + 2 * this.last || this.onlyCount(c);
    if (c.calls > this.first) return this.onlyCount(c);
    if (c.calls === this.first) this.count(c);
    return true;
  }

  onlyCount(c) {
    if (c.calls < SMALL) c.next = SMALL;
    else c.next = Infinity;
    return false;
  }

  count(c) {
    c.told = c.calls;
    this.notes.write({ k: 'counted', at: c.at, f: c.name, o: c.key, h: c.calls });
  }

  // countAll tells how often functions were called until now whose calls are not all noted.
  countAll() {
    for (const c of this.counters.values()) if (c.calls > this.first && c.calls !== c.told) this.count(c);
  }
}

// Passed is a call in place of a frame that notes nothing.
const passed = {
  left: (_, value) => value,
  gone: (_, value) => value,
  raised() {},
  end() {},
};

module.exports = { Thin, passed };
