// The lines of the call that is followed, as they run.
'use strict';
const { types } = require('util');
const { attempt, member } = require('./looks.cjs');
const { surface } = require('./surface.cjs');

const FIELDS = 60; // of the object that a call is made on

class Steps {
  constructor(recorder, call) {
    this.recorder = recorder;
    this.call = call;
    this.asked = recorder.wish.lines.expressions;
    this.at = ''; // the line that runs
    this.old = new Map(); // values, by what is asked for, or by variables: one may hide another of its name
    this.state = undefined; // gives what is to be looked at there
    this.begun = false;
    this.fields = new Set(); // that the object which the call is made on was seen to have
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
      const old = this.old.get(key), before = old && others.length && !name.startsWith('this') && name.split(/[^\w$]+/).some((word) => others.includes(word));
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
    return this.looks().map(([name, get, declared]) => {
      const found = attempt(get), key = declared === undefined ? name : `${name} ${declared}`;
      if (found.e !== undefined) return [name, found, key];
      const shown = notes.value(found.value); // without w where all is seen, and where not all can be
      if (!shown.w) Object.defineProperty(shown, 'surface', { value: surface(found.value, (v) => notes.identity(v)) });
      return [name, shown, key];
    }).filter(([, v]) => this.asked || !/^TypeError: it is/.test(v.e || ''));
  }

  // looks are what is to be looked at: of the object that the call is made on its fields, those that are gone among them.
  looks() {
    if (this.asked) return this.state();
    return this.state().flatMap((look) => {
      if (look[0] !== 'this') return [look];
      const { value } = attempt(look[1]);
      if (typeof value !== 'object' || value === null || value === globalThis || types.isProxy(value)) return [];
      if (Array.isArray(value) || ArrayBuffer.isView(value)) return [look];
      const keys = Object.keys(value).slice(0, FIELDS).filter((key) => fixed(value, key));
      const gone = [...this.fields].filter((key) => !Object.hasOwn(value, key));
      this.fields = new Set([...this.fields, ...keys]);
      return [...types.isMap(value) || types.isSet(value) ? [look] : [], ...[...keys, ...gone].map((key) => [named(key), () => member(value, key)?.value])];
    });
  }
}

// fixed says that a field holds what can be looked at without a call, and is no method.
function fixed(object, key) {
  const d = Object.getOwnPropertyDescriptor(object, key);
  return d !== undefined && 'value' in d && typeof d.value !== 'function';
}

const named = (key) => (/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(key) ? `this.${key}` : `this[${JSON.stringify(key)}]`);

module.exports = { Steps };
