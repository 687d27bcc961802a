# Does 70 rounds of the one to 30 of the other and keeps something each time, until a file asks
# for its end; says then whether it is as it was.
import os
import sys
import threading
import tracemalloc

KEPT, MODULES = [], set()


class Item:
    def __init__(self, number):
        self.number = number


def heavy():
    total = 0
    for i in range(70_000):
        total += i * i
    return total


def light():
    total = 0
    for i in range(30_000):
        total += i * i
    return total


def state():
    return (tracemalloc.is_tracing(), sys.getswitchinterval(), sorted(m for m in MODULES if "profiler" in m))


before = state(), threading.active_count()
while not os.path.exists("end"):
    heavy()
    light()
    KEPT.append(Item(len(KEPT)))
    MODULES.update(sys.modules)
# One of the debugger's own may have counted among the threads as it began: more there must not be.
now = state(), threading.active_count()
print("as before:", now[0] == before[0] and now[1] <= before[1], before, now)
