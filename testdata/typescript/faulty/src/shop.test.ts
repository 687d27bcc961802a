import * as assert from 'node:assert';
import * as fs from 'node:fs';
import { test } from 'node:test';
import { orders, mean } from './faulty';

function discount(order: { prices: number[] }, percent: number) {
  const kept = 100 - percent;
  let total = 0;
  for (const price of order.prices) {
    total += price;
  }
  return (total * kept) / 10; //@mark discount
}

test('discount', () => {
  const order = orders()[0];
  assert.strictEqual(discount(order, 50), 21); //@mark node-test
});

test('mean', () => {
  mean(orders()[1]);
});

test('fine', () => {
  assert.strictEqual(mean(orders()[0]), 21n);
});

test('flaky', () => {
  fs.appendFileSync('count', '.');
  assert.notStrictEqual(fs.statSync('count').size, 3); //@mark flaky
});
