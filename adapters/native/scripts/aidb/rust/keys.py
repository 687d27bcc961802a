"""Looking up a key in a map of Rust: by the bytes that lie in memory, since making a
value of each of ten thousand keys takes seconds."""

import time

from aidb.debugger.interface import Nonsense
from aidb.rust.memory import child, kind_of, pointer, vec

MAX_SEARCH = 6.0  # seconds


class Unfinished(Exception):
    """There was no time to look at all."""


class Text:
    """How a text lies in memory: a pointer and a length somewhere in the key."""

    def __init__(self, key) -> None:
        self.v = key
        if kind_of(key) == "str":
            to, length = child(key, "data_ptr"), child(key, "length")
        else:
            inner = key
            while kind_of(inner) != "vec":
                if not inner.count:
                    raise Nonsense("text")
                inner = inner.part(0)
            vec(inner)
            to, length = pointer(child(inner, "buf")), child(inner, "len")
        while length.count:
            length = length.part(0)
        base = key.address
        self.to, self.length = to.address - base, length.address - base

    def suits(self, wanted):
        return isinstance(wanted, str)

    def read(self, data, at, like=None):
        """The text, as bytes; nothing when it has not the length of the one that is looked for."""
        length = int.from_bytes(data[at + self.length:at + self.length + 8], "little")
        if like is not None and length != len(like):
            return None
        return bytes(self.v.memory(int.from_bytes(data[at + self.to:at + self.to + 8], "little"), length))


class Number:
    """How a number lies in memory."""

    def __init__(self, key) -> None:
        self.size, self.char = key.type.size, key.type.code == "wide"
        self.signed = key.type.code in ("int", "char") and key.type.signed

    def suits(self, wanted):
        return isinstance(wanted, str) and len(wanted) == 1 if self.char else isinstance(wanted, int)

    def read(self, data, at, like=None):
        return int.from_bytes(data[at:at + self.size], "little", signed=self.signed)


def reading(key):
    """How keys like this one are read; None where only making values of them can."""
    kind = kind_of(key)
    try:
        if kind in ("string", "str"):
            return Text(key)
        if kind == "scalar" and key.type.code in ("int", "char", "wide", "bool"):
            return Number(key)
    except (Nonsense, AttributeError):
        pass
    return None


def plainly(reader, wanted):
    if isinstance(reader, Text):
        return wanted.encode()
    return ord(wanted) if isinstance(wanted, str) else int(wanted)


def rank_in_table(table, first, wanted):
    """The rank of a key in a hash table; None when it is not there; NotImplemented
    when its kind of key is not read so. First is the key of the first entry."""
    reader = reading(first)
    if reader is None or not reader.suits(wanted):
        return NotImplemented
    like, end = plainly(reader, wanted), time.monotonic() + MAX_SEARCH
    table.find(table.count)
    offset = first.address - table.entry(0).address
    block = max((1 << 16) // max(table.size, 1), 1)
    rank, places = 0, table.places
    while rank < len(places):
        low = places[rank]
        group = [p for p in places[rank:rank + block] if p < low + block]
        high = group[-1]
        begin = table.control - (high + 1) * table.size
        data = table.v.memory(begin, (high - low + 1) * table.size)
        for i, place in enumerate(group):
            if reader.read(data, (high - place) * table.size + offset, like) == like:
                return rank + i
        rank += len(group)
        if time.monotonic() > end:
            raise Unfinished("of the %d keys, %d were searched in %g s, and it is not among these" % (len(places), rank, MAX_SEARCH))
    return None


def rank_in_tree(tree, first, wanted):
    """The same in a B-tree."""
    reader = reading(first)
    if reader is None or not reader.suits(wanted):
        return NotImplemented
    like, end, size, data_of = plainly(reader, wanted), time.monotonic() + MAX_SEARCH, first.type.size, (None, b"")
    for rank in range(len(tree)):
        node, i = tree.place(rank)
        if data_of[0] != node:
            data_of = (node, tree.v.memory(node + tree.keys, 11 * size))
        if reader.read(data_of[1], i * size, like) == like:
            return rank
        if rank % 256 == 255 and time.monotonic() > end:
            raise Unfinished("of the %d keys, %d were searched in %g s, and it is not among these" % (len(tree), rank + 1, MAX_SEARCH))
    return None
