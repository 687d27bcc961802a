# Says of what it does which share of its processor time each part has, by its own clock.
import hashlib
import sys
import threading
import time

SPENT = {}


def timed(name, work, *args):
    began = time.thread_time()
    work(*args)
    SPENT[name] = SPENT.get(name, 0) + time.thread_time() - began


def heavy():
    total = 0
    for i in range(140_000):
        total += i * i
    return total


def light():
    return sum(numbers(60_000))


def numbers(n):
    for i in range(n):
        yield i * i


def native(data):
    return hashlib.sha256(data).hexdigest()


def beside():
    while sum(SPENT.values()) < 2.5:
        timed("aside", aside)


def aside():
    total = 0
    for i in range(40_000):
        total += i
    return total


def main():
    data = b"x" * 4_000_000
    other = threading.Thread(target=beside, name="other")
    other.start()
    while sum(SPENT.values()) < 2.5:
        timed("heavy", heavy)
        timed("light", light)
        timed("native", native, data)
    other.join()
    whole = sum(SPENT.values())
    for name, spent in SPENT.items():
        print(f"{name}={100 * spent / whole:.1f}")
    sys.exit(3)


main()
