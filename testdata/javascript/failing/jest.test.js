const { beforeEach, describe, expect, test } = require('@jest/globals');

const wait = () => new Promise((resolve) => setTimeout(resolve, 1));

function parse(text) {
  if (!text) throw new TypeError('nothing to parse');
  return text.length;
}

async function load(id) {
  if (id < 0) throw new RangeError(`no id ${id}`);
  await wait();
  if (id > 9) throw new RangeError(`no row ${id}`); // [load]
  return { id };
}

describe('rows', () => {
  test('passes', async () => {
    expect(() => parse('')).toThrow('nothing');
    try {
      await load(-1);
    } catch {
      // It is none of the test's failures.
    }
    await load(-2).catch(() => {});
    await expect(load(-3)).rejects.toThrow('no id');
    await expect(load(10)).rejects.toThrow('no row');
    await Promise.allSettled([load(-4), load(11)]);
  });
  test('adds', () => {
    const sum = 1 + 2;
    expect(sum).toBe(4); // [sum]
  });
  test('loads', async () => {
    await load(12);
  });
  test('reads', async () => {
    const row = load(3);
    await expect(row).resolves.toEqual({ id: 4 }); // [resolves]
  });
  test.each([
    [1, 2],
    [2, 5],
  ])('doubles %i', (n, twice) => {
    expect(2 * n).toBe(twice); // [doubles]
  });
  describe('prepared', () => {
    beforeEach(() => {
      const state = {};
      state.user.name = 'x'; // [hook]
    });
    test('is not reached', () => {});
  });
});
