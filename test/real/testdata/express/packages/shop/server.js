'use strict';
const express = require('express');
const { average } = require('./sums');

const orders = new Map([
  [1, { customer: 'Ada', lines: [{ price: 4.5, n: 2 }, { price: 1.25, n: 4 }] }],
  [2, { customer: 'Bob', lines: [] }],
]);

const app = express();

app.get('/orders/:number', (req, res) => {
  const order = orders.get(Number(req.params.number));
  const mean = average(order.lines);
  res.json({ customer: order.customer, mean: mean.toFixed(2), agent: req.get('accept-encoding') });
});

const server = app.listen(0, '127.0.0.1', () => {
  console.log(`listening on 127.0.0.1:${server.address().port}`);
});

module.exports = { server };
