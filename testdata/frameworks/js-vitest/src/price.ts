export interface Rate {
  from: number;
  percent: number;
}

const rates: Rate[] = [
  { from: 100, percent: 10 },
  { from: 10, percent: 5 },
];

export function discounted(price: number, count: number): number {
  const rate = rates.find((r) => count >= r.from);
  const whole = price * count;
  return whole - (whole * (rate?.percent ?? 0)) / 100; // @mark discount
}
