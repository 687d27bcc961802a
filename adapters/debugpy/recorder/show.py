# The text of a value, as a debugger's session shows it: why compares the two. An
# object is shown by its attributes, without running code of theirs, unless it has a
# text of its own. boot/values.py makes the debugger do the same.
import collections
import enum
import types

from .attributes import attributes
from .waiting import waits

PLAIN = (int, float, bool, type(None), complex)
SCALARS = (int, float, complex, bool, str, bytes, type(None))
CONTAINERS = (list, tuple, dict, set, frozenset, bytearray, range)
LIBRARY = ("datetime", "decimal", "fractions", "pathlib", "uuid", "ipaddress", "zoneinfo")
ATTRIBUTES = (12, 5)  # that an object shows, by how deep it stands
ELEMENTS = (60, 20)  # that a container shows, by how deep it stands
INNER = 128  # characters of a text inside of something
OUTER = 1 << 16
ORDERED = (int, float, bool, str, bytes)
LARGEST = 10000  # sets of more are shown as they are
HEAP = 1 << 9  # flag of a class that a program has made
LISTS = {
    tuple.__repr__: (tuple, "(", ")"),
    list.__repr__: (list, "[", "]"),
    frozenset.__repr__: (frozenset, "frozenset({", "})"),
    set.__repr__: (set, "{", "}"),
    collections.deque.__repr__: (collections.deque, "deque([", "])"),
}
EMPTY = {set: "set()", frozenset: "frozenset()"}  # {} is an empty dict
DICTS = {
    dict.__repr__: (dict, "{", "}", "", ": ", ""),
    collections.OrderedDict.__repr__: (collections.OrderedDict, "OrderedDict([", "])", "(", ", ", ")"),
}


class Full(Exception):
    """More than is wanted was put together."""


class Text:
    __slots__ = ("parts", "room", "cut")

    def __init__(self, room):
        self.parts, self.room = [], room
        self.cut = False  # something is left out

    def add(self, text):
        self.parts.append(text)
        self.room -= len(text)
        if self.room < 0:
            raise Full()

    def leave(self, text):
        """Adds what stands for something that is left out."""
        self.cut = True
        self.add(text)


def text(value, limit):
    """At most so many characters, cut with "…", and whether anything is left out."""
    kind, cut = type(value), False
    if kind in PLAIN:
        whole = plain(value)
    elif kind is str and len(value) <= limit:
        whole = repr(value)
    elif kind in (str, bytes):
        whole, cut = repr(value[: limit + 1]), len(value) > limit
    else:
        out = Text(limit)
        try:
            put(out, value, 0)
        except Full:
            pass
        whole, cut = "".join(out.parts), out.cut
    return (whole, cut) if len(whole) <= limit else (whole[:limit] + "…", True)


def plain(value):
    try:
        return repr(value)
    except ValueError:  # an int of more digits than may be written
        return hex(value)


def put(out, value, level):
    kind = type(value)
    if kind in PLAIN:
        return out.add(plain(value))
    own = kind.__repr__
    try:
        sequence, mapping = LISTS.get(own), DICTS.get(own)
    except TypeError:
        sequence = mapping = None
    if sequence and isinstance(value, sequence[0]):
        if sequence[0] in EMPTY and sequence[0].__len__(value) == 0:
            return out.add(EMPTY[sequence[0]])
        return elements(out, value, level, sequence[1], sequence[2])
    if mapping and isinstance(value, mapping[0]):
        return entries(out, value, level, mapping[1:])
    if isinstance(value, (str, bytes)) and own in (str.__repr__, bytes.__repr__):
        return shortened(out, value, INNER if level else OUTER, repr)
    if isinstance(value, (list, tuple, bytearray, dict, set, frozenset)) and kind is not bytearray and long(value, 0):
        return out.leave("<%s, len() = %s>" % (kind.__name__, len(value)))
    other(out, value, level)


def elements(out, value, level, prefix, suffix):
    out.add(prefix)
    if level >= len(ELEMENTS):
        out.leave("...") if len(value) else out.add("...")
    else:
        for number, item in enumerate(in_order(value)):
            if number:
                out.add(", ")
            if number + 1 >= ELEMENTS[level]:
                out.leave("...")
                break
            put(out, item, 100 if item is value else level + 1)
        else:
            if prefix == "(" and len(value) == 1:
                out.add(",")
    out.add(suffix)


def in_order(value):
    """The elements of a set in one order, which Python's own is not from run to run."""
    if type(value) in (set, frozenset) and len(value) <= LARGEST and all(type(item) in ORDERED for item in value):
        return sorted(value, key=lambda item: (type(item).__name__, item))
    return value


def entries(out, value, level, signs):
    prefix, suffix, before, between, after = signs
    if not value:
        return out.add(prefix + suffix)
    if level >= len(ELEMENTS):
        return out.leave(prefix + "..." + suffix)
    out.add(prefix)
    for number, key in enumerate(list(value)):
        if number:
            out.add(", ")
        if number + 1 >= ELEMENTS[level]:
            out.leave("...")
            break
        out.add(before)
        put(out, key, level + 1)
        out.add(between)
        item = dict.get(value, key)
        put(out, item, 100 if item is value else level + 1)
        out.add(after)
    out.add(suffix)


def shortened(out, value, limit, written):
    """The beginning and the end of what is too long."""
    if len(value) <= limit:
        return out.add(written(value))
    left, right = written(value[: 2 * limit // 3]), written(value[-(limit // 3):])
    if written is repr:
        left, right = left[: left.rindex("'")], right[right.index("'") + 1:]
    out.leave(left + "..." + right)


def long(value, level):
    """Says that a container with a text of its own is too long for that to be asked."""
    if not isinstance(value, CONTAINERS) or isinstance(value, range):
        return isinstance(value, (str, bytes)) and len(value) > INNER
    if level >= len(ELEMENTS) or len(value) > ELEMENTS[level]:
        return True
    return any(long(item, level + 1) for item in value)


def other(out, value, level):
    kind = type(value)
    if kind is bytearray:
        out.cut = out.cut or len(value) > OUTER
        return out.add(repr(value[:OUTER]))
    if kind.__repr__ is object.__repr__ and kind.__str__ is object.__str__ and shape(out, value, level):
        return
    if waits(kind):
        if not shape(out, value, level):
            out.add(object.__repr__(value))
        return out.leave("")
    try:
        whole = repr(value)
    except Full:
        raise
    except BaseException:  # the program's own code
        whole = object.__repr__(value)
    if not says_all(value, kind):
        out.cut = True
    shortened(out, whole, INNER if level else OUTER, str)


RESTING = ("generator", "coroutine", "async_generator", "map", "filter", "zip", "enumerate", "reversed", "memoryview")


def says_all(value, kind):
    """Whether an object's own text is known to tell all that it holds."""
    if kind.__module__.split(".")[0] in LIBRARY or issubclass(kind, (enum.Enum, types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.ModuleType, type)):
        return True
    if not kind.__flags__ & HEAP:
        return kind.__module__ in ("builtins", "_thread", "_io", "re", "array") and kind.__name__ not in RESTING and not kind.__name__.endswith("iterator")
    held, parts = attributes(value), ()
    for container in (dict, set, frozenset, list, tuple):
        if issubclass(kind, container):
            parts = list(dict.values(value)) if container is dict else list(container.__iter__(value))
    if not all(type(part) in SCALARS for part in [*parts, *held.values()]):
        return False
    fields = getattr(kind, "__dataclass_fields__", {})
    generated = kind.__repr__ is object.__repr__ or hasattr(kind.__repr__, "__wrapped__")
    return not held or generated and all(name in fields and fields[name].repr for name in held)


def shape(out, value, level):
    """Writer(a=1, items=[1, 2]); False without attributes."""
    held = [(n, v) for n, v in attributes(value).items() if isinstance(n, str) and not n.startswith("__")]
    if not held:
        return False
    out.add(type(value).__name__)
    if level >= len(ATTRIBUTES):
        out.leave("(...)")
        return True
    held.sort(key=lambda item: (item[0].startswith("_"), type(item[1]) not in SCALARS))
    out.add("(")
    for number, (name, item) in enumerate(held[: ATTRIBUTES[level]]):
        out.add((", " if number else "") + name + "=")
        attribute(out, item, level + 1)
    if len(held) > ATTRIBUTES[level]:
        out.leave(", ...")
    out.add(")")
    return True


def attribute(out, value, level):
    kind = type(value)
    if kind in SCALARS or kind in CONTAINERS or issubclass(kind, enum.Enum) or kind.__module__ in LIBRARY:
        put(out, value, level)
    elif kind.__repr__ is object.__repr__:
        if not shape(out, value, level):
            out.add("<%s>" % kind.__name__)
    elif issubclass(kind, (types.FunctionType, types.MethodType, type)):
        out.add("<%s %s>" % (kind.__name__, getattr(value, "__qualname__", "?")))
    else:
        out.leave("<%s>" % kind.__name__)
