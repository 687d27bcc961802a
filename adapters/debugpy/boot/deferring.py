# Coroutines of Twisted that wait for a Deferred: part of waits.py, to which it is joined.
import gc
import sys
import types

defer = sys.modules.get("twisted.internet.defer")
COROUTINES = (types.GeneratorType, types.CoroutineType)


def reacts(frames):
    """Whether a thread runs Twisted's event loop."""
    return any(f.f_code.co_name in ("run", "mainLoop", "iterate") and str(f.f_globals.get("__name__")).startswith("twisted.internet.") for f in frames)


def twisted_waits():
    """Enters the coroutines that wait, and says what for."""
    waiting, of = [], {}  # by a Deferred that is not fired, the lock or queue that is to fire it
    for o in gc.get_objects():
        kind = type(o)
        if issubclass(kind, defer.Deferred):
            waiting += [(o, *entry) for entry in entries(o)]
        elif issubclass(kind, (defer._ConcurrencyPrimitive, defer.DeferredQueue)):
            of.update((id(d), o) for d in o.waiting)
    results = {}  # by a Deferred, who fires it at its end
    for on, coroutine, status in sorted(waiting, key=lambda k: k[1].__qualname__):
        frames = coroutines(coroutine)
        if frames and all(w.key != "task%d" % id(coroutine) for w in everybody):
            w = Waiter("task%d" % id(coroutine), "Twisted coroutine " + coroutine.__qualname__.replace(".<locals>", ""), 0, frames)
            everybody.append(w)
            results[id(coroutine if status is None else status.deferred)] = w
            w.on = on
    for w in results.values():
        fires(w, w.on, of, results)


def entries(deferred):
    """What is to go on when a Deferred fires: a coroutine, and what Twisted keeps of it."""
    for entry in deferred.callbacks:
        parts = list(flat(entry))
        coroutine = next((p for p in parts if type(p) in COROUTINES), None)
        if coroutine is not None:
            yield coroutine, next((p for p in parts if type(p).__name__ == "_CancellationStatus"), None)


def flat(entry):
    for part in entry:
        if type(part) is tuple:
            yield from flat(part)
        else:
            yield part


def fires(w, on, of, results):
    """What a coroutine waits for that waits for a Deferred."""
    while on.called and getattr(on, "_chainedTo", None) is not None:
        on = on._chainedTo
    by, end = of.get(id(on)), results.get(id(on))
    if end is not None and end is not w:
        w.waits("the end of %s" % end.who, name_in(w.user, on))
        w.after = [(end, "has not ended")]
        return
    if by is None:
        return w.waits("a Deferred to fire", name_in(w.user, on), "%s %#x" % (type(on).__name__, id(on)))
    name, say = name_in(w.user, by), "%s %#x" % (type(by).__name__, id(by))
    if issubclass(type(by), defer.DeferredLock):
        w.lock = by
        waited[id(w.user)] = name
        w.waits("a lock", name, say)
    elif issubclass(type(by), defer.DeferredSemaphore):
        w.waits("a semaphore", name, "%s, %d of %d left" % (say, by.tokens, by.limit))
    else:
        w.waits("an item", name, say)
