// Serves orders, and says in a file what it has served and whether it is as it was.
const fs = require('fs');

class Shop {
  constructor() { this.sum = 0; }
  serve(number, discount = 0) {
    const total = number * 20 - discount;
    this.sum += total;
    if (number % 7 === 6) throw new Error('bad ' + number);
    return total;
  }
}

const shop = new Shop();
let served = 0, number = 0, told = 0;

function step(number) {
  served += 1;
  try {
    return shop.serve(number, number % 3);
  } catch {
    return null;
  }
}

async function later(number) {
  await null;
  return step(number);
}

const whole = () => !Reflect.ownKeys(globalThis).some((key) => String(key).startsWith('__aidb_'));

setInterval(() => {
  number++;
  step(number);
  if (number % 10 === 0) later(number);
  if (Date.now() - told > 20) {
    told = Date.now();
    fs.writeFileSync('state.new', JSON.stringify({ whole: whole(), served, sum: shop.sum, number }));
    fs.renameSync('state.new', 'state.json');
  }
}, Number(process.argv[2]) * 1000);
