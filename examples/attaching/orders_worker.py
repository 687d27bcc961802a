"""Pays one order after the other, until it is ended."""
import time


def pay(order):
    total = order["price"] * order["count"]
    return total


number = 0
print("working", flush=True)
while True:
    number += 1
    pay({"price": 420, "count": number % 3})
    time.sleep(0.05)
