"""Types of the standard library, and of a crate that is everywhere, in words of their own."""

import os
import re
import struct

from aidb.debugger.interface import Nonsense, RustType, RustValue
from aidb.rust.memory import CELL, THIN, UNSURE, Sequence, argument, child, last_part, number, pointer, sane, type_name

SIGNS = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\", "\0": "\\0"}
WRAPPER = re.compile(r"^core::(cell::UnsafeCell|mem::)|^std::sync::(\w+::)*lazy_lock::Data<")
UNTOLD_ONCE = "<cannot tell whether it is set>"


def escaped(text: str, quote: str):
    """A text as Rust writes it in quotes of a kind; bytes that are no letters come as surrogates."""
    def one(c):
        if c in SIGNS or c == quote:
            return SIGNS.get(c, "\\" + quote)
        n = ord(c)
        return "\\x%02X" % (n - 0xDC00) if 0xDC80 <= n <= 0xDCFF else "\\u{%x}" % n if n < 32 or n == 127 else c
    return quote + "".join(map(one, text)) + quote


def byte_text(data):
    """Bytes as a literal of Rust."""
    return 'b"' + "".join(SIGNS.get(chr(b)) or ('\\"' if b == 34 else chr(b) if 32 <= b < 127 else "\\x%02x" % b) for b in data) + '"'


def real(text: str, bits: int):
    """A number as Rust writes it: as short as it can be, and always one with a point or an exponent."""
    text = text.lower().lstrip("+")
    if text.startswith(("nan", "-nan")):
        return "NaN"
    n = float(text)
    if n in (float("inf"), float("-inf")):
        return repr(n)
    if bits == 32:
        short = (float("%.*g" % (digits, n)) for digits in range(1, 10))
        n = next((s for s in short if struct.pack("f", s) == struct.pack("f", n)), n)
    return re.sub(r"e([+-]?)0*(\d)", lambda m: "e" + m.group(1).replace("+", "") + m.group(2), repr(n))


def lasting(seconds, nanos):
    """A duration, exactly, in the greatest unit that it fills."""
    if seconds:
        return ("%d.%09d" % (seconds, nanos)).rstrip("0").rstrip(".") + "s"
    for unit, sign in ((1000000, "ms"), (1000, "µs"), (1, "ns")):
        if nanos >= unit:
            digits = len(str(unit)) - 1
            return ("%d.%0*d" % (nanos // unit, digits, nanos % unit)).rstrip("0").rstrip(".") + sign if digits else "%dns" % nanos
    return "0ns"


def rest(v):
    """What an iterator over a slice or a vector has still to give."""
    start = pointer(child(v, "ptr"))
    of = argument(v.type)
    end = pointer(v.member("end_or_len") or child(v, "end")).unsigned()
    if not of.size:
        raise Nonsense("a length in place of an end")
    length = end - start.unsigned()
    if length < 0 or length % of.size:
        raise Nonsense("end before start")
    return Sequence(v, start.unsigned(), length // of.size, of)


def array_in(v: RustValue, depth: int=0):
    """The first array in a value."""
    if v.type.code == "array":
        return v
    for i in range(min(v.count, 4) if depth < 8 else 0):
        found = array_in(v.part(i), depth + 1)
        if found is not None:
            return found
    return None


def small(v):
    """A SmallVec, whose elements are in it as long as they fit: its capacity is their number then."""
    data, room = child(v, "data"), argument(v.type)
    if room.code != "array" or not room.element().size:
        raise Nonsense("elements without a size")
    of = room.element()
    count = number(child(v, "capacity"))
    enum = data.type.tagged
    if count <= room.size // of.size:
        inline = array_in(data.variant() if enum else child(data, "inline"))
        return Sequence(v, inline.address, count, of)
    heap = data.variant() if enum else child(data, "heap")
    pair = heap if heap.member("ptr") is not None else heap.part(0)
    start, length = (pair.member("ptr"), pair.member("len")) if pair.member("ptr") is not None else (pair.part(0), pair.part(1))
    if number(length) > count:
        raise Nonsense("length over capacity")
    return Sequence(v, pointer(start).unsigned(), number(length), of)


def enumerators(of_type: RustType):
    """The names of an enum's values."""
    return {n: name.rsplit("::", 1)[-1] for name, n in of_type.enumerators().items()}


def data_of(v: RustValue):
    """The bytes of bytes::Bytes and BytesMut: where they are, and how many."""
    start = child(v, "ptr")
    return (start if start.type.code == "pointer" else pointer(start)).unsigned(), sane(number(child(v, "len")))


class Library:
    """Part of Words: one method for each kind."""

    def duration(self, v: RustValue, _depth: int) -> str:
        return lasting(number(child(v, "secs")), number(child(v, "nanos")))

    def range(self, v, depth):
        start, end = (self.of(bound, depth + 1) if bound is not None else "" for bound in (v.member("start"), v.member("end")))
        inclusive = "Inclusive" in last_part(type_name(v))
        spent = v.member("exhausted")
        return start + ("..=" if inclusive else "..") + end + (" (exhausted)" if spent is not None and number(spent) else "")

    def rest(self, v, depth):
        return last_part(type_name(v)) + "(" + self.sequence(rest(v), max(depth, 1)) + ")"

    def small(self, v, depth):
        return self.sequence(small(v), depth)

    def bytes(self, v, _depth):
        address, length = data_of(v)
        shown = min(length, self.BYTES)
        text = byte_text(v.memory(address, shown))
        return text if shown == length else self.less(text + "...+%d more" % (length - shown))

    def fault(self, v, depth):
        """An error of input or output, which is packed into a word by its last two bits."""
        word = pointer(child(v, "repr"))
        if word is None:
            return self.struct(v, depth)
        word = word.unsigned()
        find = v.process.find_type
        if word & 3 == 2:
            return "Os { code: %d, message: %s }" % (word >> 32, escaped(os.strerror(word >> 32), '"'))
        if word & 3 == 3:
            kinds = find("std::io::error::ErrorKind")
            return "Kind(%s)" % (enumerators(kinds).get(word >> 32) if kinds is not None else word >> 32)
        of = find("std::io::error::" + ("Custom" if word & 3 else "SimpleMessage"))
        if of is None:
            return "Error at %#x" % word
        return self.struct(v.at("*", word & ~3, of), depth)

    def once(self, v, depth):
        """A OnceLock or a LazyLock. What its state means has changed once, with the type that
        its value is wrapped in; before that it is not known here."""
        name, held = last_part(type_name(v)), v.member("value") or child(v, "data")
        state = number(child(v, "once", "inner", "state_and_queued")) & 3
        known, place = False, held
        for _ in range(6):  # as far in as there are wrappers
            known = known or "MaybeDangling" in type_name(place)
            if not place.count or not WRAPPER.match(type_name(place)):
                break
            place = place.member("value") or place.part(0)
        if state in (1, 2) or not known:
            return "%s(%s)" % (name, "<being set>" if state in (1, 2) else UNTOLD_ONCE)
        return "%s(%s)" % (name, self.of(place, depth) if state == 0 else "<uninit>")


def content(v: RustValue):
    """What is in a cell, a guard, an atomic or a thin wrapper."""
    for name in ("value", "v", "data", "__0", "inner", "__pointer", "pointer"):
        inner = v.member(name)
        if inner is not None and (name != "inner" or v.count == 1 or "OnceCell" in type_name(v)):
            if UNSURE.match(type_name(inner)):
                return inner  # whose words say that it may hold nothing
            if CELL.match(type_name(inner)) or THIN.match(type_name(inner)) or type_name(inner).startswith("core::ptr::non_null"):
                return content(inner)
            return inner
    lock = v.member("lock")
    if lock is not None:
        return content(lock.deref())
    raise Nonsense("content")
