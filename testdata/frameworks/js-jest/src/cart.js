class Cart {
  constructor() {
    this.items = [];
  }

  add(name, price, count = 1) {
    this.items.push({ name, price, count });
    return this;
  }

  total() {
    const sum = this.items.reduce((before, item) => before + item.price * item.count, 0);
    return sum; // @mark total
  }
}

module.exports = { Cart };
