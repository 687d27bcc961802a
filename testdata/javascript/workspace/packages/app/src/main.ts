import { Cart, discount } from '@ws/core';

const cart = new Cart();
cart.add({ sku: 'a', price: 50, count: 2 });
cart.add({ sku: 'b', price: 10, count: 3 });
console.log('total', discount(cart.total()));
