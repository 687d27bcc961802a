import { describe, expect, it } from 'vitest';
import { discounted } from '../src/price';

describe('discounted', () => {
  it('takes five percent off ten', () => {
    expect(discounted(20, 10)).toBe(190);
  });

  it.each([
    { count: 1, want: 20 },
    { count: 100, want: 1800 },
  ])('costs $want for $count', ({ count, want }) => {
    expect(discounted(20, count)).toBe(want);
  });
});
