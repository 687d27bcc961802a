"""How LLDB shows the values of Rust programs: as Rust writes them.

One function tells any value in words (summary), one class gives the children
that the value has in Rust (Children). Both read raw memory with bounds and
doubt: a variable may not be initialised yet, so every pointer and every length
may be nonsense, and reading them must neither fail nor take long.
"""

import re

import lldb

MAX_TEXT = 300      # characters of one summary
MAX_ITEMS = 8       # elements told in a summary
MAX_DEPTH = 4       # of values within values in a summary
MAX_CHILDREN = 10000
MAX_STRING = 1 << 20
SANE = 1 << 40      # no length of an honest container is greater

UNREADABLE = "<not initialized>"


class Nonsense(Exception):
    """The value cannot be what its type says."""


def __lldb_init_module(debugger, _internal):
    run = debugger.HandleCommand
    run('type synthetic add --category AidbRust -x "^.*$" -l aidb_rust.Children')
    run('type summary add --category AidbRust -e -x "^.*$" -F aidb_rust.summary')
    run('type format add --category AidbRust -f u "unsigned char"')
    run('type format add --category AidbRust -f d "char" "signed char"')
    run("type category disable Rust")
    run("type category enable AidbRust")


# --- reading -----------------------------------------------------------------

def raw(v):
    return v.GetNonSyntheticValue()


def child(v, *names):
    """The member at a path of names; raises when there is none."""
    for name in names:
        v = v.GetChildMemberWithName(name)
        if not v.IsValid():
            raise Nonsense(name)
    return v


def member(v, name):
    c = v.GetChildMemberWithName(name)
    return c if c.IsValid() else None


def number(v):
    """The unsigned value of a scalar, however many single-field structs it is in."""
    for _ in range(6):
        if v.GetNumChildren() == 0 or v.GetType().IsPointerType():
            break
        v = raw(v.GetChildAtIndex(0))
    error = lldb.SBError()
    n = v.GetValueAsUnsigned(error, 0)
    if error.Fail():
        raise Nonsense(error.GetCString())
    return n


def pointer(v):
    """The first pointer in a value, searched depth first."""
    if v.GetType().IsPointerType():
        return v
    for i in range(min(v.GetNumChildren(), 8)):
        found = pointer(raw(v.GetChildAtIndex(i)))
        if found is not None:
            return found
    return None


def memory(v, address, size):
    if size == 0:
        return b""
    error = lldb.SBError()
    data = v.GetProcess().ReadMemory(address, size, error)
    if error.Fail() or data is None:
        data = v.GetTarget().ReadMemory(lldb.SBAddress(address, v.GetTarget()), size, error)
        if error.Fail() or data is None:
            raise Nonsense("unreadable")
    return data


def sane(length):
    if length > SANE:
        raise Nonsense("length %d" % length)
    return length


def at(v, name, address, of_type):
    """A value at an address; the address must be readable."""
    memory(v, address, 1 if of_type.GetByteSize() else 0)
    return v.CreateValueFromAddress(name, address, of_type)


# --- types -------------------------------------------------------------------

def type_name(v):
    return v.GetType().GetUnqualifiedType().GetName() or ""


def last_part(name):
    """The last part of a path, without generic arguments: Some of a::Option<b::C>::Some<b::C>."""
    depth, start, end = 0, 0, len(name)
    for i, c in enumerate(name):
        if c == "<":
            if depth == 0:
                end = i
            depth += 1
        elif c == ">":
            depth -= 1
        elif c == ":" and depth == 0:
            start, end = i + 1, len(name)
    return name[start:end]


STRING = re.compile(r"^alloc::string::String$")
TEXT = re.compile(r"^(&(mut )?|alloc::boxed::Box<|alloc::rc::Rc<|alloc::sync::Arc<)str[,>]?")
VEC = re.compile(r"^alloc::vec::Vec<")
DEQUE = re.compile(r"^alloc::collections::vec_deque::VecDeque<")
MAP = re.compile(r"^std::collections::hash::(map::HashMap|set::HashSet)<|^hashbrown::(map::HashMap|set::HashSet)<")
TREE = re.compile(r"^alloc::collections::btree::(map::BTreeMap|set::BTreeSet)<")
COUNTED = re.compile(r"^alloc::(rc::Rc|sync::Arc|rc::Weak|sync::Weak)<")
CELL = re.compile(r"^(core::cell::(Cell|RefCell|UnsafeCell|SyncUnsafeCell|OnceCell|once::OnceCell)|std::sync::(\w+::)*(Mutex|RwLock))<")
GUARD = re.compile(r"^(core::cell::(Ref|RefMut)|std::sync::(\w+::)*(MutexGuard|RwLockReadGuard|RwLockWriteGuard))<")
ATOMIC = re.compile(r"^core::sync::atomic::Atomic")
THIN = re.compile(r"^core::(num::\w+::NonZero|num::wrapping::Wrapping|mem::manually_drop::ManuallyDrop|mem::maybe_uninit::MaybeUninit|pin::Pin|cmp::Reverse)\w*<?")
OS_TEXT = re.compile(r"^std::(path::PathBuf|ffi::os_str::OsString)$")
DURATION = re.compile(r"^core::time::Duration$")


def kind_of(v):
    """What a value is, by its type."""
    t = v.GetType().GetCanonicalType()
    if t.IsPointerType():
        return "pointer"
    if t.IsArrayType():
        return "array"
    cls = t.GetTypeClass()
    if cls not in (lldb.eTypeClassStruct, lldb.eTypeClassUnion, lldb.eTypeClassClass):
        return "scalar"
    name = type_name(v)
    fields = [t.GetFieldAtIndex(i).GetName() or "" for i in range(min(t.GetNumberOfFields(), 3))]
    if fields[:2] == ["data_ptr", "length"]:
        return "str" if TEXT.match(name) else "slice"
    if fields[:2] == ["pointer", "vtable"]:
        return "dyn"
    if fields[:1] == ["$variants$"]:
        return "enum"
    for kind, pattern in KINDS:
        if pattern.match(name):
            return kind
    if cls == lldb.eTypeClassUnion:
        return "union"
    return "tuple" if fields[:1] == ["__0"] or name.startswith("(") else "struct"


KINDS = [
    ("string", STRING), ("vec", VEC), ("deque", DEQUE), ("map", MAP), ("tree", TREE), ("counted", COUNTED),
    ("cell", CELL), ("guard", GUARD), ("atomic", ATOMIC), ("thin", THIN), ("os", OS_TEXT), ("duration", DURATION),
]


# --- containers --------------------------------------------------------------

class Sequence:
    """Elements one after the other in memory, possibly round a ring."""

    def __init__(self, v, address, length, of_type, head=0, capacity=0):
        self.v, self.address, self.length, self.type = v, address, sane(length), of_type
        self.head, self.capacity = head, capacity
        size = of_type.GetByteSize()
        if length and size:
            memory(v, address, 1)
            if not capacity:
                memory(v, address + (length - 1) * size, 1)
            elif head > capacity or length > capacity:
                raise Nonsense("ring")

    def __len__(self):
        return self.length

    def item(self, i):
        place = (self.head + i) % self.capacity if self.capacity else i
        return at(self.v, "[%d]" % i, self.address + place * self.type.GetByteSize(), self.type)


def argument(t, i=0):
    of = t.GetTemplateArgumentType(i)
    if not of.IsValid():
        raise Nonsense("type argument")
    return of


def vec(v):
    length = number(child(v, "len"))
    capacity = capacity_of(child(v, "buf"))
    of = argument(v.GetType())
    if of.GetByteSize() and length > capacity:
        raise Nonsense("length over capacity")
    return Sequence(v, number(pointer(child(v, "buf"))), length, of)


def capacity_of(buf):
    for path in (("inner", "cap"), ("cap",)):
        try:
            return number(child(buf, *path))
        except Nonsense:
            continue
    raise Nonsense("cap")


def deque(v):
    buf = child(v, "buf")
    of = argument(v.GetType())
    return Sequence(v, number(pointer(buf)), number(child(v, "len")), of, number(child(v, "head")), max(capacity_of(buf), 1))


def slice_of(v):
    p = child(v, "data_ptr")
    return Sequence(v, p.GetValueAsUnsigned(), number(child(v, "length")), p.GetType().GetPointeeType())


class Table:
    """A hash table of hashbrown: control bytes, and before them the entries from the end."""

    def __init__(self, v):
        self.v = v
        table = v
        for _ in range(6):
            if member(table, "ctrl"):
                break
            table = member(table, "base") or member(table, "map") or member(table, "table")
            if table is None:
                raise Nonsense("table")
            table = raw(table)
        of = None
        outer = v
        for _ in range(5):
            for name in ("table", "base", "map"):
                inner = member(outer, name)
                if inner is not None:
                    outer = raw(inner)
                    break
            if "RawTable<" in type_name(outer):
                of = argument(outer.GetType())
                break
        if of is None:
            raise Nonsense("entry type")
        self.type, self.size = of, of.GetByteSize()
        self.count = sane(number(child(table, "items")))
        self.mask = number(child(table, "bucket_mask"))
        self.control = number(pointer(child(table, "ctrl")))
        if self.mask & (self.mask + 1) or self.count > self.mask + 1 or self.mask > 1 << 32:
            raise Nonsense("mask")
        self.places = None
        memory(v, self.control, 1)

    def __len__(self):
        return self.count

    def find(self, upto):
        if self.places is not None and len(self.places) > upto:
            return
        self.places = []
        step, base = 4096, 0
        while base <= self.mask and len(self.places) <= min(upto, self.count - 1):
            for i, byte in enumerate(memory(self.v, self.control + base, min(step, self.mask + 1 - base))):
                if byte < 0x80:
                    self.places.append(base + i)
            base += step

    def entry(self, i):
        self.find(i)
        if i >= len(self.places):
            raise Nonsense("entries")
        return at(self.v, "[%d]" % i, self.control - (self.places[i] + 1) * self.size, self.type)


class Tree:
    """A B-tree, walked in order."""

    def __init__(self, v):
        self.v = v
        tree = v if member(v, "root") else raw(child(v, "map"))
        self.count = sane(number(child(tree, "length")))
        self.entries = []
        if self.count:
            root = active(child(tree, "root"))
            root = raw(child(root, "__0"))
            self.height = number(child(root, "height"))
            self.root = number(pointer(child(root, "node")))
            self.leaf = pointer(child(root, "node")).GetType().GetPointeeType()
            if self.height > 16:
                raise Nonsense("height")

    def __len__(self):
        return self.count

    def entry(self, i):
        if i >= len(self.entries):
            self.entries = []
            self.walk(self.root, self.height, i + 1)
        if i >= len(self.entries):
            raise Nonsense("entries")
        return self.entries[i]

    def walk(self, address, height, upto):
        leaf = raw(at(self.v, "leaf", address, self.leaf))
        length = number(child(leaf, "len"))
        if length > 11:
            raise Nonsense("node")
        keys, values = child(leaf, "keys"), child(leaf, "vals")
        edges = []
        if height:
            word = self.v.GetTarget().GetAddressByteSize()
            start = address + self.leaf.GetByteSize()
            start += -start % word
            data = memory(self.v, start, word * (length + 1))
            edges = [int.from_bytes(data[i * word:(i + 1) * word], "little") for i in range(length + 1)]
        for i in range(length + 1):
            if len(self.entries) >= upto:
                return
            if edges:
                self.walk(edges[i], height - 1, upto)
            if i < length:
                self.entries.append((bare(keys.GetChildAtIndex(i)), bare(values.GetChildAtIndex(i))))


def bare(v):
    """What is in MaybeUninit and ManuallyDrop."""
    v = raw(v)
    for _ in range(4):
        name = type_name(v)
        if not name.startswith("core::mem::"):
            break
        inner = member(v, "value")
        v = raw(inner if inner is not None else v.GetChildAtIndex(0))
    return v


# --- enums -------------------------------------------------------------------

def active(v):
    """The struct of the variant that an enum holds.

    LLDB names each variant after its discriminant, the one for all other values
    without a number. Where an impossible value of a field is the discriminant,
    LLDB cuts that to 32 bits: what was cut is found by the field's type.
    """
    variants = child(v, "$variants$")
    count = variants.GetNumChildren()
    numbered, fallback = [], None
    for i in range(count):
        variant = raw(variants.GetChildAtIndex(i))
        name = (variant.GetName() or "")[len("$variant$"):]
        if name == "":
            fallback = variant
        else:
            numbered.append((int(name), variant))
    for n, variant in numbered:
        tag = member(variant, "$discr$")
        if tag is None:
            if count == 1:
                fallback = variant
            continue
        size = tag.GetType().GetByteSize()
        if size == 8 and fallback is not None and 0 <= n < 1 << 32 and capacity_niche(fallback.GetType(), tag.GetLoadAddress() - variant.GetLoadAddress()):
            n += 1 << 63
        bits = 8 * size
        if n % (1 << bits) == number(tag) % (1 << bits):
            return raw(child(variant, "value"))
    if fallback is None:
        raise Nonsense("discriminant")
    return raw(child(fallback, "value"))


def capacity_niche(t, offset):
    """Says that the 64 bits at an offset of a type are a length whose highest bit is never set."""
    t = t.GetCanonicalType()
    for _ in range(16):
        if t.IsPointerType() or t.GetNumberOfFields() == 0:
            return False
        name = t.GetUnqualifiedType().GetName() or ""
        if "UsizeNoHighBit" in name or name.endswith("::Cap"):
            return True
        best = None
        for i in range(t.GetNumberOfFields()):
            f = t.GetFieldAtIndex(i)
            start = f.GetOffsetInBytes()
            if start <= offset < start + max(f.GetType().GetByteSize(), 1) and f.GetName() != "$discr$":
                best = f if best is None or f.GetName() == "$variant$" else best
        if best is None:
            return False
        offset -= best.GetOffsetInBytes()
        t = best.GetType().GetCanonicalType()
    return False


# --- words -------------------------------------------------------------------

ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\", "\0": "\\0"}


def quoted(data):
    return '"' + "".join(ESCAPES.get(c, c) for c in data.decode("utf-8", "replace")) + '"'


def text_at(v, address, length):
    sane(length)
    told = min(length, 2000)
    text = quoted(memory(v, address, told))
    return text if told == length else text + "...+%d more" % (length - told)


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


class Words:
    """A summary in the making, which stops when it is long enough."""

    def __init__(self):
        self.left = MAX_TEXT

    def several(self, opening, parts, closing, total=None):
        told = []
        for i, part in enumerate(parts):
            if i >= MAX_ITEMS or self.left <= 0:
                told.append("…")
                break
            word = part()
            self.left -= len(word)
            told.append(word)
        return opening + ", ".join(told) + closing

    def of(self, v, depth=0):
        v = raw(v)
        try:
            return getattr(self, kind_of(v))(v, depth)
        except (Nonsense, ValueError, OverflowError):
            return UNREADABLE

    # one method for each kind

    def scalar(self, v, _depth):
        name = type_name(v)
        if name in ("char32_t", "char"):
            n = v.GetValueAsUnsigned()
            if name == "char32_t":
                return repr(chr(n)) if n < 0x110000 else UNREADABLE
            return str(v.GetValueAsSigned())
        if name == "unsigned char":
            return str(v.GetValueAsUnsigned())
        value = v.GetValue()
        if value is None:
            return UNREADABLE
        return value.rsplit("::", 1)[-1]

    def pointer(self, v, depth):
        address = v.GetValueAsUnsigned()
        to = v.GetType().GetPointeeType()
        if address == 0:
            return "null"
        if to.IsFunctionType():
            symbol = lldb.SBAddress(address, v.GetTarget()).GetSymbol()
            return "fn " + (symbol.GetDisplayName() or hex(address)) if symbol.IsValid() else hex(address)
        if depth > MAX_DEPTH or to.GetByteSize() == 0 or to.GetName() in ("void", "()"):
            return hex(address)
        try:
            return self.of(at(v, "*", address, to), depth)
        except Nonsense:
            return "%s (unreadable)" % hex(address)

    def str(self, v, _depth):
        return text_at(v, child(v, "data_ptr").GetValueAsUnsigned(), number(child(v, "length")))

    def string(self, v, _depth):
        return text_at(v, *string_bytes(v))

    def os(self, v, depth):
        return self.string(v, depth)

    def sequence(self, s, depth):
        if depth > MAX_DEPTH:
            return "[…]"
        told = self.several("[", ((lambda i=i: self.of(s.item(i), depth + 1)) for i in range(len(s))), "]")
        return "size=%d %s" % (len(s), told) if depth == 0 else told

    def vec(self, v, depth):
        return self.sequence(vec(v), depth)

    def deque(self, v, depth):
        return self.sequence(deque(v), depth)

    def slice(self, v, depth):
        return self.sequence(slice_of(v), depth)

    def array(self, v, depth):
        n = v.GetNumChildren()
        if depth > MAX_DEPTH:
            return "[…]"
        told = self.several("[", ((lambda i=i: self.of(v.GetChildAtIndex(i), depth + 1)) for i in range(n)), "]")
        return "size=%d %s" % (n, told) if depth == 0 else told

    def keyed(self, pairs, count, is_set, depth):
        if depth > MAX_DEPTH:
            return "{…}"

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
        if depth > MAX_DEPTH or inner is None:
            return "(%s)" % told
        return "%s (%s)" % (self.of(inner, depth), told) if depth == 0 else self.of(inner, depth)

    def cell(self, v, depth):
        words = self.of(content(v), depth)
        borrow = borrowed(v)
        return "%s (%s)" % (words, borrow) if borrow and depth == 0 else words

    def guard(self, v, depth):
        return self.of(content(v), depth)

    def atomic(self, v, _depth):
        return self.of(content(v), _depth)

    def thin(self, v, depth):
        return self.of(content(v), depth)

    def duration(self, v, _depth):
        seconds, nanos = number(child(v, "secs")), number(child(v, "nanos"))
        return "%gs" % (seconds + nanos / 1e9)

    def dyn(self, v, depth):
        concrete = behind(v)
        if concrete is None:
            return "dyn at " + hex(child(v, "pointer").GetValueAsUnsigned())
        return self.of(concrete, depth)

    def enum(self, v, depth):
        variant = active(v)
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
        list_ = [raw(v.GetChildAtIndex(i)) for i in range(min(n, MAX_ITEMS + 1))]
        tupled = all((f.GetName() or "").startswith("__") for f in list_)
        if depth > MAX_DEPTH:
            return name + ("(…)" if tupled else " {…}")
        if tupled:
            return self.several(name + "(", ((lambda f=f: self.of(f, depth + 1)) for f in list_), ")" if n != 1 or name else ",)")
        return self.several((name + " { ").lstrip(), ((lambda f=f: "%s: %s" % (f.GetName(), self.of(f, depth + 1))) for f in list_), " }")


def is_set(v):
    return last_part(type_name(v)) in ("HashSet", "BTreeSet")


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
    return inner, strong, max(weak - 1, 0)


def content(v):
    """What is in a cell, a guard, an atomic or a thin wrapper."""
    for name in ("value", "v", "data", "__0", "inner", "__pointer", "pointer"):
        inner = member(v, name)
        if inner is not None and (name != "inner" or v.GetNumChildren() == 1 or "OnceCell" in type_name(v)):
            inner = raw(inner)
            if CELL.match(type_name(inner)) or THIN.match(type_name(inner)) or type_name(inner).startswith("core::ptr::non_null"):
                return content(inner)
            return inner
    lock = member(v, "lock")
    if lock is not None:
        return content(raw(lock.Dereference()))
    raise Nonsense("content")


def borrowed(v):
    flag = member(v, "borrow")
    if flag is None or not type_name(v).startswith("core::cell::RefCell"):
        return ""
    n = number(flag)
    if n >= 1 << 63:
        return "mutably borrowed"
    return "borrowed" if n else ""


VTABLE = re.compile(r"^<(.+) as .+>::\{vtable\}$")


def behind(v):
    """The concrete value behind a trait object, found by the name of its vtable."""
    table = child(v, "vtable").GetValueAsUnsigned()
    address = child(v, "pointer").GetValueAsUnsigned()
    symbol = v.GetTarget().ResolveLoadAddress(table)
    for name in (symbol.GetSymbol().GetName(), vtable_variable(v, table)):
        m = VTABLE.match(name or "")
        if m:
            t = v.GetTarget().FindFirstType(m.group(1))
            if t.IsValid():
                return at(v, v.GetName(), address, t)
    return None


def vtable_variable(v, address):
    resolved = v.GetTarget().ResolveLoadAddress(address)
    module = resolved.GetModule()
    if not module.IsValid():
        return None
    context = v.GetTarget().ResolveSymbolContextForAddress(resolved, lldb.eSymbolContextVariable)
    symbol = context.GetSymbol()
    return symbol.GetName() if symbol.IsValid() else None


def summary(v, _internal):
    v = raw(v)
    if kind_of(v) == "scalar" and type_name(v) != "char32_t":
        return ""
    text = Words().of(v)
    return text if len(text) <= 2000 else text[:1999] + "…"


# --- children ----------------------------------------------------------------

class Children:
    """The children that a value has in Rust."""

    def __init__(self, v, _internal):
        self.v = raw(v)
        self.list = None      # of values, when there are few
        self.items = None     # a function of the index, else
        self.count = 0
        self.by_key = False

    def update(self):
        self.list, self.items, self.count, self.by_key = [], None, 0, False
        try:
            self.fill(self.v, 0)
        except (Nonsense, ValueError, OverflowError):
            self.list = []
        if self.items is None:
            self.count = len(self.list)
        return False

    def has_children(self):
        return self.num_children() > 0

    def num_children(self, limit=MAX_CHILDREN):
        if self.list is None:
            self.update()
        return min(self.count, limit)

    def get_child_at_index(self, i):
        if self.list is None:
            self.update()
        if i < 0 or i >= self.count:
            return None
        try:
            return self.items(i) if self.items else self.list[i]
        except (Nonsense, ValueError, OverflowError):
            return None

    def get_child_index(self, name):
        if self.list is None:
            self.update()
        if self.by_key:
            for i in range(min(self.count, 1000)):
                if self.items(i).GetName() == name:
                    return i
            return -1
        if name.startswith("[") and name.endswith("]") and name[1:-1].isdigit():
            return int(name[1:-1])
        for i, c in enumerate(self.list):
            if c.GetName() == name or c.GetName() == "__" + name:
                return i
        return -1

    def sequence(self, s):
        self.count, self.items = len(s), s.item

    def keyed(self, entry, count, is_set):
        def item(i):
            key, value = entry(i)
            if is_set:
                return key.Clone("[%d]" % i)
            word = Words().of(key)
            return value.Clone("[%s]" % word)
        self.count, self.items, self.by_key = count, item, not is_set

    def fill(self, v, depth):
        v = raw(v)
        kind = kind_of(v)
        if depth > 6 or kind in ("scalar", "str", "string", "os", "duration", "atomic"):
            return
        if kind == "pointer":
            to = v.GetType().GetPointeeType()
            address = v.GetValueAsUnsigned()
            if address == 0 or to.GetByteSize() == 0 or to.IsFunctionType():
                return
            self.fill(at(v, "*", address, to), depth + 1)
        elif kind == "array":
            self.count, self.items = v.GetNumChildren(), v.GetChildAtIndex
        elif kind == "vec":
            self.sequence(vec(v))
        elif kind == "deque":
            self.sequence(deque(v))
        elif kind == "slice":
            self.sequence(slice_of(v))
        elif kind == "map":
            table = Table(v)
            self.keyed(lambda i: pair_of(table.entry(i)), len(table), is_set(v))
        elif kind == "tree":
            tree = Tree(v)
            self.keyed(tree.entry, len(tree), is_set(v))
        elif kind == "counted":
            box = counted(v)
            if box and box[0] is not None:
                self.fill(box[0], depth + 1)
        elif kind in ("cell", "guard", "thin"):
            self.fill(content(v), depth + 1)
        elif kind == "dyn":
            concrete = behind(v)
            if concrete is not None:
                self.fill(concrete, depth + 1)
        elif kind == "enum":
            self.members(active(v))
        else:
            self.members(v)

    def members(self, v):
        for i in range(v.GetNumChildren()):
            c = v.GetChildAtIndex(i)
            name = c.GetName() or ""
            self.list.append(c.Clone(name[2:]) if name.startswith("__") and name[2:].isdigit() else c)


# --- panics ------------------------------------------------------------------

CATCH = re.compile(r"^std::panic::catch_unwind\b|^std::panicking::(catch_unwind|try)\b")
LIBRARY = re.compile(r"^/rustc/|/rustlib/src/rust/|/\.cargo/(registry|git)/|^library/")


def users(frame):
    """Says that a frame is of the user's own code."""
    spec = frame.GetLineEntry().GetFileSpec()
    if not spec.IsValid():
        return False
    return not LIBRARY.search((spec.GetDirectory() or "") + "/" + (spec.GetFilename() or ""))


def panic(target, thread):
    """What panics here: the message, and whether the user's code catches it. Nothing when nothing panics."""
    process = target.GetProcess()
    thread = process.GetThreadByID(int(thread)) if int(thread) else process.GetSelectedThread()
    top = thread.GetFrameAtIndex(0)
    if (top.GetFunctionName() or "").split("::")[-1].split("(")[0] != "rust_panic":
        return None
    caught, inner = False, None
    for i in range(1, min(thread.GetNumFrames(), 400)):
        frame = thread.GetFrameAtIndex(i)
        name = frame.GetFunctionName() or ""
        if inner and not CATCH.match(name):
            caught = caught or users(frame)
        inner = CATCH.match(name)
    return {"message": payload(process, top), "caught": caught}


def payload(process, frame):
    """The words of a panic. Its payload comes in the first two registers: where
    it is, and a table of functions that begins with (…, size, alignment)."""
    at_, table = (frame.FindRegister(name).GetValueAsUnsigned() for name in ("arg1", "arg2"))
    error = lldb.SBError()

    def word(address):
        n = process.ReadUnsignedFromMemory(address, 8, error)
        return n if error.Success() else 0
    size = word(table + 8)
    words = [word(at_ + 8 * i) for i in range(4)]
    if size == 16:
        tries = [(words[0], words[1])]       # &'static str
    elif size == 32:
        tries = [(words[1], words[2]), (words[2], words[3])]  # a String and a reference
    else:
        return ""
    for start, length in tries:
        if 0 < length < 1 << 16:
            data = process.ReadMemory(start, length, error)
            if error.Success() and data:
                try:
                    return data.decode("utf-8")
                except UnicodeDecodeError:
                    continue
    return ""


# --- expressions -------------------------------------------------------------

class Wrong(Exception):
    """An expression that cannot be told a value, and why."""


TOKEN = re.compile(r"""\s*(?:
    (?P<float>\d[\d_]*\.\d[\d_]*(?:e[+-]?\d+)?(?:_?f(?:32|64))?|\d[\d_]*_?f(?:32|64))
  | (?P<int>0x[0-9a-fA-F_]+|0b[01_]+|0o[0-7_]+|\d[\d_]*)(?:[iu](?:8|16|32|64|128|size))?
  | (?P<string>b?"(?:[^"\\]|\\.)*")
  | (?P<char>'(?:[^'\\]|\\.[^']*)')
  | (?P<name>[A-Za-z_][A-Za-z_0-9]*(?:::(?:<[^>]*>)?[A-Za-z_0-9]*)*)
  | (?P<op>&&|\|\||==|!=|<=|>=|<<|>>|\.\.=?|[-+*/%&|^<>!.,()\[\]?{}])
)""", re.VERBOSE)

LEVELS = [["||"], ["&&"], ["==", "!=", "<", "<=", ">", ">="], ["|"], ["^"], ["&"], ["<<", ">>"], ["+", "-"], ["*", "/", "%"]]

SAME = {"as_str", "as_ref", "as_mut", "as_slice", "as_deref", "clone", "to_owned", "to_string", "borrow", "borrow_mut", "iter", "deref", "get_mut", "into_inner", "load"}


class Word(str):
    """A path that names no variable, such as None or Payment::Cash, as a value's summary would have it."""


class Evaluator:
    """Reads an expression of Rust and works it out on the variables of a frame."""

    def __init__(self, frame, text):
        self.frame, self.text, self.tokens, self.i = frame, text, [], 0
        at_ = 0
        text = text.strip()
        while at_ < len(text):
            m = TOKEN.match(text, at_)
            if not m or m.end() == at_:
                raise Wrong("%r is not understood here" % text[at_:].strip()[:20])
            self.tokens.append((m.lastgroup, m.group(m.lastgroup)))
            at_ = m.end()

    def peek(self):
        return self.tokens[self.i] if self.i < len(self.tokens) else (None, None)

    def take(self, *wanted):
        kind, text = self.peek()
        if kind == "op" and text in wanted:
            self.i += 1
            return text
        return None

    def need(self, wanted):
        if not self.take(wanted):
            raise Wrong("%r is missing in %r" % (wanted, self.text))

    def whole(self):
        value = self.binary(0)
        if self.i < len(self.tokens):
            raise Wrong("%r is not understood here" % self.peek()[1])
        return value

    def binary(self, level):
        if level == len(LEVELS):
            return self.cast()
        left = self.binary(level + 1)
        while True:
            op = self.take(*LEVELS[level])
            if op is None:
                return left
            left = combine(op, left, self.binary(level + 1))

    def cast(self):
        value = self.unary()
        while self.peek() == ("name", "as"):
            self.i += 1
            _, to = self.peek()
            self.i += 1
            n = plain(value)
            if isinstance(n, str) and len(n) == 1:
                n = ord(n)
            if not isinstance(n, (int, float)) or to is None:
                raise Wrong("only numbers can be cast")
            m = re.match(r"^([iu])(8|16|32|64|128|size)$", to)
            if m:
                bits = 64 if m.group(2) == "size" else int(m.group(2))
                n = int(n) % (1 << bits)
                value = n - (1 << bits) if m.group(1) == "i" and n >> (bits - 1) else n
            elif to in ("f32", "f64"):
                value = float(n)
            elif to == "char":
                value = chr(int(n))
            else:
                raise Wrong("a cast to %s is not understood" % to)
        return value

    def unary(self):
        op = self.take("-", "!", "*", "&", "&&")
        if op == "-":
            return -arithmetic(self.unary())
        if op == "!":
            n = plain(self.unary())
            return not n if isinstance(n, bool) else ~arithmetic(n)
        if op == "*":
            return target_of(self.unary())
        if op:
            if self.peek() == ("name", "mut"):
                self.i += 1
            value = self.unary()
            return value if not isinstance(value, lldb.SBValue) or self.i < len(self.tokens) else Reference(value)
        return self.postfix()

    def postfix(self):
        value = self.primary()
        while True:
            if self.take("."):
                kind, name = self.peek()
                self.i += 1
                if kind == "float":  # a.0.1
                    for part in name.split("."):
                        value = field(value, part)
                elif self.take("("):
                    arguments = self.arguments(")")
                    value = method(value, name, arguments)
                else:
                    value = field(value, name)
            elif self.take("["):
                if any(t == ("op", "..") for t in self.tokens[self.i:]):
                    raise Wrong("ranges cannot be read; open the value, or index one element")
                index = self.binary(0)
                self.need("]")
                value = element(value, index)
            elif self.take("?"):
                raise Wrong("? cannot be evaluated: name the field instead, as in x.0")
            else:
                return value

    def arguments(self, closing):
        list_ = []
        while not self.take(closing):
            list_.append(self.binary(0))
            if not self.take(","):
                self.need(closing)
                break
        return list_

    def primary(self):
        kind, text = self.peek()
        self.i += 1
        if kind == "int":
            return int(text.replace("_", ""), 0) if text[:2] in ("0x", "0b", "0o") else int(text.replace("_", ""))
        if kind == "float":
            return float(re.sub(r"_?f(32|64)$", "", text).replace("_", ""))
        if kind == "string":
            return unescaped(text.lstrip("b")[1:-1])
        if kind == "char":
            return unescaped(text[1:-1])
        if kind == "name":
            return self.named(text)
        if text == "(":
            value = self.binary(0)
            self.need(")")
            return value
        raise Wrong("%r is not understood" % self.text if text is None else "%r is not understood here" % text)

    def named(self, name):
        if name in ("true", "false"):
            return name == "true"
        found = variable(self.frame, name)
        if found is not None:
            return found
        if self.take("("):
            arguments = self.arguments(")")
            if not last_part(name)[:1].isupper():
                raise Wrong("functions of Rust cannot be called in an expression: %s(…)" % name)
            return Word(last_part(name) + "(" + ", ".join(shown(a) for a in arguments) + ")")
        if last_part(name)[:1].isupper():
            return Word(last_part(name))
        raise Wrong("there is no variable %s in this frame" % name)


class Reference:
    """&x, which is shown as x but is an address."""

    def __init__(self, value):
        self.value = value


def variable(frame, name):
    found = frame.FindVariable(name)
    if found.IsValid():
        return found
    statics = frame.FindValue(name, lldb.eValueTypeVariableGlobal)
    if statics.IsValid():
        return statics
    target = frame.GetThread().GetProcess().GetTarget()
    for i, place in enumerate((name, crate_of(frame) + "::" + name)):
        globals_ = target.FindGlobalVariables(place, 1)
        if globals_.GetSize() and (i or "::" in name):
            return globals_.GetValueAtIndex(0)
    module = (frame.GetFunctionName() or "").rsplit("::", 1)[0]
    globals_ = target.FindGlobalVariables(module + "::" + name, 1)
    return globals_.GetValueAtIndex(0) if globals_.GetSize() else None


def crate_of(frame):
    return (frame.GetFunctionName() or "").split("::", 1)[0].lstrip("<")


def unescaped(text):
    return re.sub(r"\\(x..|u\{[0-9a-fA-F]+\}|.)", lambda m: {
        "n": "\n", "t": "\t", "r": "\r", "0": "\0"}.get(m.group(1)) or (
            chr(int(m.group(1).strip("xu{}"), 16)) if len(m.group(1)) > 1 else m.group(1)), text)


def plain(value):
    """A value as Python has it: a number, a truth, a text; of what is more, its summary."""
    if isinstance(value, Reference):
        value = value.value
    if not isinstance(value, lldb.SBValue):
        return value
    value = raw(value)
    kind = kind_of(value)
    if kind == "pointer" and value.GetType().GetPointeeType().GetByteSize() and value.GetValueAsUnsigned():
        return plain(target_of(value))
    if kind in ("cell", "guard", "atomic", "thin"):
        return plain(content(value))
    if kind == "counted":
        box = counted(value)
        return plain(box[0]) if box else None
    if kind in ("string", "os"):
        return memory(value, *string_bytes(value)).decode("utf-8", "replace")
    if kind == "str":
        return memory(value, child(value, "data_ptr").GetValueAsUnsigned(), number(child(value, "length"))).decode("utf-8", "replace")
    if kind == "scalar":
        name = type_name(value)
        basic = value.GetType().GetCanonicalType().GetBasicType()
        if name == "char32_t":
            return chr(value.GetValueAsUnsigned())
        if name == "bool":
            return value.GetValueAsUnsigned() != 0
        if basic in (lldb.eBasicTypeFloat, lldb.eBasicTypeDouble):
            return float(value.GetValue())
        if value.GetType().GetTypeClass() == lldb.eTypeClassEnumeration:
            return Word(Words().scalar(value, 0))
        if value.GetValue() is not None and re.match(r"^-?\d+$", value.GetValue()):
            return int(value.GetValue())
        return value.GetValueAsUnsigned() if name.startswith("unsigned") else value.GetValueAsSigned()
    return Word(Words().of(value, 1))


def shown(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str) and not isinstance(value, Word):
        return quoted(value.encode())
    return str(value) if not isinstance(value, lldb.SBValue) else Words().of(value, 1)


def arithmetic(value):
    n = plain(value)
    if isinstance(n, Word) or isinstance(n, str) or n is None:
        raise Wrong("%s is no number" % (n or "it"))
    return n


def combine(op, a, b):
    if op in ("&&", "||"):
        a, b = plain(a), plain(b)
        return (a and b) if op == "&&" else (a or b)
    if op in ("==", "!=", "<", "<=", ">", ">="):
        a, b = plain(a), plain(b)
        if isinstance(a, Word) and isinstance(b, Word) and op in ("==", "!="):
            a, b = str(a), str(b)
        elif isinstance(a, Word) != isinstance(b, Word) or isinstance(a, str) != isinstance(b, str):
            raise Wrong("%s and %s cannot be compared" % (shown(a), shown(b)))
        return {"==": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[op]
    a, b = arithmetic(a), arithmetic(b)
    if op in "/%":
        if b == 0:
            raise Wrong("division by zero")
        if isinstance(a, int) and isinstance(b, int):
            quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
            return quotient if op == "/" else a - b * quotient
        return a / b if op == "/" else a % b
    return {"+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b, "|": lambda: a | b, "^": lambda: a ^ b,
            "&": lambda: a & b, "<<": lambda: a << b, ">>": lambda: a >> b}[op]()


def children(value):
    if isinstance(value, Reference):
        value = value.value
    if not isinstance(value, lldb.SBValue):
        raise Wrong("%s has no parts" % shown(value))
    c = Children(value, None)
    c.update()
    return c


def field(value, name):
    c = children(value)
    i = c.get_child_index(name or "")
    if i < 0 or i >= c.num_children():
        known = [f.GetName() for f in (c.list or [])][:12]
        raise Wrong("there is no field %s%s" % (name, "; the fields are " + ", ".join(known) if known else ""))
    return c.get_child_at_index(i)


def element(value, index):
    c = children(value)
    if c.by_key:
        wanted = "[%s]" % shown(plain(index))
        i = c.get_child_index(wanted)
        if i < 0:
            raise Wrong("there is no key %s" % wanted[1:-1])
    else:
        i = arithmetic(index)
        if c.items is None:
            raise Wrong("it cannot be indexed")
        if not 0 <= i < c.count:
            raise Wrong("index %d is out of bounds: the length is %d" % (i, c.count))
    found = c.get_child_at_index(i)
    if found is None:
        raise Wrong("the element cannot be read")
    return found


def target_of(value):
    if isinstance(value, Reference):
        return value.value
    if not isinstance(value, lldb.SBValue):
        return value
    v = raw(value)
    kind = kind_of(v)
    if kind == "pointer":
        return at(v, "*" + (v.GetName() or ""), v.GetValueAsUnsigned(), v.GetType().GetPointeeType())
    if kind == "counted":
        box = counted(v)
        if box and box[0] is not None:
            return box[0]
    if kind in ("guard", "thin"):
        return content(v)
    return value


def method(value, name, arguments):
    if name == "len":
        text = plain(value)
        return len(text.encode()) if isinstance(text, str) and not isinstance(text, Word) else children(value).num_children(SANE)
    if name == "is_empty":
        return method(value, "len", []) == 0
    if name in ("is_some", "is_none", "is_ok", "is_err"):
        return Words().of(value, 1).startswith({"is_some": "Some", "is_none": "None", "is_ok": "Ok", "is_err": "Err"}[name])
    if name in ("unwrap", "expect"):
        if not Words().of(value, 1).startswith(("Some(", "Ok(")):
            raise Wrong("it is %s: nothing to unwrap" % Words().of(value, 1))
        return field(value, "0")
    if name == "get" and len(arguments) == 1:
        return element(value, arguments[0])
    if name in SAME:
        return value
    raise Wrong("methods of Rust cannot be called in an expression: .%s(); read fields instead, or step into a call" % name)


def evaluate(text, frame=None):
    """The value of an expression of Rust in the frame that LLDB has chosen."""
    value = Evaluator(frame or lldb.frame, text).whole()
    if isinstance(value, Reference):
        value = value.value.AddressOf()
    if isinstance(value, Word):
        raise Wrong("there is no variable %s in this frame" % value)
    return value


try:
    import aidb_ask
    aidb_ask.KNOWN["panic"] = panic
except ImportError:  # tried out by hand
    pass
