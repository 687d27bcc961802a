// What must mean the same with the recorder's statements in it, in ES modules.
import fs, { readFileSync as read } from 'node:fs';
import * as other from './other.mjs';
import again, { count, increase, Point } from './other.mjs';

export const first = 1, second = first + 1;
export let live = 0;
export default class { static made = 'default' }
const out = [];
const say = (...args) => { out.push(args.map(String).join(' ')); };

say(count, increase(), count, other.count, again(), typeof fs.readFileSync === typeof read);
const { Later } = await import('./other.mjs');
say(new Later(2).twice, typeof this, import.meta.url.endsWith('modern.mjs'));
try { undeclared = 1; } catch (e) { say(e.name); }

class Base {
  static #made = 0;
  static kept = [];
  static { let n = 1; n += 1; Base.kept.push(n); this.#made = n; }
  #secret = 1;
  open = this.#secret + 1;
  bound = () => this.#secret;
  ['comp' + 'uted'] = 3;
  'quoted' = 4;
  constructor(x) { this.x = x; Base.#made++; }
  get secret() { return this.#secret; }
  set secret(v) { this.#secret = v; }
  #hidden(v) { return v + this.#secret; }
  raise(by = 1) { this.#secret += by; this.#secret++; return this.#hidden(by); }
  static has(o) { return #secret in o; }
  static get made() { return Base.#made; }
  *[Symbol.iterator]() { yield this.x; yield* [this.open]; }
  async *later() { for await (const v of [Promise.resolve(1), 2]) yield v; }
}
class Derived extends Base {
  own = this.x * 2;
  constructor(x) {
    const before = x + 1;
    if (x > 100) return { early: true };
    super(before);
    this.after = super.raise(2);
  }
  raise(by) { return super.raise(by) * 10; }
  get secret() { return super.secret + 1000; }
}
const d = new Derived(1);
say(d.own, d.after, d.raise(1), d.secret, d.bound(), d.computed, d.quoted, [...d], Base.made, Base.kept, Base.has(d), Base.has({}), new Derived(101).early);
try { new (class extends Base { constructor() { try { this.x = 1; } catch (e) { say(e.name); } super(1); } })(); } catch (e) { say(e.message); }

async function slow(n) { await null; live += n; if (n > 2) throw new RangeError('n ' + n); return n; }
say(await Promise.all([slow(1), slow(2)]), live);
try { await slow(3); } catch (e) { say(e.message); }
say((await Promise.allSettled([slow(4), slow(0)])).map((r) => r.status));
const seen = [];
for await (const v of d.later()) seen.push(v);
say(seen);
const order = [];
setTimeout(() => order.push('timeout'), 0);
setImmediate(() => order.push('immediate'));
process.nextTick(() => order.push('tick'));
Promise.resolve().then(() => order.push('promise')).then(() => order.push('second'));
(async () => { order.push('sync'); await 0; order.push('awaited'); })();
order.push('end');
await new Promise((r) => setTimeout(r, 20));
say(order.filter((x) => x !== 'immediate' && x !== 'timeout'));

const o = { a: { b: null, f() { return this === o.a; } } };
say(o?.a?.b?.c, o.a?.f(), o.a.f?.(), o.none?.(), o?.['a'].f(), (o.a.f)(), delete o?.a?.b);
let n = null;
n ??= 5; n ||= 6; n &&= 7;
o.x ??= n; o.x **= 2;
say(n, o.x, 2 ** -1, -(2 ** 2), 1_000n * 2n);
const tag = (s, ...v) => s.raw.join('|') + v.join(',') + Object.isFrozen(s);
const strings = (s) => s;
const once = () => strings`a${1}`;
say(tag`a${n}\n${o.x}c`, once() === once(), `x${`y${n}`}z`);
say(new (function () { return { t: new.target === undefined }; })().t, (() => { try { return eval('n + 1'); } finally { n = 0; } })(), n);
const gen = (function* () { const got = yield 1; try { yield got; } catch (e) { yield 'caught ' + e; } })();
say(gen.next().value, gen.next('g').value, gen.throw('t').value, gen.next().done);
const { x: { y = 2, ...others } = {}, [`k${1}`]: k1 = 'k' } = { x: { z: 3 } };
say(y, JSON.stringify(others), k1);
say([..."ab"].map((c, i, { length }) => c + i + length), Math.max(...[1, 3, 2]), [, 1].length);
say(((a, b = 2, ...c) => {}).length, (async () => {}).constructor.name, Point.name, Derived.name, (class { static name = 'mine'; }).name);
const sym = Symbol('s');
const getters = { get [sym]() { return 's'; }, __proto__: { inherited: 1 }, async m() { return 1; }, *g() { yield 1; } };
say(getters[sym], getters.inherited, await getters.m(), [...getters.g()]);
label: for (let i = 0, j = 10; ; i++, j--) { for (;;) { if (i > j) break label; continue label; } }
let re = /a(\d)/g, m, found = [];
while ((m = re.exec('a1a2')) !== null) found.push(m[1]);
say(found);
var i = 0; if (i++ === 0) i += 5; else i = -1;
do { i--; if (i === 3) break; } while (i);
say(i, (() => ({ i }))().i, (() => { })(), void 0, typeof undeclared);
const frame = new Error('where').stack.split('\n')[1];
say(/modern\.mjs:(\d+)/.exec(frame)[1]);
const weak = new WeakRef(o); say(weak.deref() === o);
console.log(out.join('\n'));
