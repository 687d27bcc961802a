# What a list, a dict, a set or an object holds: by it is told whether one was written to. It
# holds something else when other objects lie in it, or other plain values; what those
# objects hold is not in question. No code of the program's is run for that.
import array
import collections

from .attributes import attributes
from .places import HEAP, SIMPLE, behind, same

MOST = 1 << 20  # elements of one that is looked at
COLLECTIONS = (list, dict, set, bytearray, collections.deque, array.array)


class Look:
    """How a value is shown, and what it holds, None where that is not in question."""

    __slots__ = ("shown", "contents")

    def __init__(self, shown, held):
        self.shown, self.contents = shown, held

    def differs(self, other):
        """Says that the value was written to between two looks."""
        if self.contents is None or other.contents is None:
            return self.shown != other.shown
        return not alike(self.contents, other.contents)


def contents(value):
    """The elements of a collection or the attributes of an object, which it keeps alive, so
    that no others take their identities; None where it is not known what changes one."""
    try:
        value = behind(value)
        if isinstance(value, dict):
            return parted(dict.items(value)) if dict.__len__(value) <= MOST else None
        if isinstance(value, (set, frozenset)):
            return Members(value) if len(value) <= MOST else None
        if isinstance(value, (bytearray, array.array)):
            return bytes(value)
        if isinstance(value, COLLECTIONS):
            kind = list if isinstance(value, list) else collections.deque
            return list(kind.__iter__(value)) if kind.__len__(value) <= MOST else None
        if isinstance(value, tuple):
            return list(tuple.__iter__(value))
        if hasattr(type(value), "__setitem__"):
            return None  # a collection of a class's own making: how it is shown tells
        if all(kind is object or kind.__flags__ & HEAP for kind in type(value).__mro__):
            return parted(attributes(value).items())
    except Exception:  # another thread changes it meanwhile
        pass
    return None


def parted(items):
    return [x for pair in items for x in pair]


class Members:
    """Those of a set: by their identities, and by their values where they are plain."""

    def __init__(self, value):
        self.kept = list((set if isinstance(value, set) else frozenset).__iter__(value))
        self.keys = {(type(x), x) if type(x) in SIMPLE else id(x) for x in self.kept}


def alike(a, b):
    if type(a) is not type(b):
        return False
    if isinstance(a, Members):
        return a.keys == b.keys
    return a == b if isinstance(a, bytes) else len(a) == len(b) and all(map(same, a, b))
