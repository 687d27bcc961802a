"""Methods and functions of C++'s library, as they read what is there."""

from aidb.cpp.meaning import Literal, at, entry_key, key_of, letter, places, plain, position, shape_of, text_of
from aidb.cpp.numbers import Address, Foreign, Int, Wrong, number
from aidb.cpp.values import Held, Pairs, Sequence, Shared, Text, Told, Variant


def size(held):
    if isinstance(held, (Text, Literal)):
        return Int(held.length, 64, False)
    if isinstance(held, Sequence):
        return Int(held.count, 64, False)
    raise Foreign("size()")


def empty(held) -> bool:
    return size(held).value == 0


def sequence(held):
    if not isinstance(held, Sequence) or isinstance(held, Pairs):
        raise Foreign("it is no sequence")
    return held


def front(held):
    return letter(held, Int(0)) if isinstance(held, Text) else at(sequence(held), Int(0))


def back(held):
    if isinstance(held, Text):
        return letter(held, Int(held.length - 1))
    return at(sequence(held), Int(held.count - 1))


def top(held):
    if not isinstance(held, Sequence) or held.top is None:
        raise Foreign("top()")
    return at(held, Int(held.top))


def has_value(held) -> bool:
    if not isinstance(held, Held) or isinstance(held, (Variant, Shared)):
        raise Foreign("has_value()")
    return held.value is not None


def value(held):
    if not has_value(held):
        raise Wrong("it is nullopt: there is no value")
    return held.value


def value_or(held, other):
    return held.value if has_value(held) else other


def get(held):
    if not isinstance(held, Shared):
        raise Foreign("get()")
    return Address(held.value.address, held.value.type, held.value) if held.value is not None else Address(0)


def use_count(held):
    if not isinstance(held, Shared) or held.uses is None:
        raise Foreign("use_count()")
    return Int(held.uses, 64)


def load(held):
    if not isinstance(held, Held) or held.none != "":
        raise Foreign("load()")
    return held.value


def index(held):
    if not isinstance(held, Variant):
        raise Foreign("index()")
    return Int(held.index, 64, False)


def count(held, key):
    if not isinstance(held, Sequence):
        raise Foreign("count()")
    wanted = key_of(key)
    if held.count and key_of(entry_key(held, 0))[0] != wanted[0]:
        raise Foreign("a key of another kind")
    return Int(sum(1 for _ in places(held, wanted)), 64, False)


def contains(held, key) -> bool:
    if isinstance(held, (Text, Literal)):
        return find(held, key).value != NPOS
    if not isinstance(held, Sequence):
        raise Foreign("contains()")
    return position(held, key) is not None


NPOS = (1 << 64) - 1


def find(held, what):
    if not isinstance(held, (Text, Literal)) or held.width != 1:
        raise Foreign("find()")
    wanted = plain(what)
    found = text_of(held).find(bytes([wanted.value & 0xFF]) if isinstance(wanted, Int) else text_of(wanted))
    return Int(found if found >= 0 else NPOS, 64, False)


def substr(held, start, length=None):
    if not isinstance(held, (Text, Literal)):
        raise Foreign("substr()")
    first = number(plain(start)).value
    if not 0 <= first <= held.length:
        raise Wrong("position %d is out of bounds: the length is %d" % (first, held.length))
    most = held.length if length is None else number(plain(length)).value
    return Literal(held.data(most, first), held.width)


def starts_with(held, what):
    return text_of(held).startswith(text_of(what))


def ends_with(held, what):
    return text_of(held).endswith(text_of(what))


def text(held):
    if not isinstance(held, (Text, Literal)):
        raise Foreign("it is no text")
    return held


def bitset(held):
    if not isinstance(held, Sequence) or held.bits is None:
        raise Foreign("it is no bitset")
    return held.bits


def duration(held):
    if not isinstance(held, Told) or held.number is None:
        raise Foreign("count()")
    return plain(held.number)


METHODS = {
    ("size", 0): size, ("length", 0): size, ("empty", 0): empty, ("front", 0): front, ("back", 0): back, ("top", 0): top, ("at", 1): at,
    ("has_value", 0): has_value, ("value", 0): value, ("value_or", 1): value_or, ("get", 0): get, ("use_count", 0): use_count,
    ("load", 0): load, ("index", 0): index, ("count", 1): count, ("contains", 1): contains, ("find", 1): find,
    ("substr", 1): substr, ("substr", 2): substr, ("starts_with", 1): starts_with, ("ends_with", 1): ends_with,
    ("c_str", 0): text, ("data", 0): text, ("str", 0): text, ("string", 0): text,
    ("count", 0): lambda held: Int(bitset(held).count("1"), 64, False) if isinstance(held, Sequence) else duration(held),
    ("test", 1): lambda held, i: at(held, i) if bitset(held) else False,
    ("any", 0): lambda held: "1" in bitset(held), ("none", 0): lambda held: "1" not in bitset(held), ("all", 0): lambda held: "0" not in bitset(held),
}


def strcmp(a, b, most=None):
    a, b = text_of(a), text_of(b)
    if most is not None:
        n = number(plain(most)).value
        a, b = a[:n], b[:n]
    return Int((a > b) - (a < b))


def std_size(value):
    held = shape_of(value)
    if held is None and hasattr(value, "type") and value.type.code == "array":
        return Int(value.type.count, 64, False)
    return size(held if held is not None else value)


FUNCTIONS = {
    "strcmp": strcmp, "strncmp": strcmp, "strlen": lambda p: Int(len(text_of(p)), 64, False),
    "string": lambda p: Literal(text_of(p)), "string_view": lambda p: Literal(text_of(p)), "size": std_size,
}
