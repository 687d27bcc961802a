# The text of a value, as a debugger's session shows it: why compares the two. An
# object is shown by its attributes, without running code of theirs, unless it has a
# text of its own. boot/values.py makes the debugger do the same.
import collections
import enum
import types

from .attributes import attributes

PLAIN = (int, float, bool, type(None), complex)
SCALARS = (int, float, complex, bool, str, bytes, type(None))
CONTAINERS = (list, tuple, dict, set, frozenset, bytearray, range)
LIBRARY = ("datetime", "decimal", "fractions", "pathlib", "uuid", "ipaddress", "zoneinfo")
ATTRIBUTES = (12, 5)  # that an object shows, by how deep it stands
ELEMENTS = (60, 20)  # that a container shows, by how deep it stands
INNER = 128  # characters of a text inside of something
OUTER = 1 << 16
LISTS = {
    tuple.__repr__: (tuple, "(", ")"),
    list.__repr__: (list, "[", "]"),
    frozenset.__repr__: (frozenset, "frozenset({", "})"),
    set.__repr__: (set, "{", "}"),
    collections.deque.__repr__: (collections.deque, "deque([", "])"),
}
DICTS = {
    dict.__repr__: (dict, "{", "}", "", ": ", ""),
    collections.OrderedDict.__repr__: (collections.OrderedDict, "OrderedDict([", "])", "(", ", ", ")"),
}


class Full(Exception):
    """More than is wanted was put together."""


class Text:
    __slots__ = ("parts", "room")

    def __init__(self, room):
        self.parts, self.room = [], room

    def add(self, text):
        self.parts.append(text)
        self.room -= len(text)
        if self.room < 0:
            raise Full()


def text(value, limit):
    """At most so many characters, cut with "…"."""
    kind = type(value)
    if kind in PLAIN:
        whole = plain(value)
    elif kind is str and len(value) <= limit:
        whole = repr(value)
    elif kind in (str, bytes):
        whole = repr(value[: limit + 1])
    else:
        out = Text(limit)
        try:
            put(out, value, 0)
        except Full:
            pass
        whole = "".join(out.parts)
    return whole if len(whole) <= limit else whole[:limit] + "…"


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
        return elements(out, value, level, sequence[1], sequence[2])
    if mapping and isinstance(value, mapping[0]):
        return entries(out, value, level, mapping[1:])
    if isinstance(value, (str, bytes)) and own in (str.__repr__, bytes.__repr__):
        return out.add(ends(value, INNER if level else OUTER, repr))
    if isinstance(value, (list, tuple, bytearray, dict, set, frozenset)) and kind is not bytearray and long(value, 0):
        return out.add("<%s, len() = %s>" % (kind.__name__, len(value)))
    other(out, value, level)


def elements(out, value, level, prefix, suffix):
    out.add(prefix)
    if level >= len(ELEMENTS):
        out.add("...")
    else:
        for number, item in enumerate(value):
            if number:
                out.add(", ")
            if number + 1 >= ELEMENTS[level]:
                out.add("...")
                break
            put(out, item, 100 if item is value else level + 1)
        else:
            if prefix == "(" and len(value) == 1:
                out.add(",")
    out.add(suffix)


def entries(out, value, level, signs):
    prefix, suffix, before, between, after = signs
    if not value:
        return out.add(prefix + suffix)
    if level >= len(ELEMENTS):
        return out.add(prefix + "..." + suffix)
    out.add(prefix)
    for number, key in enumerate(list(value)):
        if number:
            out.add(", ")
        if number + 1 >= ELEMENTS[level]:
            out.add("...")
            break
        out.add(before)
        put(out, key, level + 1)
        out.add(between)
        item = dict.get(value, key)
        put(out, item, 100 if item is value else level + 1)
        out.add(after)
    out.add(suffix)


def ends(value, limit, written):
    """The beginning and the end of what is too long."""
    if len(value) <= limit:
        return written(value)
    left, right = written(value[: 2 * limit // 3]), written(value[-(limit // 3):])
    if written is repr:
        left, right = left[: left.rindex("'")], right[right.index("'") + 1:]
    return left + "..." + right


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
        return out.add(repr(value[:OUTER]))
    if kind.__repr__ is object.__repr__ and kind.__str__ is object.__str__ and shape(out, value, level):
        return
    try:
        whole = repr(value)
    except Full:
        raise
    except BaseException:  # the program's own code
        whole = object.__repr__(value)
    out.add(ends(whole, INNER if level else OUTER, str))


def shape(out, value, level):
    """Writer(a=1, items=[1, 2]); False without attributes."""
    held = [(n, v) for n, v in attributes(value).items() if isinstance(n, str) and not n.startswith("__")]
    if not held:
        return False
    out.add(type(value).__name__)
    if level >= len(ATTRIBUTES):
        out.add("(...)")
        return True
    held.sort(key=lambda item: (item[0].startswith("_"), type(item[1]) not in SCALARS))
    out.add("(")
    for number, (name, item) in enumerate(held[: ATTRIBUTES[level]]):
        out.add((", " if number else "") + name + "=")
        attribute(out, item, level + 1)
    if len(held) > ATTRIBUTES[level]:
        out.add(", ...")
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
        out.add("<%s>" % kind.__name__)
