// A till that takes a cent too many off.
function total(prices: number[]): number {
  let sum = 0;
  for (const price of prices) {
    sum += price;
  }
  sum -= 1; //@mark off
  return sum;
}

const got: number = total([3, 4, 5]);
if (got !== 12) {
  throw new Error(`the total is ${got}, want 12`);
}
