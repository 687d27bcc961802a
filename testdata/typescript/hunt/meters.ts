// Meters are read from lines of text. The reading of the last one is negative: what a
// line before it has left behind in the parser.
interface Reading {
  meter: string;
  value: number;
  unit: Unit;
}

enum Unit {
  Watt = 'W',
  Litre = 'l',
}

class Parser {
  private sign = 1;
  private unit: Unit = Unit.Watt;
  readonly faults: string[] = [];

  constructor(private readonly strict: boolean) {}

  parse(line: string): Reading | undefined {
    const [meter, text] = line.split(':').map((part) => part.trim());
    if (!meter || text === undefined) return this.fault(line);
    let digits = text;
    if (digits.startsWith('-')) {
      this.sign = -1; //@mark negative
      digits = digits.slice(1);
    }
    if (digits.endsWith(Unit.Litre)) {
      this.unit = Unit.Litre;
      digits = digits.slice(0, -1);
    }
    const size = Number(digits);
    if (Number.isNaN(size)) return this.fault(line);
    const value = size * this.sign; //@mark value
    this.reset();
    return { meter, value, unit: this.unit }; //@mark reading
  }

  private reset(): void {
    this.sign = 1; //@mark reset
    this.unit = Unit.Watt;
  }

  private fault(line: string): undefined {
    this.faults.push(line);
    if (this.strict) throw new SyntaxError(line);
    return undefined;
  }
}

class Meter {
  readonly readings: Reading[] = [];

  constructor(readonly name: string) {}

  add(reading: Reading): void {
    this.readings.push(reading);
  }

  get last(): Reading | undefined {
    return this.readings.at(-1);
  }
}

class House {
  readonly meters = new Map<string, Meter>();

  meter(name: string): Meter {
    let meter = this.meters.get(name);
    if (!meter) this.meters.set(name, (meter = new Meter(name)));
    return meter;
  }

  read(parser: Parser, text: string): void {
    for (const line of text.trim().split('\n')) {
      const reading = parser.parse(line);
      if (reading) this.meter(reading.meter).add(reading);
    }
  }
}

const text = `
kitchen: 120
cellar: -7
bath: 15l
garden: -x3
cellar: 9
kitchen: 113
`;

const house = new House();
house.read(new Parser(false), text);
const cellar = house.meter('cellar');
const last = cellar.readings[1]!;
console.log(last.value, house.meters.size); //@mark meters
