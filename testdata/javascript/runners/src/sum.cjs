const zero = 0;

function sum(list) {
  let total = zero;
  for (const n of list) {
    total += n; //@mark add
  }
  return total;
}

module.exports = { sum };
