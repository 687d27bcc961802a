const assert = require('node:assert');
const { beforeEach, describe, test } = require('node:test');

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
    assert.throws(() => parse(''), /nothing/);
    try {
      await load(-1);
    } catch {
      // It is none of the test's failures.
    }
    await load(-2).catch(() => {});
    await assert.rejects(load(-3), /no id/);
    await assert.rejects(() => load(-3), /no id/);
    await assert.rejects(load(10), /no row/);
    await Promise.allSettled([load(-4), load(11)]);
  });
  test('adds', () => {
    const sum = 1 + 2;
    assert.strictEqual(sum, 4); // [sum]
  });
  test('loads', async () => {
    await load(12);
  });
  test('reads', async () => {
    const row = load(3);
    assert.deepStrictEqual(await row, { id: 4 }); // [resolves]
  });
  for (const [n, twice] of [
    [1, 2],
    [2, 5],
  ]) test('doubles ' + n, () => {
    assert.strictEqual(2 * n, twice); // [doubles]
  });
  describe('prepared', () => {
    beforeEach(() => {
      const state = {};
      state.user.name = 'x'; // [hook]
    });
    test('is not reached', () => {});
  });
});
