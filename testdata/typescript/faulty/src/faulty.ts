// A shop that fails in the way which its first argument names.
import { execFileSync } from 'node:child_process';
import * as http from 'node:http';
import * as readline from 'node:readline';
import { Worker, isMainThread } from 'node:worker_threads';

interface Address {
  city: string;
}

type Way = () => unknown;

class Customer {
  name: string;
  address: Address;

  constructor(name: string, address: Address) {
    this.name = name;
    this.address = address;
  }
}

class Order {
  number: number;
  customer: Customer | null;
  prices: number[];

  constructor(number: number, customer: Customer | null, prices: number[]) {
    this.number = number;
    this.customer = customer;
    this.prices = prices;
  }
}

export function orders(): Order[] {
  const ann = new Customer('ann', { city: 'Turin' });
  return [new Order(1, ann, [30, 12]), new Order(2, null, [])];
}

function cityOf(order: Order, upper: boolean) {
  const unused = [1, 2, 3];
  const city = order.customer!.address.city; //@mark member
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

function rateOf(rates: Record<string, number>, order: Order) {
  const kind = order.number === 1 ? 'gold' : 'plain';
  return rates[kind].toFixed(2); //@mark key
}

function key() {
  const rates = { gold: 3, silver: 5 };
  for (const order of orders()) {
    rateOf(rates, order);
  }
}

export function mean(order: Order): bigint {
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

function find(number: number) {
  return orders().find((order) => order.number === number);
}

function result() {
  const wanted = 7;
  console.log(find(wanted)!.prices); //@mark result
}

function called() {
  const order = orders()[0];
  (order as any).settle(); //@mark called
}

function exit_code() {
  console.log('settling');
  process.exit(3);
}

function caught() {
  try {
    mean(orders()[1]);
  } catch (error) {
    console.error('cannot settle:', (error as Error).message);
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

function depthOf(tree: any, level: number): number {
  return 1 + depthOf(tree.child, level + 1); //@mark overflow
}

function overflow() {
  const tree: any = {};
  tree.child = tree;
  depthOf(tree, 0);
}

function memory() {
  const pages: number[][] = [];
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

async function settle(order: Order) {
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

const ways: Record<string, Way> = {
  member, index, key, zero, result, called, exit_code, caught, chained, busy, blocked, network, pending, overflow, memory, awaited, thread, task, child, library, rejected, fine,
};
if (process.argv[2] in ways || !isMainThread) {
  ways[process.argv[2]]();
}
