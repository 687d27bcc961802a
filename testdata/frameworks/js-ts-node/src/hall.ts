export enum Kind {
  Stalls = 'stalls',
  Gallery = 'gallery',
}

export class Hall {
  private readonly taken = new Map<string, Kind>();

  constructor(private readonly seats: number) {}

  get free(): number {
    return this.seats - this.taken.size;
  }

  take(kind: Kind, name: string): void {
    this.taken.set(name, kind);
    const left = this.free;
    if (left < 0) throw new RangeError('sold out'); // @mark taken
  }
}
