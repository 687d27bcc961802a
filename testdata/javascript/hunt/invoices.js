// Invoices are written in the currency of each customer. The last one is wrong: the
// price of a desk is that of another customer, far from where it shows.
'use strict';

const RATES = { EUR: 1, USD: 1.1, GBP: 0.9 };
const COUNTRIES = { DE: { currency: 'EUR', tax: 19 }, US: { currency: 'USD', tax: 7 }, UK: { currency: 'GBP', tax: 20 } };

class Article {
  constructor(name, cents) {
    this.name = name;
    this.cents = cents;
  }
}

class Customer {
  constructor(name, country, grade) {
    this.name = name;
    this.country = country;
    this.grade = grade;
  }
}

class Catalogue {
  #articles = new Map();

  add(article) {
    this.#articles.set(article.name, article);
    return this;
  }

  find(name) {
    const article = this.#articles.get(name);
    if (!article) throw new Error(`there is no ${name}`);
    return article;
  }
}

// Prices keeps what it has worked out.
class Prices {
  constructor() {
    this.known = new Map();
    this.asked = 0;
  }

  of(article, customer) { //@mark of
    this.asked++;
    const key = `${article.name}/${customer.grade}`;
    if (!this.known.has(key)) {
      const { currency, tax } = COUNTRIES[customer.country];
      const net = article.cents * RATES[currency] * (customer.grade === 'gold' ? 0.9 : 1);
      const gross = Math.round(net * (100 + tax) / 100);
      this.known.set(key, gross); //@mark kept
    }
    return this.known.get(key); //@mark found
  }
}

class Line {
  constructor(article, amount, price) {
    this.article = article;
    this.amount = amount;
    this.price = price; //@mark line
  }

  get sum() {
    return this.amount * this.price;
  }
}

class Invoice {
  constructor(customer) {
    this.customer = customer;
    this.lines = [];
  }

  put(prices, article, amount) {
    const each = prices.of(article, this.customer);
    const line = new Line(article, amount, each); //@mark made
    this.lines.push(line);
    return line;
  }

  total() {
    return this.lines.reduce((sum, line) => sum + line.sum, 0);
  }
}

function orders() {
  return [
    ['ann', [['lamp', 2], ['chair', 4]]],
    ['bob', [['desk', 1]]],
    ['eve', [['lamp', 1], ['desk', 2]]],
  ];
}

function main() {
  const catalogue = new Catalogue().add(new Article('lamp', 4000)).add(new Article('chair', 9000)).add(new Article('desk', 12000));
  const customers = { ann: new Customer('ann', 'DE', 'gold'), bob: new Customer('bob', 'US', 'plain'), eve: new Customer('eve', 'UK', 'plain') };
  const prices = new Prices();
  const invoices = new Map();
  for (const [name, wanted] of orders()) {
    const invoice = new Invoice(customers[name]);
    for (const [article, amount] of wanted) invoice.put(prices, catalogue.find(article), amount);
    invoices.set(name, invoice);
  }
  const last = invoices.get('eve');
  const desk = last.lines[1];
  console.log(desk.price, last.total()); //@mark invoices
}

main();
