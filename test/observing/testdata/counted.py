# Serves orders, and says in a file what it has served and whether it is as it was.
import asyncio
import json
import os
import sys
import time


class Shop:
    def __init__(self):
        self.sum = 0

    def serve(self, number, discount=0):
        total = number * 20 - discount
        self.sum += total
        if number % 7 == 6:
            raise ValueError("bad %d" % number)
        return total


shop, served = Shop(), 0
CODE = Shop.serve.__code__


def step(number):
    global served
    served += 1
    try:
        return shop.serve(number, discount=number % 3)
    except ValueError:
        return None


async def later(number):
    await asyncio.sleep(0)
    return step(number)


def numbers(limit):
    for number in range(limit):
        yield number
    return limit


def whole():
    m = getattr(sys, "monitoring", None)
    return (
        Shop.serve.__code__ is CODE
        and (m is None or m.get_tool(3) is None and m.get_tool(4) is None)
        and not any(name.startswith("_aidb_live") for name in [*sys.modules, *vars(sys)])
    )


def main(pause):
    number, longest, told = 0, 0.0, 0.0
    last = time.perf_counter()
    while True:
        number += 1
        step(number)
        if number % 10 == 0:
            asyncio.run(later(number))
            list(numbers(2))
        now = time.perf_counter()
        longest, last = max(longest, now - last), now
        if now - told > 0.02:
            told = now
            with open("state.new", "w") as f:
                json.dump({"whole": whole(), "served": served, "sum": shop.sum, "number": number, "longest": longest}, f)
            os.replace("state.new", "state.json")
            longest = 0.0
        if pause:
            time.sleep(pause)


main(float(sys.argv[1]))
