const { describe, test, expect } = require('@jest/globals');
const { sum } = require('./src/sum.cjs');

describe('sums', () => {
  test('adds numbers', () => {
    expect(sum([1, 2])).toBe(3);
  });
  test('is never run', () => {
    throw new Error('the wrong test');
  });
});
