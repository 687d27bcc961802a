# Whether the text of an object may have to wait for a lock. The thread that is recorded may
# hold that lock, and would wait for itself for ever.
import dis
import types

WITH = frozenset(("SETUP_WITH", "BEFORE_WITH", "LOAD_SPECIAL"))
LOCKING = frozenset(("acquire", "qsize", "empty", "full"))  # of locks and queues
DEEP = 3  # methods that call each other
KNOWN = {}  # id of a class, whose hash may be the program's code: the answer, itself
MOST = 4096  # classes that are remembered


def waits(kind):
    known = KNOWN.get(id(kind))
    if known is None:
        if len(KNOWN) == MOST:
            KNOWN.clear()
        known = KNOWN[id(kind)] = locks(kind.__repr__, kind, 0), kind
    return known[0]


def locks(function, kind, depth):
    """Says that a method, or one of the same object that it names, may take a lock."""
    function = getattr(function, "__wrapped__", function)
    if not isinstance(function, types.FunctionType) or depth > DEEP:
        return False
    return any(taking(code, kind, depth) for code in inner(function.__code__))


def taking(code, kind, depth):
    if not LOCKING.isdisjoint(code.co_names) or any(i.opname in WITH for i in dis.get_instructions(code)):
        return True
    return any(locks(getattr(found, "fget", found), kind, depth + 1) for found in map(named(kind).get, code.co_names) if found is not None)


def named(kind):
    found = {}
    for cls in reversed(kind.__mro__):
        found.update(vars(cls))
    return found


def inner(code):
    yield code
    for part in code.co_consts:
        if isinstance(part, types.CodeType):
            yield from inner(part)
