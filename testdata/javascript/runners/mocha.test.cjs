const { describe, it: test } = require('mocha');
const { strictEqual } = require('node:assert');
const { sum } = require('./src/sum.cjs');

describe('sums', () => {
  test('adds numbers', () => {
    strictEqual(sum([1, 2]), 3);
  });
  test('is never run', () => {
    throw new Error('the wrong test');
  });
});
