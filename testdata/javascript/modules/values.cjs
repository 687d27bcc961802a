class Order {
  #secret = 1;
  constructor() {
    this.items = [{ n: 1 }];
  }
  get total() {
    return 5;
  }
}

function values(list) {
  const map = new Map([['one', { n: 1 }]]);
  const set = new Set([1, 2]);
  const done = Promise.resolve(4);
  const order = new Order();
  const text = 'x'.repeat(500);
  const long = 'ü'.repeat(299990) + 'ü' + 'g'.repeat(9); // js-debug cuts it
  const add = (a, b) => a + b;
  return [list, map, set, done, order, text, long, add]; //@mark values
}

values([1, 2, 3]);
