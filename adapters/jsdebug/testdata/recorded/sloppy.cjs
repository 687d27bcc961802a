#!/usr/bin/env node
'a directive that says nothing'
// What must mean the same with the recorder's statements in it, in sloppy code.
const out = []
const say = (...args) => { out.push(args.map(String).join(' ')) }

// semicolons that are not there
let a = 1
let b = a
++b
say(a, b)
;[1, 2].forEach((x) => say(x))
const t = 'x'
say(t)
do a++; while (a < 4)
say(a)
if (a) b = 1
else b = 2
if (!a) b = 3; else if (a > 100) b = 4; else for (let i = 0; i < 3; i++) if (i % 2) b += i; else b -= i
say(b)
for (var q = 0, w = 5; q < w; q++, w--);
say(q, w)

// var and function of one name, hoisting, duplicate functions
function hoisted() { return typeof inner + typeof late; var late = 1; function inner() {} }
say(hoisted())
function twice() { return f(); function f() { return 1 } function f() { return 2 } }
say(twice())
function both() { var g = 5; function g() {} return g }
say(both())
function parameter(p) { function p() { return 'in' } return typeof p }
say(parameter(1))
function evaluates() { eval('var made = 7'); return made }
say(evaluates())
say((function () { return typeof this })())
say((function () { 'use strict'; return typeof this })())
say((function () { "use strict"
  try { undeclared = 1 } catch (e) { return e.name } })())
function args(x) { arguments[0] = 9; return x }
say(args(1))
implicit = 3
say(implicit, delete globalThis.implicit, typeof implicit)

// with
with ({ x: 5, get y() { say('getter'); return 6 } }) { var z = x + y; x = 2 }
say(z)
with (new Proxy({}, { has(_, k) { return k === 'magic' }, get(_, k) { return typeof k === 'string' ? k : undefined } })) { z = magic }
say(z)

// labels, switch, comma, conditional
outer: for (const i of [0, 1, 2]) { inner: for (const j of [0, 1, 2]) { if (j === 1) continue outer; if (i === 2) break outer; say(i, j) } }
block: { if (a) break block; say('never') }
function chosen(x) { switch (x) { case 1: let y = 'one'; return y; case 2: case 3: x = 'more'; break; default: x = 'none' } return x }
say(chosen(1), chosen(2), chosen(3), chosen(4))
let c = (a++, b++, a + b)
say(c, a ? b ? 1 : 2 : 3)
while ((c -= 1) > 8) if (c % 2) continue; else say(c)

// a function's own text, its name and its length
function text(p, q = 2) { let r = p; return r + q }
say(text, text.toString().length, text.length, (() => 1 + 1).toString(), Function.prototype.toString.toString())
const named = () => {}, object = { method() {}, arrow: () => {}, ['comp' + 1]: function () {} }
say(named.name, object.method.name, object.arrow.name, object.comp1.name)

// getters and proxies are not asked more often than the program does
let asked = 0
const lazy = { get value() { asked++; return { deep: asked } }, set value(v) { asked += 10 } }
const seen = lazy.value.deep
lazy.value = seen
lazy.value += 1
let traps = []
const proxy = new Proxy({ n: 1 }, { get(o, k) { traps.push('get ' + String(k)); return o[k] }, set(o, k, v) { traps.push('set ' + k); o[k] = v; return true }, has() { traps.push('has'); return true }, getOwnPropertyDescriptor() { traps.push('desc'); return undefined }, ownKeys() { traps.push('keys'); return [] } })
proxy.n = proxy.n + 1
const { n: fromProxy } = proxy
const key = { toString() { asked += 100; return 'k' } }
const table = {}
table[key] = 1
say(asked, traps, fromProxy, table.k)

// generators, iterators that are closed
function* count() { try { let i = 0; while (true) { const back = yield i++; if (back) i = back } } finally { say('closed') } }
for (const x of count()) { if (x > 2) break }
const g = count(); g.next(); say(g.next(10).value, g.return(4).value)
function* all() { yield* [1, 2]; return 3 }
say([...all()])

// errors keep their messages and where they are caught
function thrower() { throw new TypeError('bad') }
try { thrower() } catch ({ message, name }) { say(message, name) } finally { say('finally') }
function overrides() { try { return 'try' } finally { return 'finally' } }
say(overrides())
function through() { for (const x of [1]) { try { continue } finally { say('f') } } return 'end' }
say(through())
try { null.x } catch (e) { say(e.message) }
try { say(tdz); let tdz = 1 } catch (e) { say(e.name) }
const deep = (n) => n ? deep(n - 1) : 'deep'
say(deep(1000))

// destructuring, defaults that see other parameters, closures in them
function defaults(x, y = x + 1, z = () => { y++; return x + y }) { x = 10; return [x, y, z(), y] }
say(defaults(1))
let d1, d2, rest
;[d1, d2 = 5, ...rest] = [1, undefined, 3, 4]
;({ d1, x: d2 = 7, ...rest } = { d1: 2, e: 1 })
say(d1, d2, JSON.stringify(rest))
for (const [k, { v = 3 }] of Object.entries({ a: {}, b: { v: 4 } })) say(k, v)
for (object.at of [1, 2]) say(object.at)
for (var i in { p: 1, r: 2 }) say(i)
const fns = []
for (let i = 0; i < 3; i++) fns.push(() => i)
say(fns.map((f) => f()))
const comment = (x) => // => a trap
  /* => another */ ({ x })
say(comment(4).x, (/* no => here */) => 5)

// arrays and what changes them
const list = [3, 1, 2]
list.push(4); list.sort(); list.splice(1, 1); list.length = 2; list[5] = 1
delete list[0]
say(list, list.length)
const map = new Map([['a', 1]]); map.set('b', 2).set('c', 3); map.delete('a'); map.get('b')
say([...map])
Object.assign(table, { z: 1 }, null)
class Own extends Array { map() { throw new Error('asked') } static get [Symbol.species]() { throw new Error('species') } }
const own = Own.from([1]); own.push(2); say(own.length)
const frozen = Object.freeze({ n: 1 }); frozen.n = 2; say(frozen.n)
say(typeof require, module.exports === exports, this === exports)
console.log(out.join('\n'))
process.exitCode = 3
