"""The values of C and C++ programs in one line, within bounds of depth, length
and time: no pointer is followed from within a value, so that what leads back to
itself ends."""

import threading
import time

from aidb.cpp.iterators import ITERATORS, iterator
from aidb.cpp.values import PREFIXES, UNSET, Held, Nonsense, Pairs, Shared, Text, Told, Variant, shape
from aidb.debugger.interface import CppValue
from aidb.guard import LEFT_OUT, guard

TEXT = 2000  # characters of a text
ITEMS = 12  # elements of a container in its one line
LINE = 160  # characters of a line of elements or members
MEMBERS = 200  # members of a record that are looked at
KEY = 60  # characters of a key by which an entry is named
DEPTH = 3  # of values within values
WITHIN = 0.25  # seconds that one line may take
ATONCE = 2.0  # seconds that the lines of one stop may take together, until somebody asks for a value

PLAIN = ("int", "bool", "float", "enum", "wide")
ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r", "\0": "\\0"}
STRINGS = (
    "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >",
    "std::basic_string<char, std::char_traits<char>, std::allocator<char> >",
    "std::basic_string<char>",
)
UNREADABLE = (Nonsense, ValueError, OverflowError, TypeError, AttributeError, IndexError, KeyError)


class Spending(threading.local):
    """What the lines of the current stop have cost."""

    stop, spent = None, 0.0

    def allow(self, stop):
        if self.stop != stop:
            self.stop, self.spent = stop, 0.0
        return min(WITHIN, max(ATONCE - self.spent, 0.0))

    def asked(self) -> None:
        self.spent = 0.0


spending = Spending()


def quoted(data, more: int=0, encoding: str="utf-8", prefix: str=""):
    """Characters in quotes; more is how many were left out."""
    if encoding == "utf-8":
        text = whole_letters(data, more).decode(encoding, "surrogateescape")
    else:
        text = data.decode(encoding, "replace")
    out = "".join(ESCAPES.get(c) or escaped(c) for c in text)
    return prefix + '"' + out + '"' + ("...+%d more" % more if more else "")


def whole_letters(data, more: int):
    """Bytes without the beginning of a letter whose rest was left out."""
    for back in range(1, min(4, len(data) + 1) if more else 0):
        if data[-back] >= 0xC0:
            return data[:-back] if back < 2 + (data[-back] >= 0xE0) + (data[-back] >= 0xF0) else data
        if data[-back] < 0x80:
            break
    return data


def escaped(letter):
    """A letter as it stands in quotes: by its number where it is none that is seen, or a byte that is no text."""
    n = ord(letter)
    if 0xDC80 <= n <= 0xDCFF:  # Python's stand-in for a byte
        n -= 0xDC00
    elif n >= 32 and n != 127:
        return letter
    return "\\x%02x" % n


ENCODINGS = {1: "utf-8", 2: "utf-16-le", 4: "utf-32-le"}


def text_words(text):
    told = min(text.length, TEXT)
    return quoted(text.data(told), text.length - told, ENCODINGS[text.width], text.prefix)


class Clock:
    """The work done since it was made, in seconds; waiting for a busy machine counts for less."""

    def __init__(self) -> None:
        self.work, self.wall = time.thread_time(), time.monotonic()

    def spent(self):
        return max(time.thread_time() - self.work, (time.monotonic() - self.wall) / 4)


class Words:
    """One line in the making."""

    def __init__(self, allowed=WITHIN, ordered=False) -> None:
        self.clock, self.allowed = Clock(), allowed
        self.ordered = ordered  # the elements of a hashed container in the order of their words, where they are few
        self.cut = False  # something is left out, or what a pointer leads to

    def late(self) -> bool:
        return self.clock.spent() >= self.allowed

    def of(self, v: CppValue, depth: int=0) -> str:
        try:
            code = v.type.code
            words = v.scalar_words() if code in PLAIN else "?"  # what has words can be read
            if words != "?":
                return words
            failure = v.failure()
            return "<%s>" % failure if failure else self.guarded(v, depth)
        except UNREADABLE:
            return UNSET

    def guarded(self, v: CppValue, depth: int) -> str:
        """The words of what has parts, unless the debugger dies of it."""
        if guard.leaves_out(v.type.name):
            return LEFT_OUT
        guard.enter(v.type.name)
        try:
            held = v.held = shape(v)
            if held is not None:
                return self.library(held, depth)
            return getattr(self, v.type.code, self.plain)(v, depth)
        finally:
            guard.leave()

    def library(self, held, depth):
        if isinstance(held, Text):
            self.cut |= held.length > TEXT
            return text_words(held)
        if isinstance(held, Told):
            return held.words
        if isinstance(held, Held):
            return self.held(held, depth)
        if held.bits is not None:
            self.cut |= held.count > 64
            return held.bits if held.count <= 64 else held.bits[:64] + "...+%d more" % (held.count - 64)
        return self.sequence(held, depth)

    def held(self, held, depth: int):
        if held.value is None:
            return "expired" if isinstance(held, Shared) and held.uses == 0 and held.none != "nullptr" else held.none
        if isinstance(held, Variant):
            if held.is_empty():
                return short_type(held.of.name) + ": {}"
            return "%s: %s" % (short_type(held.value.type.name), self.of(held.value, depth + 1))
        if not isinstance(held, Shared):
            return self.of(held.value, depth)
        if depth >= 2:  # it may lead back
            self.cut = True
            return "%#x" % held.value.address
        return "%#x %s" % (held.value.address, self.of(held.value, depth + 1))

    def sequence(self, held, depth: int):
        if held.fixed:
            return self.joined((lambda i=i: self.of(held.item(i), depth + 1) for i in range(held.count)), held.count)
        if depth > DEPTH:
            self.cut |= held.count > 0
            return "size=%d {...}" % held.count
        parts = self.pairs(held, depth) if isinstance(held, Pairs) else self.items(held, depth)
        if self.ordered and held.hashed and held.count <= ITEMS:
            parts = ((lambda text=text: text) for text in sorted(part() for part in parts))
        return "size=%d %s" % (held.count, self.joined(parts, held.count))

    def pairs(self, held, depth: int):
        return (lambda i=i: "%s: %s" % (self.of(held.key(i), depth + 1), self.of(held.value(i), depth + 1)) for i in range(min(held.count, ITEMS)))

    def items(self, held, depth: int):
        told = min(held.count, ITEMS)
        if held.numbers is not None:  # read at once: each word with the debugger costs
            return ((lambda n=n: str(n)) for n in held.numbers(told))
        return ((lambda i=i: self.of(held.item(i), depth + 1)) for i in range(told))

    def joined(self, parts, count):
        shown, used = [], 0
        for part in parts:
            if self.late():
                break
            text = part()
            used += len(text) + 2
            if used > LINE and shown:
                break
            shown.append(text)
        self.cut |= len(shown) < count
        rest = "" if len(shown) == count else ", ..." if shown else "..."
        return "{%s%s}" % (", ".join(shown), rest)

    # one method for each kind of type

    def plain(self, v: CppValue, _depth: int) -> str:
        return v.scalar_words()

    def char(self, v: CppValue, _depth: int) -> str:
        n = v.number() & 0xFF
        if v.type.name == "char":
            return v.scalar_words()
        n = n - 256 if v.type.signed and n > 127 else n
        return "%d '%s'" % (n, chr(n)) if 32 < n < 127 else str(n)

    def pointer(self, v: CppValue, depth: int) -> str:
        at, to = v.number(), v.type.pointee()
        if at == 0:
            return "nullptr"
        if to.code == "char":
            return self.c_text(v, at)
        if to.code == "function":
            return "%#x %s" % (at, v.symbol()) if v.symbol() else "%#x" % at
        if to.code != "void" and to.size:
            self.cut |= depth > 0 or to.code not in ("record", "union")
        if depth > 0 or to.code not in ("record", "union") or not to.size:  # of no size: declared only
            return "%#x" % at
        try:
            return self.of(v.deref(), depth)
        except Nonsense:
            return "%#x" % at

    def c_text(self, v: CppValue, at):
        try:
            data = v.c_text(at, TEXT + 1)
        except Nonsense:
            return "%#x <unreadable>" % at
        end = data.find(b"\0")
        self.cut |= end < 0
        if end < 0:
            return quoted(data[:TEXT]) + "..."
        return quoted(data[:end])

    def member(self, v: CppValue, _depth: int) -> str:
        """A pointer to a member: one to data is how far in it lies, and null is none of these."""
        if v.type.size != v.word:  # to a function: where that is, and what is added to this
            at = int.from_bytes(v.contents()[: v.word], "little")
            return "%#x" % at if at else "nullptr"
        far = int.from_bytes(v.contents(), "little")
        if far == (1 << 8 * v.word) - 1:
            return "nullptr"
        name = v.member_name(far)
        return "&" + name if name else "offset %d" % far

    def array(self, v: CppValue, depth: int) -> str:
        count, of = v.type.count, v.type.element()
        if of.code == "char" and of.name == "char":
            if not v.placed():  # of an expression, and whole
                return quoted(v.contents()[:-1])
            if not count or v.type.name.endswith("[]"):  # as long as it was made
                return self.c_text(v, v.address)
            most = 1 << 20 if v.name.startswith("$") else TEXT  # LLDB's name for what was asked for
            data = v.memory(v.address, min(count, most))
            end = data.find(b"\0")
            self.cut |= end < 0 and count > most
            return quoted(data if end < 0 else data[:end], 0 if end >= 0 or count <= most else count - most)
        if of.code == "wide":
            self.cut |= count > TEXT
            text = v.memory(v.address, min(count, TEXT) * of.size).decode(ENCODINGS[of.size], "replace").split("\0")[0]
            return quoted(text.encode(), 0, "utf-8", PREFIXES.get(of.name, ""))
        if depth > DEPTH or not count or v.type.name.endswith("[]"):  # LLDB finds none, too, where it misreads the union around it
            self.cut = True
            return "{...}"
        return self.joined((lambda i=i: self.of(v.element(i), depth + 1) for i in range(min(count, ITEMS))), count)

    def union(self, v: CppValue, depth: int) -> str:
        return self.record(v, depth)

    def record(self, v: CppValue, depth: int) -> str:
        if ITERATORS.match(v.type.name):
            told = self.led_to(v, depth)
            if told is not None:
                return told
        if depth >= 2:
            self.cut = True
            return "{...}"
        members, told = v.children(MEMBERS), {}
        for i in sorted(range(len(members)), key=lambda i: not scalar(members[i])):  # what decides most costs least
            if self.late():
                break
            m = members[i]
            told[i] = self.inherited(m, depth) if m.unnamed else self.of(m, depth + 1)
        self.cut |= len(told) < len(members) or len(members) == MEMBERS
        return self.fitting([(members[i], told[i]) for i in sorted(told)], len(members))

    def led_to(self, v: CppValue, depth: int):
        """What an iterator leads to; None where that cannot be read: it is past the last element, or nowhere."""
        try:
            held = v.held = iterator(v)
            told = self.of(held.value, depth) if held.value is not None else held.none
        except UNREADABLE:
            return None
        return told if UNSET not in told else None

    def inherited(self, m, depth: int):
        """The members of a base class or of a record without a name, without the brackets around them."""
        if not m.type.name.startswith("std::") and m.type.code in ("record", "union"):
            return self.record(m, depth)[1:-1]
        return self.of(m, depth + 1)

    def fitting(self, parts, count):
        """The members in their order; where not all fit, the scalars of all first."""
        told = [(m, text if m.unnamed else "%s:%s" % (m.name.lstrip("&"), text)) for m, text in parts]
        told = [(m, text) for m, text in told if text]
        if sum(len(text) + 2 for _, text in told) > LINE or len(parts) < count:
            told.sort(key=lambda part: not scalar(part[0]))
        shown, used = [], 0
        for _, text in told:
            used += len(text) + 2
            if used > LINE and shown:
                break
            shown.append(text)
        self.cut |= len(shown) < len(told)
        rest = "" if len(shown) == len(told) and len(parts) == count else ", ..." if shown else "..."
        return "{%s%s}" % (", ".join(shown), rest)


def scalar(v: CppValue):
    plain = v.type.code in ("int", "bool", "char", "wide", "float", "enum", "pointer")
    return plain or v.type.name.endswith("basic_string<char, std::char_traits<char>, std::allocator<char> >")


def short_type(name: str):
    for long in STRINGS:
        name = name.replace(long, "std::string")
    return name


def key_name(key):
    """A key as an expression writes it; None where that cannot be short."""
    held = shape(key)
    if held is not None and not isinstance(held, Text) or held is None and key.type.code not in ("int", "bool", "char", "enum", "pointer"):
        return None
    words = Words().of(key)
    if key.type.code == "char" and key.type.name != "char":
        words = str(key.integer())
    return words if len(words) <= KEY and words != UNSET else None


def line(v: CppValue, stop):
    """The line of a value, within what the stop may still cost."""
    clock = Clock()
    try:
        allowed = spending.allow(stop)
        return Words(allowed).of(v) if allowed else "..."
    finally:
        spending.spent += clock.spent()
