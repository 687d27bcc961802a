const { Cart } = require('../cart');

describe('Cart', () => {
  describe('with items', () => {
    it('adds up the prices', () => {
      const cart = new Cart().add('tea', 4, 3).add('cup', 9);
      expect(cart.total()).toBe(21);
    });
  });

  it('is free when it is empty', () => {
    expect(new Cart().total()).toBe(0);
  });
});
