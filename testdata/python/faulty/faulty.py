"""A shop that fails in the way which its first argument names."""

import asyncio
import json
import os
import queue
import socket
import subprocess
import sys
import threading
import time


class Address:
    def __init__(self, city):
        self.city = city


class Customer:
    def __init__(self, name, address):
        self.name = name
        self.address = address


class Order:
    def __init__(self, number, customer, prices):
        self.number = number
        self.customer = customer
        self.prices = prices


def orders():
    ann = Customer("ann", Address("Turin"))
    return [Order(1, ann, [30, 12]), Order(2, None, [])]


def city_of(order, upper):
    unused = list(range(5))
    city = order.customer.address.city  #@mark member
    return city.upper() if upper else unused


def member():
    for order in orders():
        city_of(order, upper=True)  #@mark member-caller


def price_at(prices, position):
    shift = position + 1
    return prices[shift] * 2  #@mark index


def index():
    price_at(orders()[0].prices, 4)


def rate_of(rates, order):
    kind = "gold" if order.number == 1 else "plain"
    return rates[kind] + 1  #@mark key


def key():
    rates = {"gold": 3, "silver": 5}
    for order in orders():
        rate_of(rates, order)


def mean(order):
    total = sum(order.prices)
    count = len(order.prices)
    return total / count  #@mark zero


def zero():
    for order in orders():
        mean(order)


def find(number):
    for order in orders():
        if order.number == number:
            return order
    return None


def result():
    wanted = 7
    print(find(wanted).prices)  #@mark result


def exit_code():
    print("settling")
    sys.exit(3)  #@mark exit-code


def caught():
    try:
        mean(orders()[1])
    except ZeroDivisionError as error:
        print("cannot settle:", error, file=sys.stderr)
        sys.exit(1)  #@mark caught


def chained():
    try:
        mean(orders()[1])
    except ZeroDivisionError as error:
        raise RuntimeError("order 2 cannot be settled") from error  #@mark chained


def busy():
    left, step, rounds = 1000, 0, 0
    while left > 0:  #@mark busy
        left -= step  #@mark busy-step
        rounds += 1  #@mark busy-rounds


def blocked():
    nap = 600
    time.sleep(nap)  #@mark blocked


def network():
    server = socket.socket()
    server.bind(("127.0.0.1", 0))
    server.listen()
    server.accept()  #@mark network


def deadlock():
    stock, till = threading.Lock(), threading.Lock()
    both = threading.Barrier(2)

    def sell():
        with stock:
            both.wait()
            with till:  #@mark deadlock-till
                pass

    def refund():
        with till:
            both.wait()
            stock.acquire()  #@mark deadlock-stock

    workers = [threading.Thread(target=sell, name="seller"), threading.Thread(target=refund, name="refunder")]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()  #@mark deadlock-join


def channel():
    parcels = queue.Queue()
    print(parcels.get())  #@mark channel


def depth_of(tree, level):  #@mark overflow-in
    return 1 + depth_of(tree["child"], level + 1)  #@mark overflow


def overflow():
    tree = {}
    tree["child"] = tree
    depth_of(tree, 0)


def memory():
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
    pages = []
    while True:
        pages.append(bytearray(64 << 20))  #@mark memory


def awaited():
    name = input("who? ")  #@mark input
    print(name)


def thread():
    worker = threading.Thread(target=mean, args=(orders()[1],), name="meaner")
    worker.start()
    worker.join()


async def settle(order):
    await asyncio.sleep(0)
    return mean(order)


async def settle_all():
    await asyncio.gather(*[settle(order) for order in orders()])  #@mark task


def task():
    asyncio.run(settle_all())


async def price_of(name):
    await asyncio.sleep(0)
    prices = {"tea": 3}
    return prices[name]  #@mark awaits


async def price_all():
    return [await price_of(name) for name in ("tea", "milk")]


def awaits():
    asyncio.run(price_all())


async def enter_twice():
    gate = asyncio.Lock()
    async with gate:
        async with gate:  #@mark tasks
            pass


def tasks():
    asyncio.run(enter_twice())


def child():
    subprocess.run([sys.executable, __file__, "zero"], check=True)


def library():
    text = '{"number": 1,}'
    json.loads(text)  #@mark library


def fine():
    print(mean(orders()[0]))


if __name__ == "__main__":
    globals()[sys.argv[1]]()
