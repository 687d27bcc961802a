# Stands: a thread waits for a lock that another holds, two tasks sleep, and main waits.
import asyncio
import threading

lock = threading.Lock()


def grab():
    with lock:
        pass


async def sleeper():
    await asyncio.sleep(1000)


async def both():
    await asyncio.gather(sleeper(), sleeper())


def loop():
    asyncio.run(both())


lock.acquire()
for work in (grab, loop):
    threading.Thread(target=work, name=work.__name__, daemon=True).start()
threading.Event().wait()
