// The lines of the call that is followed, as they run.
'use strict';
const { attempt } = require('./looks.cjs');
const { surface } = require('./surface.cjs');

class Steps {
  constructor(recorder, call) {
    this.recorder = recorder;
    this.call = call;
    this.asked = recorder.wish.lines.expressions;
    this.at = ''; // the line that runs
    this.old = new Map(); // values, by what is asked for, or by variables: one may hide another of its name
    this.state = undefined; // gives what is to be looked at there
    this.begun = false;
  }

  begin(at, state, shared) {
    if (this.at) this.end(shared);
    this.at = at;
    this.state = state;
    if (this.begun && this.asked) return;
    for (const [, value, key] of this.values()) if (!this.old.has(key)) this.old.set(key, value);
    this.begun = true;
  }

  // end notes the line that has run until now, with what it has changed; not so what another has
  // changed since.
  end(others = []) {
    const { asked, call } = this, changed = [], values = [], all = [];
    for (const [name, value, key] of this.values()) {
      const old = this.old.get(key), before = old && others.length && name.split(/[^\w$]+/).some((word) => others.includes(word));
      all.push(before ? old : value);
      if (before) continue;
      if (old && old.v === value.v && old.e === value.e && old.w === value.w && old.surface === value.surface) continue;
      if (!asked && value.e !== undefined) continue;
      this.old.set(key, value);
      changed.push(name);
      values.push(value);
    }
    if (asked && !changed.length) return;
    this.recorder.notes.write({ k: 'line', at: this.at, f: call.function, c: call.call, ...(asked ? { v: all } : { a: changed, v: values }) });
  }

  values() {
    const { notes } = this.recorder;
    return this.state().map(([name, get, declared]) => {
      const found = attempt(get), key = declared === undefined ? name : `${name} ${declared}`;
      if (found.e !== undefined) return [name, found, key];
      const shown = notes.value(found.value); // without w where all is seen, and where not all can be
      if (!shown.w) Object.defineProperty(shown, 'surface', { value: surface(found.value, (v) => notes.identity(v)) });
      return [name, shown, key];
    }).filter(([, v]) => this.asked || !/^TypeError: it is/.test(v.e || ''));
  }
}

module.exports = { Steps };
