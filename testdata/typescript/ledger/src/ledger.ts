// Ledger is a program whose values come from elsewhere, for questions about how.
interface Rates {
  low: number;
  high: number;
}

type Accounts = Record<string, Account>;

class Account {
  owner: string;
  balance: number;

  constructor(owner: string, balance: number) {
    this.owner = owner;
    this.balance = balance; //@mark opened
  }
}

class Book {
  accounts: Accounts = {};
  limits: number[] = new Array<number>(100).fill(0);
  fees = 0;

  pay(name: string, amount: number): void {
    const account = this.accounts[name]!;
    const part = fee(rates.high, amount); //@mark fee
    account.balance -= amount + part; //@mark balance
    this.fees += part; //@mark fees
    payments++; //@mark payments
  }

  async elsewhere(gift: number): Promise<void> {
    await Promise.all(['ann', 'bob', 'carol'].map(async (name) => {
      await null;
      this.accounts[name]!.balance += gift; //@mark thread
    }));
  }
}

const rates: Rates = { low: 1, high: 7 }; //@mark rates
let payments = 0;

function fee(rate: number, amount: number): number {
  const cut = Math.floor(amount * rate / 10); //@mark cut
  return cut; //@mark returned
}

// spread goes wrong in one round of many.
function spread(limits: number[]): void {
  for (let i = 0; i < limits.length; i++) {
    let limit = i * 2;
    if (i === 70) limit = -limit;
    limits[i] = limit; //@mark element
  }
}

const fib = (n: number): number => n < 2 ? n : fib(n - 1) + fib(n - 2);

async function main(): Promise<void> {
  const book = new Book();
  for (const name of ['ann', 'bob', 'carol']) {
    book.accounts[name] = new Account(name, 100);
  }
  let counter = 0;
  const count = (n: number): void => {
    counter += n; //@mark captured
  };
  await book.elsewhere(5);
  for (let i = 1; i <= 3; i++) {
    book.pay('bob', i * 10); //@mark pay
    count(i);
  }
  spread(book.limits);
  const again = book;
  again.fees = fib(process.argv.length + 4); //@mark alias
  const dan = new Account('dan', 1);
  Reflect.set(dan, 'balance', 9); //@mark reflected
  const bob = book.accounts.bob!;
  const left = bob.balance; //@mark left
  const seen = left; //@mark seen
  console.log(seen, counter, book.limits[70], book.fees, payments, book.accounts.ann!.balance); //@mark check
}

await main();
