// A hundred and twenty customers are billed. One of them gets nothing off, because in
// his round another branch was taken.
interface Customer {
  readonly id: number;
  readonly years: number;
  readonly parcels: number;
}

interface Bill {
  id: number;
  gross: number;
  off: number;
  net: number;
}

const STEPS: ReadonlyArray<readonly [from: number, percent: number]> = [[0, 0], [2, 5], [5, 10], [10, 20]];

function percent(years: number): number {
  let best = 0;
  for (const [from, value] of STEPS) {
    if (years >= from) best = value;
  }
  return best; //@mark percent
}

class Tariff {
  private served = 0;
  private refused = 0;

  constructor(private readonly limit: number) {}

  gross({ parcels }: Customer): number {
    const full = Math.floor(parcels / 10);
    return full * 45 + (parcels % 10) * 5;
  }

  bill(customer: Customer): Bill {
    this.served++;
    const gross = this.gross(customer);
    let off = 0; //@mark nothing
    const regular = customer.years > 1;
    if (regular && this.served % this.limit !== 0) {
      off = Math.round(gross * percent(customer.years) / 100); //@mark off
    } else if (regular) {
      this.refused++; //@mark refused
    }
    const net = gross - off; //@mark net
    return { id: customer.id, gross, off, net };
  }
}

function* customers(n: number): Generator<Customer> {
  for (let id = 1; id <= n; id++) yield { id, years: id % 13, parcels: (id * 7) % 50 + 3 };
}

class Ledger {
  readonly bills: Bill[] = [];
  total = 0;

  put(bill: Bill): void {
    this.bills.push(bill);
    this.total += bill.net;
  }

  find(id: number): Bill {
    const index = this.bills.findIndex((b) => b.id === id);
    return this.bills[index]!;
  }
}

const tariff = new Tariff(100);
const ledger = new Ledger();
for (const customer of customers(120)) ledger.put(tariff.bill(customer));
const wrong = ledger.find(100);
console.log(wrong.off, ledger.total); //@mark tariff
