export function withTax(net: number, percent: number): number {
  const tax = (net * percent) / 100;
  const gross = net + tax; // @mark gross
  return gross;
}
