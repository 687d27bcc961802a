const { orders } = require('./faulty.js');

function discount(order, percent) {
  const kept = 100 - percent;
  let total = 0;
  for (const price of order.prices) {
    total += price;
  }
  return (total * kept) / 10;
}

test('discount by jest', () => {
  const order = orders()[0];
  expect(discount(order, 50)).toBe(21); //@mark jest
});
