"""All of a value of C or C++ as one hash, for values whose line leaves something out: with what its
pointers lead to, its types, and sets and maps in one order. Knows no debugger."""

import hashlib

from aidb.cpp.iterators import ITERATORS, iterator
from aidb.cpp.values import Held, Pairs, Sequence, Text, Told, shape
from aidb.cpp.words import PLAIN, UNREADABLE, Clock
from aidb.debugger.interface import CppValue

SIZE = 1 << 20  # bytes of one value
WITHIN = 0.1  # seconds that one may take
ALL = 4.0  # seconds that all of a run may take
DEEP = 200  # values within values


class TooMuch(Exception):
    """It is not hashed: beyond the bounds, or not to be read."""


class Spent:
    """What all hashes of a run have cost."""

    seconds = 0.0


def whole(v: CppValue):
    """The hash of all of a value; empty where there is none."""
    clock = Clock()
    if Spent.seconds > ALL:
        return ""
    try:
        return Walk(clock).of(v).hex()
    except (TooMuch, RecursionError, *UNREADABLE):
        return ""
    finally:
        Spent.seconds += clock.spent()


class Walk:
    """One walk through a value."""

    def __init__(self, clock):
        self.clock, self.left, self.met = clock, SIZE, {}  # by place and type: its number

    def of(self, v: CppValue):
        out = hashlib.blake2b(digest_size=16)
        self.into(out.update, v, 0)
        return out.digest()

    def spend(self, size: int) -> None:
        self.left -= size
        if self.left < 0 or self.clock.spent() > WITHIN:
            raise TooMuch()

    def into(self, put, v: CppValue, depth: int):
        code = v.type.code
        put(v.type.name.encode() + b"\0")
        if depth > DEEP or v.failure():
            raise TooMuch()
        if code in PLAIN or code in ("char", "member"):
            data = v.contents()
            self.spend(len(data))
            return put(data)
        if code == "pointer":
            return self.pointer(put, v, depth)
        if code == "array":
            return self.array(put, v, depth)
        if code not in ("record", "union"):
            raise TooMuch()
        if v.placed() and self.again(put, v):
            return None
        held = shape(v)
        if held is not None:
            return self.library(put, v, held, depth)
        if ITERATORS.match(v.type.name):
            held = iterator(v)
            return self.into(put, held.value, depth + 1) if held.value is not None else put(b"none")
        if code == "union" and any(m.type.code not in PLAIN for m in v.children()):
            raise TooMuch()  # which of them counts is not known
        for m in v.children():
            put(m.name.encode() + b"=")
            self.into(put, m, depth + 1)
        return put(b";")

    def again(self, put, v: CppValue) -> bool:
        """Says that a value has been met, and is told by its number."""
        key = (v.address, v.type.name)
        if key in self.met:
            put(b"@%d" % self.met[key])
            return True
        self.met[key] = len(self.met)
        return False

    def pointer(self, put, v: CppValue, depth: int):
        at, to = v.number(), v.type.pointee()
        if not at:
            return put(b"null")
        if to.code == "char" and to.name == "char":
            return self.text(put, v, at)
        if to.code == "function":
            return put(v.symbol().encode())
        if to.code == "void" or not to.size:
            return put(b"somewhere")
        return self.into(put, v.deref(), depth + 1)

    def text(self, put, v: CppValue, at):
        """Characters up to their end."""
        most = 256
        while True:
            data = v.c_text(at, most)
            end = data.find(b"\0")
            self.spend(len(data) if end < 0 else end)
            if end >= 0:
                return put(data[:end] + b"\0")
            if len(data) < most:
                raise TooMuch()
            most *= 4

    def array(self, put, v: CppValue, depth: int):
        of, count = v.type.element(), v.type.count
        if of.code == "char" and of.name == "char" and v.placed():
            self.spend(count)
            return put(v.memory(v.address, count).split(b"\0")[0] + b"\0")
        for i in range(count):
            self.into(put, v.element(i), depth + 1)
        return put(b"]")

    def library(self, put, v: CppValue, held, depth: int):
        if isinstance(held, Text):
            self.spend(held.length * held.width)
            return put(held.data() + b"\0")
        if isinstance(held, Told):
            return put(held.words.encode())
        if isinstance(held, Held):
            return self.into(put, held.value, depth + 1) if held.value is not None else put(held.none.encode())
        if not isinstance(held, Sequence):
            raise TooMuch()
        put(b"%d:" % held.count)
        if held.bits is not None:
            return put(held.bits.encode())
        if held.numbers is not None:
            return self.numbers(put, held)
        if held.hashed:
            met = self.met
            put(b"".join(sorted(self.part(held, i, depth, dict(met)) for i in range(held.count))))
            self.met = met
            return None
        for i in range(held.count):
            put(self.part(held, i, depth, self.met))
        return None

    def numbers(self, put, held) -> None:
        self.spend(held.count)
        put(b",".join(b"%d" % n for n in held.numbers(held.count)))

    def part(self, held, i: int, depth: int, met):
        self.met = met
        out = hashlib.blake2b(digest_size=16)
        if isinstance(held, Pairs):
            self.into(out.update, held.key(i), depth + 1)
            self.into(out.update, held.value(i), depth + 1)
        else:
            self.into(out.update, held.item(i), depth + 1)
        return out.digest()
