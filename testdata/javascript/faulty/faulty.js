// A shop that fails in the way which its first argument names.
'use strict';

const { execFileSync } = require('node:child_process');
const http = require('node:http');
const readline = require('node:readline');
const { Worker, isMainThread } = require('node:worker_threads');

class Customer {
  constructor(name, address) {
    this.name = name;
    this.address = address;
  }
}

class Order {
  constructor(number, customer, prices) {
    this.number = number;
    this.customer = customer;
    this.prices = prices;
  }
}

function orders() {
  const ann = new Customer('ann', { city: 'Turin' });
  return [new Order(1, ann, [30, 12]), new Order(2, null, [])];
}

function cityOf(order, upper) {
  const unused = [1, 2, 3];
  const city = order.customer.address.city; //@mark member
  return upper ? city.toUpperCase() : unused;
}

function member() {
  for (const order of orders()) {
    cityOf(order, true); //@mark member-caller
  }
}

function index() {
  const lines = orders();
  const position = lines.length + 2;
  return lines[position].prices; //@mark index
}

function rateOf(rates, order) {
  const kind = order.number === 1 ? 'gold' : 'plain';
  return rates[kind].toFixed(2); //@mark key
}

function key() {
  const rates = { gold: 3, silver: 5 };
  for (const order of orders()) {
    rateOf(rates, order);
  }
}

function mean(order) {
  let total = 0n;
  for (const price of order.prices) {
    total += BigInt(price);
  }
  const count = BigInt(order.prices.length);
  return total / count; //@mark zero
}

function zero() {
  for (const order of orders()) {
    mean(order);
  }
}

function find(number) {
  return orders().find((order) => order.number === number);
}

function result() {
  const wanted = 7;
  console.log(find(wanted).prices); //@mark result
}

function called() {
  const order = orders()[0];
  order.settle(); //@mark called
}

function exit_code() {
  console.log('settling');
  process.exit(3);
}

function caught() {
  try {
    mean(orders()[1]);
  } catch (error) {
    console.error('cannot settle:', error.message);
    process.exit(1);
  }
}

function chained() {
  try {
    mean(orders()[1]);
  } catch (error) {
    throw new Error('order 2 cannot be settled', { cause: error }); //@mark chained
  }
}

function busy() {
  const step = 0;
  let left = 1000;
  let rounds = 0;
  while (left > 0) { //@mark busy
    left -= step; //@mark busy-step
    rounds += 1; //@mark busy-rounds
  }
}

function blocked() {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  Atomics.wait(cell, 0, 0, 600_000); //@mark blocked
}

function network() {
  http.createServer(() => {}).listen(0, '127.0.0.1'); //@mark network
}

function pending() {
  const nobody = new Promise(() => {});
  setInterval(() => {}, 600_000);
  return nobody.then(() => console.log('never')); //@mark pending
}

function depthOf(tree, level) {
  return 1 + depthOf(tree.child, level + 1); //@mark overflow
}

function overflow() {
  const tree = {};
  tree.child = tree;
  depthOf(tree, 0);
}

function memory() {
  const pages = [];
  for (;;) {
    pages.push(new Array(1 << 20).fill(pages.length)); //@mark memory
  }
}

function awaited() {
  readline.createInterface({ input: process.stdin }).question('who? ', (name) => console.log(name)); //@mark input
}

function thread() {
  new Worker(__filename, { argv: ['zero'] });
}

async function settle(order) {
  await null;
  return mean(order);
}

async function task() {
  await Promise.all(orders().map(settle)); //@mark task
}

function child() {
  execFileSync(process.execPath, [...process.execArgv, __filename, 'zero'], { stdio: 'inherit' });
}

function library() {
  const text = '{"number": 1,}';
  JSON.parse(text); //@mark library
}

function rejected() {
  return Promise.reject(new RangeError('too late')); //@mark rejected
}

function fine() {
  console.log(mean(orders()[0]));
}

const ways = {
  member, index, key, zero, result, called, exit_code, caught, chained, busy, blocked, network, pending, overflow, memory, awaited, thread, task, child, library, rejected, fine,
};
if (require.main === module || !isMainThread) {
  ways[process.argv[2]]();
}

module.exports = { orders, mean };
