"""Tour goes through what a debugger is asked for; its first argument names the
part. The same program stands in testdata for every language."""

import sys  # @mark main
import threading
import time


class TourError(Exception):
    pass


def loop():
    items = [3, 1, 4, 1, 5, 9, 2, 6, 5, 4]
    total = 0  # @mark loop-start
    for i in range(10):
        item = items[i]
        total += item  # @mark sum
    print("total", total)  # @mark loop-end


def twice(n):
    result = n * 2  # @mark twice
    return result  # @mark twice-return


def combine(a, b):
    both = a + b  # @mark combine
    return both  # @mark combine-return


def calls():
    count = 6  # @mark calls-start
    first = twice(count)  # @mark call
    second = combine(twice(first), count)  # @mark nested
    count = count + second  # @mark after
    print("calls", count, first)  # @mark calls-end


class Address:
    def __init__(self, city, tags):
        self.city = city
        self.tags = tags


class Person:
    def __init__(self, name, age, address):
        self.name = name
        self.age = age
        self.address = address

    def __repr__(self):
        return f"Person({self.name!r}, {self.age})"


def values():
    yes = True
    whole = 42
    huge = 9007199254740993
    ratio = 1.5
    name = "grüße 🙂"
    lines = 'one\n"two"'
    list = [10, 20, 30]
    ages = {"one": 1, "two": 2}
    ada = Person("Ada", 36, Address("Paris", ["x", "y"]))
    nothing = None
    print("values", yes, whole, huge, ratio, name, lines, list, ages, ada, nothing)  # @mark values-end


class Level:
    def __init__(self, depth, next):
        self.depth = depth
        self.next = next


def big():
    million = list(range(1_000_000))
    text = "0123456789" * 100_000
    deep = None
    for i in range(50, 0, -1):
        deep = Level(i, deep)
    print("big", len(million), len(text), deep.depth)  # @mark big-end


counter = 10


def bump():
    global counter
    counter += 1  # @mark write
    print("bumped")  # @mark written
    print("for sure")  # @mark written-after


def watch():
    print("watch", counter)  # @mark watch-start
    bump()
    print("counter", counter)  # @mark watch-end


def fail(code):
    raise TourError(f"tour failed: {code}")  # @mark throw


def throw():
    print("before")
    fail(7)  # @mark throw-call


def catch():
    try:
        fail(8)
    except TourError as caught:
        print("caught", caught)  # @mark caught


def exit3():
    print("last words")
    print("last complaint", file=sys.stderr)
    sys.exit(3)  # @mark exit


def streams():
    for i in range(1, 4):
        print("out", i)
        print("err", i, file=sys.stderr)  # @mark stream
    print("no newline at the end", end="")


def echo():
    n = 0
    for line in sys.stdin:
        n += 1
        print(f"{n}: {line.rstrip()}")  # @mark line
    print("end after", n, "lines")


def spin():
    print("spinning")
    limit = -1
    n = 0
    while limit < 0 or n < limit:
        n += 1  # @mark spin
    print("spun")


def tick(n):
    print("tick", n)  # @mark tick


def sleep():
    for n in range(2400):
        tick(n)
        time.sleep(0.05)


def hold(gate, arrived):
    arrived.release()
    gate.wait()  # @mark hold


def threads():
    gate = threading.Event()
    arrived = threading.Semaphore(0)
    workers = [threading.Thread(target=hold, args=(gate, arrived)) for _ in range(20)]
    for worker in workers:
        worker.start()
    for _ in workers:
        arrived.acquire()
    time.sleep(0.1)  # until each stands at the gate
    print("gathered")  # @mark gathered
    gate.set()
    for worker in workers:
        worker.join()


def dive(depth):
    if depth == 0:
        return 0  # @mark bottom
    return dive(depth - 1) + 1


def recursion():
    print("depth", dive(500))


if __name__ == "__main__":
    globals()[sys.argv[1] if len(sys.argv) > 1 else "loop"]()
