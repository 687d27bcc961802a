const assert = require('node:assert');
const { orders } = require('./faulty.js');

function discount(order, percent) {
  const kept = 100 - percent;
  let total = 0;
  for (const price of order.prices) {
    total += price;
  }
  return (total * kept) / 10;
}

it('discount by mocha', () => {
  const order = orders()[0];
  assert.strictEqual(discount(order, 50), 21); //@mark mocha
});
