// Counts the calls of functions that are called often, of which not all are noted.
'use strict';

class Counter {
  constructor(at, name, until, after) {
    this.at = at;
    this.name = name;
    this.until = until; // calls are noted that come until this one,
    this.after = after; // or after that
    this.calls = 0;
    this.told = 0;
  }
}

class Thin {
  constructor(notes, wish) {
    this.notes = notes;
    this.first = wish.first;
    this.after = wish.after || {};
    this.last = wish.last || 0;
    notes.onlyLast = Object.keys(this.after).length > 0;
    this.counters = new Map(); // by the keys that the weaver has given to functions
  }

  // meets says whether a call that begins is to be noted.
  meets(key, at, name) {
    const c = this.counters.get(key) || this.counter(key, at, name), n = ++c.calls;
    if (n > c.until && n <= c.after) return false;
    return this.noted(key, c);
  }

  counter(key, at, name) {
    const after = this.after[key];
    const c = after === undefined ? new Counter(at, name, this.first, Infinity) : new Counter(at, name, -1, after);
    this.counters.set(key, c);
    return c;
  }

  // noted: the last call before the others are only counted tells of that.
  noted(key, c) {
    if (c.after === Infinity) {
      if (c.calls === c.until) this.count(key, c);
      return true;
    }
    return c.calls <= c.after + 2 * this.last;
  }

  count(key, c) {
    c.told = c.calls;
    this.notes.write({ k: 'counted', at: c.at, f: c.name, o: key, h: c.calls });
  }

  // countAll tells how often functions were called until now whose calls are not all noted.
  countAll() {
    for (const [key, c] of this.counters) if (c.calls > c.until && c.calls !== c.told) this.count(key, c);
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
