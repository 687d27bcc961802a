const assert = require('node:assert');
const test = require('node:test');
const { total } = require('./till.js');

test('total', () => {
  assert.strictEqual(total([3, 4, 5]), 12);
});
