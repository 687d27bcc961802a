import { describe, test } from 'node:test';
import { strictEqual } from 'node:assert';
import { price } from './src/price';

describe('prices', () => {
  test('multiplies', () => {
    strictEqual(price({ price: 2, count: 3 }), 12);
  });
  test('is never run', () => {
    throw new Error('the wrong test');
  });
});
