# Meters adds up what meters have read. One of the sums is too low.
import sys


class Reading:
    def __init__(self, meter, text):
        self.meter, self.text = meter, text
        self.value = 0


class Meter:
    def __init__(self, name):
        self.name = name
        self.readings = []
        self.sum = 0

    def add(self, reading):
        self.readings.append(reading)
        self.sum += reading.value


class Parser:
    """Reads lines such as "a 12", "a 12 kWh" and "a (12)", which is given back."""

    def __init__(self):
        self.factor = 1
        self.sign = 1
        self.lines = 0
        self.bad = []

    def words(self, line):
        words = line.split()
        if len(words) not in (2, 3):
            self.bad.append(line)
            return None
        return words

    def unit(self, words):
        self.factor = 1
        if len(words) == 3:
            self.factor = {"kWh": 1000, "Wh": 1}[words[2]]

    def parse(self, line):
        self.lines += 1
        words = self.words(line)
        if words is None:
            return None
        self.unit(words)
        reading = Reading(words[0], words[1])
        digits = words[1]
        if digits.startswith("("):
            self.sign = -1  #@mark negative
            digits = digits[1:-1]
        elif digits.startswith("+"):
            self.sign = 1  #@mark positive
            digits = digits[1:]
        size = int(digits) * self.factor
        reading.value = size * self.sign  #@mark value
        return reading


class Store:
    def __init__(self):
        self.meters = {}

    def put(self, reading):
        meter = self.meters.setdefault(reading.meter, Meter(reading.meter))
        meter.add(reading)

    def lowest(self):
        return min(self.meters.values(), key=lambda m: m.sum)


def lines(count):
    for n in range(count):
        name = "abcdefgh"[n % 8]
        if n == 97:
            yield "%s (%d)" % (name, n)
        elif n == 40:
            yield "too short"[:3]
        elif n % 9 == 0 and n < 97:
            yield "%s +%d Wh" % (name, n)
        else:
            yield "%s %d" % (name, n)


def main():
    parser, store = Parser(), Store()
    for line in lines(int(sys.argv[1]) if len(sys.argv) > 1 else 120):
        reading = parser.parse(line)
        if reading is not None:
            store.put(reading)
    low = store.lowest()
    last = low.readings[-1]
    print(low.name, low.sum, last.text, last.value)  #@mark meters


main()
