export interface Item {
  price: number;
  count: number;
}

export const rate: number = 2;

export function price(item: Item): number {
  const total: number = item.price * item.count * rate; //@mark price
  return total;
}
