export class Till {
  inside = 100;

  take(given: number, price: number): number {
    const change: number = given - price;
    this.inside += price;
    return change; // @mark change
  }
}
