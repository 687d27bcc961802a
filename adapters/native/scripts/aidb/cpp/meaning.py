"""What names, operators and indexes of C++ mean for values of the library, and for plain ones."""

import re

from aidb.cpp.iterators import ITERATORS, iterator
from aidb.cpp.numbers import Address, Foreign, Int, Real, Wrong, arithmetic, compared, comparison, number
from aidb.cpp.values import Chain, Held, Pairs, Sequence, Shared, Text, Told, Variant, shape
from aidb.cpp.words import Words

MOST = 1 << 20  # entries that are searched for a key, characters that are compared
WIDTHS = {"L": 4, "u": 2, "U": 4, "u8": 1, "": 1}
ESCAPED = {"n": 10, "t": 9, "r": 13, "0": 0, "a": 7, "b": 8, "v": 11, "f": 12}


class Literal:
    """Characters that stand in the expression, or were made from such."""

    def __init__(self, data, width=1) -> None:
        self.bytes, self.width = data, width
        self.length = len(data) // width

    def data(self, most=None, start=0):
        end = self.length if most is None else min(start + most, self.length)
        return self.bytes[start * self.width:end * self.width]


def unescaped(text: str, width):
    out, i = b"", 0
    encoding = {1: "utf-8", 2: "utf-16-le", 4: "utf-32-le"}[width]
    while i < len(text):
        m = re.match(r"\\(x[0-9a-fA-F]+|[0-7]{1,3}|u[0-9a-fA-F]{4}|.)", text[i:])
        if not m:
            out, i = out + text[i].encode(encoding), i + 1
            continue
        code, i = m.group(1), i + m.end()
        if code[0] == "u" and len(code) == 5:
            out += chr(int(code[1:], 16)).encode(encoding)
            continue
        n = int(code[1:], 16) if code[0] == "x" and len(code) > 1 else int(code, 8) if code[0] in "01234567" else ESCAPED.get(code, ord(code))
        out += n.to_bytes(width, "little")
    return out


def characters(text: str):
    prefix, rest = text.split('"', 1)
    width = WIDTHS[prefix]
    return Literal(unescaped(rest[:rest.rindex('"')], width), width)


def character(text: str):
    prefix, rest = text.split("'", 1)
    width = WIDTHS[prefix]
    return Int(int.from_bytes(unescaped(rest[:-1], width)[:width], "little"), 8 * width, width == 1 or prefix == "L", True)


def shape_of(value):
    if not hasattr(value, "type"):
        return None
    held = shape(value)
    return iterator(value) if held is None and ITERATORS.match(value.type.name) else held


def plain(value):
    """A value as numbers, texts and addresses are worked with."""
    if not hasattr(value, "type"):
        return value
    held = shape_of(value)
    if isinstance(held, Text):
        return held
    if isinstance(held, Told) and held.number is not None:
        return value
    if isinstance(held, Held) and not isinstance(held, (Variant, Shared)) and held.none == "":  # atomic
        return plain(held.value)
    if held is not None:
        return value
    failure = value.failure()
    if failure:
        raise Wrong("%s cannot be read: %s" % (value.name, failure))
    code, of = value.type.code, value.type
    if code == "bool":
        return value.number() & 1 == 1
    if code in ("int", "char", "wide", "enum"):
        return Int(value.integer(), 8 * of.size, of.signed, code != "int")
    if code == "float":
        return Real(value.real(), 8 * of.size)
    if code == "pointer":
        return Address(value.number(), of.pointee(), value)
    if code == "array":
        return Address(value.address, of.element(), value)
    return value


def truth(value):
    value = plain(value)
    if isinstance(value, bool):
        return value
    if isinstance(value, (Int, Real, Address)):
        return value.value != 0
    held = shape_of(value)
    if isinstance(held, Shared) or isinstance(held, Held) and held.none == "nullopt":
        return held.value is not None
    if isinstance(value, Literal):
        return True
    raise Foreign("it is no truth")


def text_of(value):
    """The characters of a text, of any of its kinds."""
    value = plain(value)
    if isinstance(value, (Text, Literal)):
        if value.length > MOST:
            raise Wrong("a text of more than %d characters is not compared" % MOST)
        return value.data()
    if isinstance(value, Address) and value.of is not None and value.of.code == "char":
        if not value.value:
            raise Wrong("it is a null pointer")
        data = value.v.c_text(value.value, 4096)
        while b"\0" not in data and len(data) < MOST:
            more = value.v.c_text(value.value + len(data), 4096)
            data += more
        return data.split(b"\0", 1)[0]
    raise Foreign("it is no text")


def combine(op: str, a, b):
    a, b = plain(a), plain(b)
    if op in ("==", "!=", "<", "<=", ">", ">="):
        return compare(op, a, b)
    if isinstance(a, Address) or isinstance(b, Address):
        return moved(op, a, b)
    if op == "+" and any(isinstance(x, Text) for x in (a, b)):
        return Literal(text_of(a) + text_of(b))
    return arithmetic(op, a, b)


def compare(op: str, a, b):
    texts = [isinstance(x, Text) for x in (a, b)]
    if any(texts):
        if any(isinstance(x, (Text, Literal)) and x.width != 1 for x in (a, b)) and op not in ("==", "!="):
            raise Foreign("an order of wide texts")
        return compared(op, text_of(a), text_of(b))
    if any(isinstance(x, Address) for x in (a, b)) and any(isinstance(x, Literal) for x in (a, b)):
        raise Wrong('== of a char pointer and a text in quotes compares addresses; strcmp(p, "x") == 0 compares texts')
    if isinstance(a, Literal) and isinstance(b, Literal):
        return compared(op, a.data(), b.data())
    if isinstance(a, Address) or isinstance(b, Address):
        return compared(op, address_of(a), address_of(b))
    held = [shape_of(x) for x in (a, b)]
    if any(isinstance(h, Shared) for h in held):
        return compared(op, address_of(a), address_of(b))
    for mine, other, flip in ((held[0], b, False), (held[1], a, True)):
        if isinstance(mine, Held) and mine.none == "nullopt" and op in ("==", "!="):
            if mine.value is None:
                theirs = shape_of(other)
                same = isinstance(theirs, Held) and theirs.none == "nullopt" and theirs.value is None
                return same == (op == "==")
            return compare(op, plain(mine.value), other) if not flip else compare(op, other, plain(mine.value))
    if any(held) or hasattr(a, "type") or hasattr(b, "type"):
        raise Foreign("a comparison of objects")
    return comparison(op, a, b)


def address_of(value):
    if isinstance(value, Address):
        return value.value
    held = shape_of(value)
    if isinstance(held, Shared):
        return held.value.address if held.value is not None else 0
    if isinstance(value, Int) and value.value == 0:
        return 0
    raise Foreign("it is no pointer")


def moved(op: str, a, b):
    if isinstance(a, Address) and isinstance(b, Address) and op == "-" and a.of is not None and a.of.size:
        return Int((a.value - b.value) // a.of.size, 64)
    if isinstance(b, Address) and op == "+":
        a, b = b, a
    if not isinstance(a, Address) or op not in "+-" or a.of is None or not a.of.size:
        raise Foreign("arithmetic with a pointer")
    n = number(b).value
    return Address(a.value + (n if op == "+" else -n) * a.of.size, a.of, a.v)


def target_of(value):
    """What * and -> lead to."""
    held = shape_of(value)
    if isinstance(held, Held) and held.none != "":
        if held.value is None:
            raise Wrong("it is %s: there is no value" % (held.none or "empty"))
        return held.value
    value = plain(value)
    if isinstance(value, Address) and value.of is not None:
        if not value.value:
            raise Wrong("it is a null pointer")
        if value.v.type.code == "pointer" and value.v.number() == value.value:
            return value.v.deref()
        return value.v.at("*", value.value, value.of)
    raise Foreign("it is no pointer")


def as_object(value):
    """The object whose members a name may be."""
    for _ in range(4):
        held = shape_of(value)
        if isinstance(held, Held) or isinstance(value, Address) or hasattr(value, "type") and value.type.code == "pointer":
            value = target_of(value)
        else:
            return value
    return value


def field(value, name: str):
    held = shape_of(value)
    if isinstance(held, Held) and name == "value":
        return target_of(value)
    if held is None and hasattr(value, "type"):
        found = value.member(name)
        if found is not None:
            return found
    value = as_object(value)
    if not hasattr(value, "type"):
        raise Foreign("it has no members")
    found = value.member(name)
    if found is None:
        raise Foreign("there is no member %s" % name)
    return found


def key_of(value):
    value = plain(value)
    if isinstance(value, (Text, Literal)):
        return ("text", value.data())
    if isinstance(value, (bool, Int, Real)):
        return ("number", value if isinstance(value, bool) else value.value)
    if isinstance(value, Address):
        if value.of is not None and value.of.code == "char" and value.v.type.code == "array":
            return ("text", text_of(value))
        return ("number", value.value)
    return (None, None)


def position(entries, key):
    """Where an entry with a key is; None where there is none."""
    wanted = key_of(key)
    if isinstance(plain(key), Address) and entries.count and key_of(entry_key(entries, 0))[0] == "text":
        wanted = ("text", text_of(key))
    if entries.count and key_of(entry_key(entries, 0))[0] != wanted[0]:
        raise Foreign("a key of another kind")
    if entries.count > MOST:
        raise Wrong("a map of %d entries is not searched" % entries.count)
    return next(places(entries, wanted), None)


def places(entries, wanted):
    """The places of the entries with a key; in memory where that can be, for there may be many."""
    first = entry_key(entries, 0) if entries.count else None
    if isinstance(entries, Chain) and first is not None:
        code, of = first.type.code, first.type
        if wanted[0] == "text" and of.name.startswith("std::") and "basic_string<char" in of.name:
            return entries.matching(first, wanted[1])
        if code in ("int", "char", "enum", "pointer") and isinstance(wanted[1], int):
            low, high = (-(1 << 8 * of.size - 1), 1 << 8 * of.size - 1) if of.signed else (0, 1 << 8 * of.size)
            if low <= wanted[1] < high:
                return entries.matching(first, wanted[1].to_bytes(of.size, "little", signed=of.signed))
    return (i for i in range(entries.count) if key_of(entry_key(entries, i)) == wanted)


def entry_key(entries, i: int):
    return entries.key(i) if isinstance(entries, Pairs) else entries.item(i)


def element(value, index):
    held = shape_of(value)
    if isinstance(held, Shared):  # an array that is held
        pointed = target_of(value)
        return pointed.at("[]", pointed.address + number(plain(index)).value * pointed.type.size, pointed.type)
    if isinstance(held, Pairs):
        return lookup(held, index)
    if isinstance(held, Sequence):
        return at(held, index)
    if isinstance(held, Text):
        return letter(held, index)
    if held is not None:
        raise Foreign("it has no elements")
    value = value if hasattr(value, "type") else plain(value)
    n = number(plain(index)).value
    if isinstance(value, Address):
        return target_of(moved("+", value, Int(n, 64)))
    if value.type.code == "array":
        unknown = value.type.name.endswith("[]") or not value.type.count  # how long it is
        if not 0 <= n < value.type.count and not unknown:
            raise Wrong("index %d is out of bounds: the length is %d" % (n, value.type.count))
        if unknown:
            return value.at("[%d]" % n, value.address + n * value.type.element().size, value.type.element())
        return value.element(n)
    if value.type.code == "pointer":
        return value.element(n)
    raise Foreign("it has no elements")


def lookup(entries, key):
    try:
        i = position(entries, key)
    except Foreign:  # of a map by other keys: its entries have numbers too
        return at(entries, key)
    if i is None:
        raise Wrong("there is no key %s among the %d" % (words(key), entries.count))
    return entries.value(i)


def at(held, index):
    if isinstance(held, Pairs):
        try:
            i = position(held, index)
        except Foreign:
            i = None
        else:
            if i is None:
                raise Wrong("there is no key %s among the %d" % (words(index), held.count))
            return held.value(i)
    if isinstance(held, (Text, Literal)):
        return letter(held, index)
    n = number(plain(index)).value
    if not 0 <= n < held.count:
        raise Wrong("index %d is out of bounds: the size is %d" % (n, held.count))
    return held.item(n)


def letter(text, index):
    n = number(plain(index)).value
    if not 0 <= n < text.length:
        raise Wrong("index %d is out of bounds: the length is %d" % (n, text.length))
    return Int(int.from_bytes(text.data(1, n), "little"), 8 * text.width, text.width == 1, True)


def words(value):
    value = plain(value)
    if isinstance(value, Literal):
        return '"%s"' % value.data().decode("utf-8", "replace")
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (Int, Real)):
        return str(value.value)
    return Words().of(value) if hasattr(value, "type") else "it"


def alternative(scope, held, wanted, only_asked):
    if wanted.isdigit():
        same = held.index == int(wanted)
    else:
        same = held.value is not None and named_alike(held.value.type.name, wanted)
    if only_asked:
        return same
    if not same:
        raise Wrong("it holds %s" % (Words().held(held, 0)))
    return held.value


def named_alike(full, written):
    def bare(name: str):
        name = re.sub(r"\b(std::)?(__cxx11::)?basic_string<char(, ?std::char_traits<char>, ?std::allocator<char> ?)?>", "std::string", name)
        return re.sub(r"\s+|\bconst\b", "", name)

    return bare(full) == bare(written) or bare(full).endswith("::" + bare(written))
