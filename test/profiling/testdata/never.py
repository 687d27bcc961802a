# Lines that never run, where the code behind them is reached past them.
import sys
import time


class Door:
    def __enter__(self):
        return self

    def __exit__(self, *args):
        return turn(args[0] is None)


def turn(is_open):
    total = 0
    for i in range(200):
        total += i & 3
        if total < 0:
            total = 0  # never
    return not is_open


def guarded(door, n):
    for i in range(n):
        with door:
            if i < 0:
                i = 0  # never
            elif n < 0:
                n = 0  # never


def nested(n):
    while n > 0:
        n -= 1
        if n & 1:
            if n < 0:
                n = 0  # never
        else:
            try:
                if n < 0:
                    n = 0  # never
            except ValueError:
                n = 0  # never


def chosen(n):
    for i in range(n):
        if i >= 0:
            i += 1
            if i < 0:
                i = 0  # never
        elif i < -1:
            i += 2  # never


def called(i):
    if i >= 0:
        if i < 0:
            i = 0  # never


def calls(n):
    for i in range(n):
        called(i)
        if i < 0:
            i = 0  # never


end = time.process_time() + 1.5
while time.process_time() < end:
    turn(True)
    nested(3000)
    guarded(Door(), 20)
    chosen(3000)
    calls(3000)
    if end < 0:
        end = 0  # never
print("done")
