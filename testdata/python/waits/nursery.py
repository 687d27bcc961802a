"""Tasks of trio that hang: one keeps a lock and sleeps for ever, one wants it, one waits for a message that nobody sends."""

import trio


async def keeper(lock):
    async with lock:  # @mark locks
        await trio.sleep_forever()  # @mark sleeps


async def wanter(lock):
    await trio.sleep(0.05)
    async with lock:  # @mark wants
        pass


async def taker(messages):
    print(await messages.receive())  # @mark receives


async def main():
    send, messages = trio.open_memory_channel(0)
    lock = trio.Lock()
    async with send, trio.open_nursery() as nursery:  # @mark nursery
        nursery.start_soon(keeper, lock)
        nursery.start_soon(wanter, lock)
        nursery.start_soon(taker, messages)


trio.run(main)
