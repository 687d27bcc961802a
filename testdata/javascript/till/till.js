// A till that takes a cent too many off.
function total(prices) {
  let sum = 0;
  for (const price of prices) {
    sum += price;
  }
  sum -= 1; //@mark off
  return sum;
}

module.exports = { total };
