import { describe, test, expect } from 'vitest';
import { price } from './src/price';

describe('prices', () => {
  test('multiplies', () => {
    expect(price({ price: 2, count: 3 })).toBe(12);
  });
  test('is never run', () => {
    throw new Error('the wrong test');
  });
});
