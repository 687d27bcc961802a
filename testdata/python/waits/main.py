"""Programs that hang, one for each argument. A marked line is where the kernel waits or takes a lock."""

import asyncio
import concurrent.futures
import queue
import sys
import threading


class Account:
    def __init__(self):
        self.lock = threading.Lock()
        self.balance = 10


def transfer(source, target, both):
    with source.lock:  # @mark taken
        both.wait()
        with target.lock:  # @mark wanted
            target.balance += source.balance


def crossed():
    """Each of two transfers holds one account and waits for the other."""
    a, b, both = Account(), Account(), threading.Barrier(2)
    threads = [threading.Thread(target=transfer, args=pair, name=name) for name, pair in (("there", (a, b, both)), ("back", (b, a, both)))]
    for t in threads:
        t.start()
    for t in threads:
        t.join()  # @mark joins


def twice():
    """A function that holds a lock takes it again."""
    lock = threading.Lock()
    lock.acquire()  # @mark first-time
    lock.acquire()  # @mark second-time


def owner():
    """A worker waits for an RLock that main holds while it waits for the worker."""
    lock, started = threading.RLock(), threading.Event()

    def work():
        started.set()
        with lock:  # @mark worker-locks
            pass

    lock.acquire()  # @mark main-locks
    worker = threading.Thread(target=work, name="worker")
    worker.start()
    started.wait()
    worker.join()  # @mark main-joins


def item():
    """The producers have ended, and nothing is left."""
    jobs = queue.Queue()
    producer = threading.Thread(target=jobs.put, args=(1,))
    producer.start()
    producer.join()
    while True:
        jobs.get()  # @mark gets


def notified():
    """The notification came before the wait."""
    changed = threading.Condition()
    with changed:
        changed.notify()
    with changed:
        changed.wait()  # @mark waits-for-notify


def places():
    """The places of a semaphore are taken and never given back."""
    slots = threading.Semaphore(2)
    for _ in range(3):
        slots.acquire()  # @mark takes-a-place


def future():
    """A job waits for another that has no thread to run in."""
    with concurrent.futures.ThreadPoolExecutor(1) as pool:

        def outer():
            inner = pool.submit(int, "1")
            return inner.result()  # @mark job-waits

        pool.submit(outer).result()  # @mark main-waits


def tasks():
    """A task holds a lock while it awaits an event that only the one which wants the lock would set."""

    async def keeper(lock, done):
        async with lock:  # @mark task-locks
            await done.wait()  # @mark task-waits

    async def wanter(lock, done):
        await asyncio.sleep(0)
        async with lock:  # @mark task-wants
            done.set()

    async def run():
        lock, done = asyncio.Lock(), asyncio.Event()
        await asyncio.gather(  # @mark gathers
            asyncio.create_task(keeper(lock, done), name="keeper"),
            asyncio.create_task(wanter(lock, done), name="wanter"),
        )

    asyncio.run(run())


def each_other():
    """Two tasks each await the other's end."""

    async def run():
        made = {}

        async def wait_for(name):
            await asyncio.sleep(0)
            await made[name]  # @mark awaits

        made["left"] = asyncio.create_task(wait_for("right"), name="left")
        made["right"] = asyncio.create_task(wait_for("left"), name="right")
        await asyncio.wait(made.values())  # @mark awaits-both

    asyncio.run(run())


globals()[sys.argv[1]]()
print("came to an end")
