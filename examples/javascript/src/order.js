// What an order costs, with a discount in percent taken off.

export function total(items, discount) {
  let sum = 0;
  for (const item of items) {
    sum += item.price * item.count;
  }
  return sum - sum * discount / 10;
}
