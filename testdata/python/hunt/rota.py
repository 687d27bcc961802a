# Rota plans who works when. Somebody works on a day that nobody has put her on.
DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]


class Person:
    def __init__(self, name, hours, away=()):
        self.name, self.hours, self.away = name, hours, away
        self.planned = 0

    def can(self, day, hours):
        return day not in self.away and self.planned + hours <= self.hours


class Shift:
    def __init__(self, day, hours, needs):
        self.day, self.hours, self.needs = day, hours, needs
        self.people = []

    def missing(self):
        return max(0, self.needs - len(self.people))

    def put(self, person):
        self.people.append(person.name)  #@mark put
        person.planned += self.hours

    def copy(self, day):
        """The same for another day, with nobody on it yet."""
        other = Shift(day, self.hours, self.needs)
        if self.needs > 1:
            other.people = self.people  #@mark shared
        return other


class Rota:
    def __init__(self):
        self.shifts = {}
        self.open = []

    def lay(self, weekday, weekend):
        for day in DAYS:
            model = weekend if day in ("sat", "sun") else weekday
            self.shifts[day] = model.copy(day)

    def plan(self, staff):
        for day, shift in self.shifts.items():
            for person in sorted(staff, key=lambda p: p.planned):
                if not shift.missing():
                    break
                if person.can(day, shift.hours):
                    shift.put(person)  #@mark plan
            if shift.missing():
                self.open.append(day)

    def days_of(self, name):
        return [day for day, shift in self.shifts.items() if name in shift.people]


def staff():
    return [
        Person("ann", 40, away=("sat", "sun")),
        Person("bob", 20),
        Person("cy", 30, away=("mon",)),
        Person("di", 10, away=("mon", "tue", "wed", "thu", "fri")),
    ]


def main():
    rota = Rota()
    rota.lay(Shift("", 8, 1), Shift("", 5, 2))
    people = staff()
    rota.plan(people)
    sunday = rota.shifts["sun"]
    planned = {p.name: p.planned for p in people}
    print(rota.days_of("bob"), sunday.people, planned)  #@mark rota


main()
