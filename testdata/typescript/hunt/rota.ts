// A rota for a week: on Sunday there are people who were never asked for it, because
// two days share one list.
type Name = string;

interface Day {
  name: string;
  people: Name[];
  notes: Record<string, string>;
}

class Rota {
  readonly days: Day[] = [];

  constructor(names: readonly string[], private readonly usual: Name[]) {
    for (const name of names) this.days.push(this.day(name));
  }

  private day(name: string): Day {
    const free = name === 'Sat' || name === 'Sun';
    const people = free ? this.usual : [...this.usual]; //@mark shared
    return { name, people, notes: {} };
  }

  of(name: string): Day {
    const day = this.days.find((d) => d.name === name);
    if (!day) throw new RangeError(name);
    return day;
  }

  add(name: string, ...people: Name[]): this {
    const day = this.of(name);
    for (const person of people) {
      day.people.push(person); //@mark added
      day.notes[person] = 'asked';
    }
    return this;
  }

  without(name: string, person: Name): this {
    const day = this.of(name);
    const at = day.people.indexOf(person);
    if (at >= 0) day.people.splice(at, 1);
    return this;
  }

  count(): Map<Name, number> {
    const counts = new Map<Name, number>();
    for (const day of this.days) {
      for (const person of day.people) counts.set(person, (counts.get(person) ?? 0) + 1);
    }
    return counts;
  }
}

function weekend<T extends Day>(days: T[]): T[] {
  return days.filter(({ name }) => name.startsWith('S'));
}

const rota = new Rota(['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'], ['ann']);
rota.add('Mon', 'bob', 'cid').add('Wed', 'eve').without('Mon', 'ann');
rota.add('Sat', 'dan'); //@mark saturday
rota.add('Fri', 'bob');
const sunday = rota.of('Sun');
const second = sunday.people[1];
console.log(second, weekend(rota.days).length, rota.count()); //@mark rota
