"""The values of Rust programs in words, as Rust writes them, and their parts."""

import re
import sys
from typing import Optional

from aidb.debugger.interface import Nonsense, RustValue
from aidb.guard import LEFT_OUT, guard
from aidb.rust.library import Library, content, escaped, real
from aidb.rust.memory import (
    UNSURE,
    VEC,
    Linked,
    Misread,
    Table,
    Tree,
    Untold,
    bucket,
    child,
    deque,
    entries_of,
    is_unit,
    kind_of,
    last_part,
    number,
    pointer,
    sane,
    slice_of,
    type_name,
    vec,
)

MAX_LINE = 1900     # bytes of a text that are shown
MAX_TEXT = 300      # characters of one summary
MAX_ITEMS = 8       # elements told in a summary
MAX_DEPTH = 4       # of values within values in a summary
# CodeLLDB reads all children whatever page was asked for: it gets few, and
# pages by an expression with a range.
MAX_CHILDREN = 200 if "codelldb" in sys.modules else 1 << 30

UNREADABLE = "<not initialized>"
UNREAD = "<not readable here>"
NOT_READABLE = "<not readable here>"
HASH = re.compile(r"::h[0-9a-f]{16}$")
UNTOLD = "<cannot tell which variant>"


def quoted(data):
    return escaped(data.decode("utf-8", "surrogateescape"), '"')


def text_at(v: RustValue, address: int, length: int, most):
    """A text, or its beginning and how many bytes more there are; and whether that is all of it."""
    sane(length)
    shown, data = min(length, most), v.memory(address, min(length, most))
    while True:
        while shown < length and shown and data[shown:shown + 1] and data[shown] & 0xC0 == 0x80:
            shown -= 1  # not within a letter
        text = quoted(data[:shown])
        if len(text) <= most + 2 or shown < 2:
            break
        shown = shown * 3 // 4
    return (text, True) if shown == length else (text + "...+%d more" % (length - shown), False)


def string_bytes(v: RustValue):
    """Address and length of String, PathBuf, OsString."""
    for _ in range(5):
        if VEC.match(type_name(v)):
            s = vec(v)
            return s.address, len(s)
        if not v.count:
            break
        v = v.part(0)
    raise Nonsense("bytes")


class Words(Library):
    """A summary in the making, which stops when it is long enough."""

    LEFT, LINE, BYTES, ITEMS, DEPTH = MAX_TEXT, MAX_LINE, 1000, MAX_ITEMS, MAX_DEPTH

    def __init__(self) -> None:
        self.left, self.cut = self.LEFT, False

    def less(self, text: str):
        """A text that leaves something out."""
        self.cut = True
        return text

    def text_of(self, v: RustValue, address: int, length: int):
        text, all_ = text_at(v, address, length, self.LINE)
        return text if all_ else self.less(text)

    def several(self, opening: str, parts, closing: str, total: Optional[int]=None):
        told = []
        for i, part in enumerate(parts):
            if i >= self.ITEMS or self.left <= 0:
                told.append(self.less("…"))
                break
            word = part()
            self.left -= len(word)
            told.append(word)
        return opening + ", ".join(told) + closing

    def of(self, v: RustValue, depth: int=0) -> str:
        name = v.type.name
        if guard.leaves_out(name):
            return LEFT_OUT
        guard.enter(name)
        try:
            return getattr(self, kind_of(v))(v, depth)
        except Untold:
            return UNTOLD
        except (Nonsense, ValueError, OverflowError):
            return UNREADABLE
        finally:
            guard.leave()

    # one method for each kind

    def untold(self, _v, _depth: int):
        return UNTOLD

    def group(self, _v, _depth: int) -> str:
        return "()"  # the only type that LLDB does not know

    def scalar(self, v: RustValue, _depth: int) -> str:
        if is_unit(v.type):
            return "()"
        if v.type.code == "wide":
            n = v.unsigned()
            return escaped(chr(n), "'") if n < 0x110000 and not 0xD800 <= n < 0xE000 else UNREADABLE
        if v.type.code == "enum" and v.type.size > 8:
            return UNTOLD  # the debuggers keep 64 bits of it, or die of it
        text = v.text()
        if text is None:
            return UNREADABLE
        if v.type.code == "float" and v.type.size in (4, 8):
            return real(text, 8 * v.type.size)
        return text.rsplit("::", 1)[-1]

    def pointer(self, v: RustValue, depth: int) -> str:
        address = v.unsigned()
        to = v.type.pointee()
        if to.code == "function":  # of a function's own type, which is of no size, the debug information says that it is a pointer
            symbol = v.process.symbol_at(address) if address else None
            return "fn " + (HASH.sub("", symbol) or hex(address)) if symbol is not None else UNREAD
        if address == 0:
            return "null"
        if depth > self.DEPTH and to.size:
            return self.less(hex(address))
        if to.size == 0 or to.name in ("void", "()"):
            return hex(address)
        try:
            return self.of(v.at("*", address, to), depth)
        except Nonsense:
            return "%s (unreadable)" % hex(address)

    def str(self, v: RustValue, _depth: int) -> str:
        return self.text_of(v, child(v, "data_ptr").unsigned(), number(child(v, "length")))

    def string(self, v, _depth):
        return self.text_of(v, *string_bytes(v))

    def os(self, v, depth):
        return self.string(v, depth)

    def sequence(self, s, depth: int):
        if depth > self.DEPTH:
            return self.less("[…]")
        told = self.several("[", ((lambda i=i: self.of(s.item(i), depth + 1)) for i in range(len(s))), "]")
        return "size=%d %s" % (len(s), told) if depth == 0 else told

    def vec(self, v, depth):
        return self.sequence(vec(v), depth)

    def deque(self, v, depth):
        return self.sequence(deque(v), depth)

    def heap(self, v, depth):
        return self.sequence(vec(child(v, "data")), depth)

    def linked(self, v, depth):
        return self.sequence(Linked(v), depth)

    def indexed(self, v, depth):
        entries = entries_of(v)
        return self.keyed(lambda i: bucket(entries.item(i)), len(entries), is_set(v), depth)

    def slice(self, v, depth):
        return self.sequence(slice_of(v), depth)

    def array(self, v, depth):
        n = v.count
        if v.type.element().name == "char":  # of our own making: a text of an expression
            return quoted(memory_of(v).rstrip(b"\0"))
        if depth > self.DEPTH:
            return self.less("[…]")
        told = self.several("[", ((lambda i=i: self.of(v.part(i), depth + 1)) for i in range(n)), "]")
        return "size=%d %s" % (n, told) if depth == 0 and told.endswith("…]") else told  # its parts say how many they are

    def keyed(self, pairs, count, is_set, depth: int):
        if depth > self.DEPTH:
            return self.less("{…}")

        def word(i: int):
            key, value = pairs(i)
            if is_set:
                return self.of(key, depth + 1)
            return self.of(key, depth + 1) + ": " + self.of(value, depth + 1)
        told = self.several("{", ((lambda i=i: word(i)) for i in range(count)), "}")
        return "size=%d %s" % (count, told) if depth == 0 else told

    def map(self, v, depth):
        table = Table(v)
        return self.keyed(lambda i: pair_of(table.entry(i)), len(table), is_set(v), depth)

    def tree(self, v, depth):
        tree = Tree(v)
        return self.keyed(tree.entry, len(tree), is_set(v), depth)

    def counted(self, v, depth):
        box = counted(v)
        if box is None:
            return "(dangling)"
        inner, strong, weak = box
        if not strong:
            return "(dropped)"
        told = "strong=%d" % strong + (", weak=%d" % weak if weak else "")
        if wide_of(v) == "str":
            text = quoted(memory_of(inner))
            return "%s (%s)" % (text, told) if depth == 0 else text
        if depth > self.DEPTH or inner is None:
            return self.less("(%s)" % told)
        return "%s (%s)" % (self.of(inner, depth), told) if depth == 0 else self.of(inner, depth)

    def cell(self, v, depth):
        words = self.of(content(v), depth)
        borrow = borrowed(v)
        return "%s (%s)" % (words, borrow) if borrow and depth == 0 else words

    def guard(self, v, depth):
        return self.of(content(v), depth)

    def atomic(self, v, depth):
        inner = content(v)
        if "AtomicBool" in type_name(v):
            return "true" if number(inner) else "false"
        if pointer(inner) is not None:  # which may carry marks in its last bits
            return hex(pointer(inner).unsigned())
        return self.of(inner, depth)

    def cstring(self, v, _depth):
        inner = slice_of(child(v, "inner"))
        return self.text_of(v, inner.address, max(len(inner) - 1, 0))

    def thin(self, v, depth):
        words = self.of(content(v), depth)
        return words + " (may be uninit)" if UNSURE.match(type_name(v)) else words

    def address(self, v, _depth):
        found = pointer(v)
        return hex(found.unsigned()) if found is not None else UNREADABLE

    def dyn(self, v, depth):
        concrete = behind(v)
        if concrete is None:
            m = VTABLE.match(v.process.vtable_name(number(child(v, "vtable"))))
            return "%s at %#x" % (m.group(1) if m else "dyn", child(v, "pointer").unsigned())
        return self.of(concrete, depth)

    def enum(self, v, depth):
        try:
            variant = v.variant()
        except Misread as it:
            return self.less("%s(…)" % it)
        return self.fields(variant, depth, last_part(type_name(variant)))

    def tuple(self, v, depth):
        name = type_name(v)
        return self.fields(v, depth, "" if name.startswith("(") else last_part(name))

    def struct(self, v, depth):
        return self.fields(v, depth, last_part(type_name(v)))

    def union(self, v, _depth):
        return "union " + last_part(type_name(v))

    def fields(self, v, depth, name):
        n = v.count
        if n == 0:
            return name or "()"
        list_ = [v.part(i) for i in range(min(n, self.ITEMS + 1))]
        tupled = all((f.name or "__").startswith("__") for f in list_)
        if depth > self.DEPTH:
            return self.less(name + ("(…)" if tupled else " {…}"))
        if tupled:
            return self.several(name + "(", ((lambda f=f: self.of(f, depth + 1)) for f in list_), ")" if n != 1 or name else ",)")
        return self.several((name + " { ").lstrip(), ((lambda f=f: "%s: %s" % (f.name, self.of(f, depth + 1))) for f in list_), " }")


def memory_of(v: RustValue):
    try:
        return v.contents()
    except Nonsense:
        return b""


def is_set(v: RustValue) -> bool:
    return last_part(type_name(v)) in ("HashSet", "BTreeSet", "IndexSet")


def pair_of(entry: RustValue):
    first, second = entry.member("__0"), entry.member("__1")  # a set's second is of no size, and may be missing
    return (entry if first is None else first), (entry if second is None else second)


def counted(v):
    """What Rc and Arc point to, with the counts; Weak may point nowhere."""
    p = pointer(v)
    address = p.unsigned()
    if address == (1 << 64) - 1:
        return None
    if address == 0:
        raise Nonsense("null")
    box = p.deref()
    v.memory(address, 1)
    strong, weak = number(child(box, "strong")), number(child(box, "weak"))
    inner = box.member("value") or box.member("data")
    if strong > 1 << 32 or weak > 1 << 32:
        raise Nonsense("counts")
    if not strong:  # a Weak has outlived what it points to: the memory is kept, and what lies there is no value
        return None, 0, max(weak - 1, 0)
    fat = wide(v)
    if fat is not None and inner is not None:
        if fat.member("vtable") is not None:
            inner = owner(v, number(child(fat, "vtable")), inner.address)
        else:
            length = min(sane(number(child(fat, "length"))), 2000 if wide_of(v) == "str" else 1 << 40)
            inner = v.at("*", inner.address, inner.type.array(length))
    return inner, strong, max(weak - 1, 0)


def wide(v: RustValue):
    """The pointer with a length, or with a vtable, in a value; if there is one."""
    for i in range(min(v.count, 4)):
        c = v.part(i)
        if c.member("length") is not None or c.member("vtable") is not None:
            return c
        if c.type.code != "pointer":
            found = wide(c)
            if found is not None:
                return found
    return None


def wide_of(v: RustValue):
    """What the pointer with a length in a value is to: str or another."""
    c = wide(v)
    return "str" if c is not None and type_name(c).endswith("<str>") else ""


def borrowed(v: RustValue):
    flag = v.member("borrow")
    if flag is None or not type_name(v).startswith("core::cell::RefCell"):
        return ""
    n = number(flag)
    if n >= 1 << 63:
        return "mutably borrowed"
    return "borrowed" if n else ""


VTABLE = re.compile(r"^<(.+) as .+>::\{vtable\}$")


OWNERS = (re.compile(r"^core::ptr::drop_in_place(?:::)?<(.+)>$"), re.compile(r"^_?<(.+) as .+>::[^:]+$"))
SIGNS = (("::_$", "::$"), ("$LT$", "<"), ("$GT$", ">"), ("$u20$", " "), ("$RF$", "&"), ("$C$", ","), ("$u5b$", "["), ("$u5d$", "]"), ("..", "::"))


def behind(v: RustValue):
    """The concrete value behind a trait object, found by the name of its vtable or
    of a function in that."""
    concrete = v.concrete()
    if concrete is not None:
        return concrete
    table = child(v, "vtable").unsigned()
    address = child(v, "pointer").unsigned()
    m = VTABLE.match(v.process.vtable_name(table))
    t = v.process.find_type(m.group(1)) if m else None
    return v.at(v.name, address, t) if t is not None else owner(v, table, address)


def owner(v: RustValue, table, address: int):
    """The value by the names of the functions in a vtable: what drops it, behind
    its size and alignment the methods."""
    for i in (0, 3, 4, 5):
        try:
            entry = int.from_bytes(v.memory(table + 8 * i, 8), "little")
        except Nonsense:
            break
        name = HASH.sub("", v.process.symbol_at(entry) or "") if entry > 4096 else ""
        for sign, meaning in SIGNS if "$" in name else ():
            name = name.replace(sign, meaning)
        m = next(filter(None, (pattern.match(name) for pattern in OWNERS)), None)
        t = v.process.find_type("alloc::string::String" if m.group(1).endswith("::StringError") else m.group(1)) if m else None
        if t is not None:
            return v.at(v.name, address, t)
        if i and m:
            break
    return None
