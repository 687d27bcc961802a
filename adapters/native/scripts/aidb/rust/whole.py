"""All of a value of Rust as one hash, for values whose line leaves something out: with what it
points to and owns, and sets and maps in one order."""

import hashlib
import re
import time

from aidb.debugger.interface import RustValue
from aidb.guard import LEFT_OUT
from aidb.rust.memory import kind_of, type_name
from aidb.rust.words import UNREADABLE, UNTOLD, Words

SIZE = 1 << 20  # bytes of one value
WITHIN = 0.25  # seconds of the processor that one may take
ALL = 20.0  # that all of a run may take
ADDRESS = re.compile(r"0x[0-9a-f]+")  # which differs from run to run


class TooMuch(Exception):
    """It is not hashed: beyond the bounds, or not to be read."""


class Spent:
    """What all hashes of a run have cost."""

    seconds = 0.0


class All(Words):
    """Words without bounds but for size and time."""

    LEFT, LINE, BYTES, ITEMS, DEPTH = 1 << 40, SIZE, SIZE, SIZE, 60

    def __init__(self, end) -> None:
        super().__init__()
        self.end, self.size = end, 0

    def of(self, v: RustValue, depth: int=0) -> str:
        if time.thread_time() > self.end:
            raise TooMuch()
        text = super().of(v, depth)
        if text in (UNREADABLE, UNTOLD, LEFT_OUT):
            raise TooMuch()
        return text

    def less(self, _text):
        raise TooMuch()

    def sequence(self, s, depth: int):
        size = len(s) * s.type.size
        if not 0 < size <= SIZE or s.capacity or kind_of(s.item(0)) != "scalar":
            return super().sequence(s, depth)
        return "[%d %s]" % (len(s), hashed(s.v.memory(s.address, size)))

    def keyed(self, pairs, count, is_set, depth: int):
        words = []
        for i in range(count):
            key, value = pairs(i)
            words.append(self.of(key, depth + 1) + ("" if is_set else ": " + self.of(value, depth + 1)))
        return "{" + ", ".join(sorted(words)) + "}"


def hashed(data):
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def whole(v: RustValue):
    """The hash of all of a value; empty where there is none."""
    start = time.thread_time()
    if Spent.seconds > ALL:
        return ""
    try:
        text = All(start + WITHIN).of(v)
    except (TooMuch, RecursionError):
        return ""
    finally:
        Spent.seconds += time.thread_time() - start
    if len(text) > SIZE:
        return ""
    said = type_name(v) + "\0" + ADDRESS.sub("0x", text)
    return hashed(said.encode("utf-8", "surrogatepass"))
