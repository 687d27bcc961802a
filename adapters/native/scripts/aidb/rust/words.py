"""The values of Rust programs in words, as Rust writes them, and their parts."""

import re
import sys

import lldb

from aidb.rust import living
from aidb.rust.library import Library, content, escaped, real
from aidb.rust.memory import *  # noqa: F403

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
REALS = {"float": 32, "f32": 32, "double": 64, "f64": 64}
UNTOLD = "<cannot tell which variant>"


def quoted(data):
    return escaped(data.decode("utf-8", "surrogateescape"), '"')


def text_at(v, address, length, most):
    """A text, or its beginning and how many bytes more there are; and whether that is all of it."""
    sane(length)
    shown, data = min(length, most), memory(v, address, min(length, most))
    while True:
        while shown < length and shown and data[shown:shown + 1] and data[shown] & 0xC0 == 0x80:
            shown -= 1  # not within a letter
        text = quoted(data[:shown])
        if len(text) <= most + 2 or shown < 2:
            break
        shown = shown * 3 // 4
    return (text, True) if shown == length else (text + "...+%d more" % (length - shown), False)


def string_bytes(v):
    """Address and length of String, PathBuf, OsString."""
    for _ in range(5):
        v = raw(v)
        if VEC.match(type_name(v)):
            s = vec(v)
            return s.address, len(s)
        v = v.GetChildAtIndex(0)
        if not v.IsValid():
            break
    raise Nonsense("bytes")


class Words(Library):
    """A summary in the making, which stops when it is long enough."""

    LEFT, LINE, BYTES, ITEMS, DEPTH = MAX_TEXT, MAX_LINE, 1000, MAX_ITEMS, MAX_DEPTH

    def __init__(self):
        self.left, self.cut = self.LEFT, False

    def less(self, text):
        """A text that leaves something out."""
        self.cut = True
        return text

    def text_of(self, v, address, length):
        text, all_ = text_at(v, address, length, self.LINE)
        return text if all_ else self.less(text)

    def several(self, opening, parts, closing, total=None):
        told = []
        for i, part in enumerate(parts):
            if i >= self.ITEMS or self.left <= 0:
                told.append(self.less("…"))
                break
            word = part()
            self.left -= len(word)
            told.append(word)
        return opening + ", ".join(told) + closing

    def of(self, v, depth=0):
        v = raw(v)
        try:
            return getattr(self, kind_of(v))(v, depth)
        except Untold:
            return UNTOLD
        except (Nonsense, ValueError, OverflowError):
            return UNREADABLE

    # one method for each kind

    def untold(self, _v, _depth):
        return UNTOLD

    def group(self, _v, _depth):
        return "()"  # the only type that LLDB does not know

    def scalar(self, v, _depth):
        name = type_name(v)
        if is_unit(v.GetType()):
            return "()"
        if name in ("char32_t", "char"):
            n = v.GetValueAsUnsigned()
            if name == "char32_t":
                return escaped(chr(n), "'") if n < 0x110000 and not 0xD800 <= n < 0xE000 else UNREADABLE
            return str(v.GetValueAsSigned())
        if name == "unsigned char":
            return str(v.GetValueAsUnsigned())
        if v.GetType().GetCanonicalType().GetTypeClass() == lldb.eTypeClassEnumeration and v.GetType().GetByteSize() > 8:
            return UNTOLD  # the debuggers keep 64 bits of it, or die of it
        value = v.GetValue()
        if value is None:
            return UNREADABLE
        if name in REALS:
            return real(value, REALS[name])
        return value.rsplit("::", 1)[-1]

    def pointer(self, v, depth):
        address = v.GetValueAsUnsigned()
        to = v.GetType().GetPointeeType()
        if to.IsFunctionType():  # of a function's own type, which is of no size, the debug information says that it is a pointer
            symbol = lldb.SBAddress(address, v.GetTarget()).GetSymbol() if address else None
            return "fn " + (HASH.sub("", symbol.GetDisplayName() or "") or hex(address)) if symbol and symbol.IsValid() else UNREAD
        if address == 0:
            return "null"
        if depth > self.DEPTH and to.GetByteSize():
            return self.less(hex(address))
        if to.GetByteSize() == 0 or to.GetName() in ("void", "()"):
            return hex(address)
        try:
            return self.of(at(v, "*", address, to), depth)
        except Nonsense:
            return "%s (unreadable)" % hex(address)

    def str(self, v, _depth):
        return self.text_of(v, child(v, "data_ptr").GetValueAsUnsigned(), number(child(v, "length")))

    def string(self, v, _depth):
        return self.text_of(v, *string_bytes(v))

    def os(self, v, depth):
        return self.string(v, depth)

    def sequence(self, s, depth):
        if depth > self.DEPTH:
            return self.less("[…]")
        told = self.several("[", ((lambda i=i: self.of(s.item(i), depth + 1)) for i in range(len(s))), "]")
        return "size=%d %s" % (len(s), told) if depth == 0 else told

    def vec(self, v, depth):
        return self.sequence(vec(v), depth)

    def deque(self, v, depth):
        return self.sequence(deque(v), depth)

    def heap(self, v, depth):
        return self.sequence(vec(raw(child(v, "data"))), depth)

    def linked(self, v, depth):
        return self.sequence(Linked(v), depth)

    def indexed(self, v, depth):
        entries = entries_of(v)
        return self.keyed(lambda i: bucket(entries.item(i)), len(entries), is_set(v), depth)

    def slice(self, v, depth):
        return self.sequence(slice_of(v), depth)

    def array(self, v, depth):
        n = v.GetNumChildren()
        if v.GetType().GetArrayElementType().GetName() == "char":  # of our own making: a text of an expression
            return quoted(memory_of(v).rstrip(b"\0"))
        if depth > self.DEPTH:
            return self.less("[…]")
        told = self.several("[", ((lambda i=i: self.of(v.GetChildAtIndex(i), depth + 1)) for i in range(n)), "]")
        return "size=%d %s" % (n, told) if depth == 0 else told

    def keyed(self, pairs, count, is_set, depth):
        if depth > self.DEPTH:
            return self.less("{…}")

        def word(i):
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
            return hex(pointer(inner).GetValueAsUnsigned())
        return self.of(inner, depth)

    def cstring(self, v, _depth):
        inner = slice_of(raw(child(v, "inner")))
        return self.text_of(v, inner.address, max(len(inner) - 1, 0))

    def thin(self, v, depth):
        return self.of(content(v), depth)

    def address(self, v, _depth):
        found = pointer(v)
        return hex(found.GetValueAsUnsigned()) if found is not None else UNREADABLE

    def dyn(self, v, depth):
        concrete = behind(v)
        if concrete is None:
            m = VTABLE.match(vtable_name(v, number(child(v, "vtable"))))
            return "%s at %#x" % (m.group(1) if m else "dyn", child(v, "pointer").GetValueAsUnsigned())
        return self.of(concrete, depth)

    def enum(self, v, depth):
        try:
            variant = active(v)
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
        n = v.GetNumChildren()
        if n == 0:
            return name or "()"
        list_ = [raw(nth(v, i)) for i in range(min(n, self.ITEMS + 1))]
        tupled = all((f.GetName() or "__").startswith("__") for f in list_)
        if depth > self.DEPTH:
            return self.less(name + ("(…)" if tupled else " {…}"))
        if tupled:
            return self.several(name + "(", ((lambda f=f: self.of(f, depth + 1)) for f in list_), ")" if n != 1 or name else ",)")
        return self.several((name + " { ").lstrip(), ((lambda f=f: "%s: %s" % (f.GetName(), self.of(f, depth + 1))) for f in list_), " }")


def memory_of(v):
    error = lldb.SBError()
    data = v.GetData()
    return data.ReadRawData(error, 0, data.GetByteSize()) or b""


def is_set(v):
    return last_part(type_name(v)) in ("HashSet", "BTreeSet", "IndexSet")


def pair_of(entry):
    e = raw(entry)
    first, second = member(e, "__0"), member(e, "__1")  # a set's second is of no size, and may be missing
    return (e if first is None else raw(first)), (e if second is None else raw(second))


def counted(v):
    """What Rc and Arc point to, with the counts; Weak may point nowhere."""
    p = pointer(v)
    address = p.GetValueAsUnsigned()
    if address == (1 << 64) - 1:
        return None
    if address == 0:
        raise Nonsense("null")
    box = raw(p.Dereference())
    memory(v, address, 1)
    strong, weak = number(child(box, "strong")), number(child(box, "weak"))
    inner = member(box, "value") or member(box, "data")
    if strong > 1 << 32 or weak > 1 << 32:
        raise Nonsense("counts")
    fat = wide(v)
    if fat is not None and inner is not None:
        if member(fat, "vtable") is not None:
            inner = owner(v, number(child(fat, "vtable")), inner.GetLoadAddress())
        else:
            length = min(sane(number(child(fat, "length"))), 2000 if wide_of(v) == "str" else 1 << 40)
            inner = at(v, "*", inner.GetLoadAddress(), inner.GetType().GetArrayType(length))
    return inner, strong, max(weak - 1, 0)


def wide(v):
    """The pointer with a length, or with a vtable, in a value; if there is one."""
    for i in range(min(v.GetNumChildren(), 4)):
        c = raw(v.GetChildAtIndex(i))
        if member(c, "length") is not None or member(c, "vtable") is not None:
            return c
        if not c.GetType().IsPointerType():
            found = wide(c)
            if found is not None:
                return found
    return None


def wide_of(v):
    """What the pointer with a length in a value is to: str or another."""
    c = wide(v)
    return "str" if c is not None and type_name(c).endswith("<str>") else ""


def borrowed(v):
    flag = member(v, "borrow")
    if flag is None or not type_name(v).startswith("core::cell::RefCell"):
        return ""
    n = number(flag)
    if n >= 1 << 63:
        return "mutably borrowed"
    return "borrowed" if n else ""


VTABLE = re.compile(r"^<(.+) as .+>::\{vtable\}$")


OWNERS = (re.compile(r"^core::ptr::drop_in_place(?:::)?<(.+)>$"), re.compile(r"^_?<(.+) as .+>::[^:]+$"))
SIGNS = (("::_$", "::$"), ("$LT$", "<"), ("$GT$", ">"), ("$u20$", " "), ("$RF$", "&"), ("$C$", ","), ("$u5b$", "["), ("$u5d$", "]"), ("..", "::"))


def behind(v):
    """The concrete value behind a trait object, found by the name of its vtable or
    of a function in that."""
    table = child(v, "vtable").GetValueAsUnsigned()
    address = child(v, "pointer").GetValueAsUnsigned()
    m = VTABLE.match(vtable_name(v, table))
    t = v.GetTarget().FindFirstType(m.group(1)) if m else None
    if t is not None and t.IsValid():
        return at(v, v.GetName(), address, t)
    return owner(v, table, address)


def owner(v, table, address):
    """The value by the names of the functions in a vtable: what drops it, behind
    its size and alignment the methods."""
    for i in (0, 3, 4, 5):
        try:
            entry = int.from_bytes(memory(v, table + 8 * i, 8), "little")
        except Nonsense:
            break
        symbol = lldb.SBAddress(entry, v.GetTarget()).GetSymbol() if entry > 4096 else None
        name = re.sub(r"::h[0-9a-f]{16}$", "", (symbol.GetDisplayName() or "") if symbol and symbol.IsValid() else "")
        for sign, meaning in SIGNS if "$" in name else ():
            name = name.replace(sign, meaning)
        m = next(filter(None, (pattern.match(name) for pattern in OWNERS)), None)
        t = v.GetTarget().FindFirstType("alloc::string::String" if m.group(1).endswith("::StringError") else m.group(1)) if m else None
        if t is not None and t.IsValid():
            return at(v, v.GetName(), address, t)
        if i and m:
            break
    return None


vtables = {}


def vtable_name(v, address):
    """The name that the debug information gives a table of functions. There are many tables
    in a program: all names are read once."""
    module = v.GetTarget().ResolveLoadAddress(address).GetModule()
    if not module.IsValid():
        return ""
    key = str(module.GetFileSpec()), address - v.GetTarget().ResolveLoadAddress(address).GetFileAddress()
    if key not in vtables:
        all_ = v.GetTarget().FindGlobalVariables(r"::\{vtable\}$", 100000, lldb.eMatchTypeRegex)
        vtables[key] = {variable.GetLoadAddress(): variable.GetName() for variable in all_}
    return vtables[key].get(address, "")


def scalar_summary(v, _internal):
    """Nothing, but of a variable that has no value yet, or not any more."""
    return NOT_READABLE if missing(raw(v)) else ""


def missing(v):
    frame = v.GetFrame() if v.GetValueType() in (lldb.eValueTypeVariableArgument, lldb.eValueTypeVariableLocal) else None
    if frame is None or not frame.IsValid() or not living.unset(frame, v):
        return False
    found = frame.FindVariable(v.GetName() or "")
    return found.IsValid() and found.GetLoadAddress() == v.GetLoadAddress()


def summary(v, _internal):
    v = raw(v)
    if missing(v):
        return NOT_READABLE
    if kind_of(v) == "group" or kind_of(v) == "scalar" and type_name(v) != "char32_t" and v.GetType().GetByteSize() <= 8:
        return ""
    text = Words().of(v)
    return text if len(text) <= 2000 else text[:1999] + "…"
