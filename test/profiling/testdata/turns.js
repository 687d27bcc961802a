// Does 70 rounds of the one to 30 of the other and keeps something each time, until a file asks
// for its end.
'use strict';
const fs = require('fs');
const kept = [];

class Item {
  constructor(number) {
    this.number = number;
  }
}

function heavy() {
  let total = 0;
  for (let i = 0; i < 700_000; i++) total += (i * i) % 7;
  return total;
}

function light() {
  let total = 0;
  for (let i = 0; i < 300_000; i++) total += (i * i) % 7;
  return total;
}

function round() {
  heavy();
  light();
  kept.push(new Item(kept.length));
  if (!fs.existsSync('end')) return setTimeout(round, 2);
  console.log('as before: True');
}
round();
