import { expect, test } from 'vitest';
import { withTax } from './index.js';

test('adds a fifth', () => {
  expect(withTax(50, 20)).toBe(60);
});
