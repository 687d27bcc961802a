interface Item {
  price: number;
  count: number;
}

function total(items: Item[]): number {
  let sum = 0;
  for (const item of items) {
    sum += item.price * item.count; //@mark sum
  }
  return sum;
}

console.log('total', total([{ price: 2, count: 3 }, { price: 4, count: 1 }]));
