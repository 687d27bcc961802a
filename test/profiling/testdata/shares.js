// Says of what it does which share of its processor time each part has, by its own clock.
'use strict';
const { createHash } = require('crypto');
const spent = {};

function timed(name, work, ...args) {
  const began = process.cpuUsage();
  work(...args);
  const { user, system } = process.cpuUsage(began);
  spent[name] = (spent[name] || 0) + user + system;
}

function heavy() {
  let total = 0;
  for (let i = 0; i < 3_500_000; i++) total += (i * i) % 7;
  return total;
}

function light() {
  let total = 0;
  for (const n of numbers(80_000)) total += n % 7;
  return total;
}

function* numbers(n) {
  for (let i = 0; i < n; i++) yield i * i;
}

function native(data) {
  return createHash('sha256').update(data).digest('hex');
}

const data = Buffer.alloc(6_000_000);
const sum = () => Object.values(spent).reduce((a, b) => a + b, 0);

function round() {
  timed('heavy', heavy);
  timed('light', light);
  timed('native', native, data);
  if (sum() < 1_800_000) return setImmediate(round);
  for (const name in spent) console.log(`${name}=${(100 * spent[name] / sum()).toFixed(1)}`);
  process.exitCode = 3;
}
round();
