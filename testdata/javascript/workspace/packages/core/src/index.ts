export interface Line { sku: string; price: number; count: number }

export class Cart {
  lines: Line[] = [];
  add(line: Line): void {
    this.lines.push(line);
  }
  total(): number {
    let sum = 0; // [total]
    for (const line of this.lines) {
      sum += line.price * line.count; // [sum]
    }
    return sum;
  }
}

export function discount(total: number): number {
  if (total > 100) { // [discount]
    return total * 0.9;
  }
  return total;
}
