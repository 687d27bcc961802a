'use strict';
// Each call of g says itself where it is called: by which function, at which line; @ is that of
// each line.
const made = Error.captureStackTrace;
let captured = 0;
Error.captureStackTrace = function (...args) { captured++; return made.apply(this, args); };

function g(want) { const seen = want; return seen; }

class Shape {
  constructor() { this.size = g('Shape @'); }
  get wide() { return g('Shape.wide @'); }
  toString() { return g('Shape.toString @'); }
}

function* values() {
  g('values @');
  const got = yield g('values @');
  got ?? g('values @');
}

async function later() {
  g('later @');
  await null;
  g('later @');
}

const three = { [Symbol.iterator]: () => { let n = 0; return { next() { g('next @'); return { done: n++ > 2 }; } }; } };

function all() {
  let sum = 0;
  for (let i = [g('all @')].length; i < 3; i++) sum += i;
  for (const x of three) {
    g('all @');
    if (sum > 1e9) continue;
  }
  [1, 2].forEach(() => g('(anonymous) @'));
  g('all @'), `${new Shape()}`, new Shape().wide;
  const it = values();
  it.next();
  g('all @');
  it.next();
  later();
  g('all @');
  try { fails(2); } catch { g('all @'); } finally { g('all @'); }
  with_default();
  switch (g('all @')) { default: g('all @'); }
  return g('all @');
}
function fails(n) { if (n) fails(n - 1); throw g('fails @'); }
function with_default(a = 1, { b = a } = {}) { return g('with_default @') + b; }

function hot(rounds) {
  let last;
  for (let i = 0; i < rounds; i++) last = warm(i);
  return last;
}
function warm(i) { return i % 2 ? g('warm @') : g('warm @'); }

all();
setTimeout(() => { g('(anonymous) @'); all(); }, 1);
setImmediate(() => {
  const before = captured;
  hot(5000);
  g('(anonymous) @');
  process.on('exit', () => console.log(`captured for 5000 calls: ${captured - before < 50}`));
});
