"""Coroutines of Twisted that hang: one keeps a lock and waits for a reply that nobody sends, which another one waits for the end of, one wants the lock, one waits on a queue."""

from twisted.internet import defer, reactor


@defer.inlineCallbacks
def keeper(lock, reply):
    yield lock.acquire()  # @mark deferred-locks
    yield reply  # @mark deferred-awaits


async def wanter(lock):
    await lock.acquire()  # @mark deferred-wants


async def taker(queue):
    print(await queue.get())  # @mark deferred-gets


@defer.inlineCallbacks
def asker(asked):
    yield asked  # @mark deferred-asks


def main():
    lock, queue, reply = defer.DeferredLock(), defer.DeferredQueue(), defer.Deferred()
    asker(keeper(lock, reply))
    defer.ensureDeferred(wanter(lock))
    defer.ensureDeferred(taker(queue))
    reactor.run()  # @mark deferred-runs


main()
