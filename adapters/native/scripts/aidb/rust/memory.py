"""Reading the values of Rust programs out of raw memory, with bounds and doubt: a
variable may not be initialized yet, so every pointer and every length may be
nonsense, and reading them must neither fail nor take long."""

import re

import lldb

from aidb.rust.layout import layout

SANE = 1 << 40  # no length of an honest container is greater


class Nonsense(Exception):
    """The value cannot be what its type says."""


def raw(v):
    return v.GetNonSyntheticValue()


def child(v, *names):
    """The member at a path of names; raises when there is none."""
    for name in names:
        v = member(v, name)
        if v is None:
            raise Nonsense(name)
    return v


def member(v, name):
    c = v.GetChildMemberWithName(name)
    return c if c.IsValid() else empty(v, lambda _, field: field.GetName() == name)


def nth(v, i):
    """The member, or the element, with a number."""
    c = v.GetChildAtIndex(i)
    return c if c.IsValid() else empty(v, lambda rank, _: rank == i) or c


def empty(v, meant):
    """A member of the type (), of which LLDB has no value; None where it is of another."""
    of = v.GetType().GetCanonicalType()
    for i in range(of.GetNumberOfFields()):
        field = of.GetFieldAtIndex(i)
        if meant(i, field):
            return v.CreateValueFromData(field.GetName() or "", v.GetData(), field.GetType()) if is_unit(field.GetType()) else None
    return None


def named(v, name):
    """The same value by another name. LLDB's copy of what has no size is no value any more."""
    copy = v.Clone(name)
    if is_unit(v.GetType()) and not copy.GetError().Success():
        return v.CreateValueFromData(name, v.GetData(), v.GetType())
    return copy


def is_unit(of):
    return of.IsValid() and not of.GetByteSize() and of.GetName() in ("()", "void")


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
        elif c == ">" and name[i - 1:i] != "-":
            depth -= 1
        elif c == ":" and depth == 0:
            start, end = i + 1, len(name)
    return name[start:end]


STRING = re.compile(r"^alloc::string::String$")
TEXT = re.compile(r"^(&(mut )?|alloc::boxed::Box<)(str|std::path::Path|std::ffi::os_str::OsStr)([,>]|$)")
VEC = re.compile(r"^alloc::vec::Vec<")
DEQUE = re.compile(r"^alloc::collections::vec_deque::VecDeque<")
MAP = re.compile(r"^std::collections::hash::(map::HashMap|set::HashSet)<|^hashbrown::(map::HashMap|set::HashSet)<")
HEAP = re.compile(r"^alloc::collections::binary_heap::BinaryHeap<")
LINKED = re.compile(r"^alloc::collections::linked_list::LinkedList<")
INDEXED = re.compile(r"^indexmap::(map::IndexMap|set::IndexSet)<")
TREE = re.compile(r"^alloc::collections::btree::(map::BTreeMap|set::BTreeSet)<")
COUNTED = re.compile(r"^alloc::(rc::Rc|sync::Arc|rc::Weak|sync::Weak)<")
CELL = re.compile(r"^(core::cell::(Cell|RefCell|UnsafeCell|SyncUnsafeCell|OnceCell|once::OnceCell)|std::sync::(\w+::)*(Mutex|RwLock))<")
GUARD = re.compile(r"^(core::cell::(Ref|RefMut)|std::sync::(\w+::)*(MutexGuard|RwLockReadGuard|RwLockWriteGuard))<")
ATOMIC = re.compile(r"^core::sync::atomic::Atomic")
THIN = re.compile(r"^core::(num::(?:\w+::)+NonZero|num::wrapping::Wrapping|mem::manually_drop::ManuallyDrop|mem::maybe_uninit::MaybeUninit|mem::maybe_dangling::MaybeDangling|pin::Pin|cmp::Reverse)\w*<?")
ADDRESS = re.compile(r"^core::ptr::(non_null::NonNull|unique::Unique)<")
OS_TEXT = re.compile(r"^std::(path::PathBuf|ffi::os_str::OsString)$")
DURATION = re.compile(r"^core::time::Duration$")
RANGE = re.compile(r"^core::(ops::)?range::(\w+::)*Range")
REST = re.compile(r"^core::slice::iter::Iter(Mut)?<|^alloc::vec::into_iter::IntoIter<")
BYTES = re.compile(r"^bytes::bytes(_mut)?::Bytes(Mut)?$")
FAULT = re.compile(r"^std::io::error::Error$")
ONCE = re.compile(r"^std::sync::(\w+::)*(OnceLock|LazyLock)<")
SMALL = re.compile(r"^smallvec::SmallVec<")
CSTRING = re.compile(r"^alloc::ffi::c_str::CString$")


def kind_of(v):
    """What a value is, by its type."""
    if getattr(v, "untold", False):
        return "untold"  # gdb must not read it
    t = v.GetType().GetCanonicalType()
    if not t.IsValid():
        return "group"  # of registers
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
    ("string", STRING), ("vec", VEC), ("deque", DEQUE), ("heap", HEAP), ("linked", LINKED), ("indexed", INDEXED), ("map", MAP), ("tree", TREE), ("counted", COUNTED),
    ("cell", CELL), ("guard", GUARD), ("atomic", ATOMIC), ("thin", THIN), ("os", OS_TEXT), ("address", ADDRESS), ("duration", DURATION),
    ("range", RANGE), ("rest", REST), ("bytes", BYTES), ("fault", FAULT), ("once", ONCE), ("cstring", CSTRING), ("small", SMALL),
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
        self.places = []  # of the entries: address of the node, and rank in it
        if self.count:
            root = active(child(tree, "root"))
            root = raw(child(root, "__0"))
            self.height = number(child(root, "height"))
            self.root = number(pointer(child(root, "node")))
            self.leaf = pointer(child(root, "node")).GetType().GetPointeeType()
            if self.height > 16:
                raise Nonsense("height")
            node = raw(at(v, "leaf", self.root, self.leaf))
            self.length, self.keys = (child(node, name).GetLoadAddress() - self.root for name in ("len", "keys"))

    def __len__(self):
        return self.count

    def place(self, i):
        if i >= len(self.places):
            upto = max(i + 1, 2 * len(self.places))
            self.places = []
            self.walk(self.root, self.height, upto)
        if i >= len(self.places):
            raise Nonsense("entries")
        return self.places[i]

    def entry(self, i):
        address, rank = self.place(i)
        node = raw(at(self.v, "leaf", address, self.leaf))
        return bare(child(node, "keys").GetChildAtIndex(rank)), bare(child(node, "vals").GetChildAtIndex(rank))

    def walk(self, address, height, upto):
        length = int.from_bytes(memory(self.v, address + self.length, 2), "little")
        if length > 11:
            raise Nonsense("node")
        edges = []
        if height:
            word = self.v.GetTarget().GetAddressByteSize()
            start = address + self.leaf.GetByteSize()
            start += -start % word
            data = memory(self.v, start, word * (length + 1))
            edges = [int.from_bytes(data[i * word:(i + 1) * word], "little") for i in range(length + 1)]
        for i in range(length + 1):
            if len(self.places) >= upto:
                return
            if edges:
                self.walk(edges[i], height - 1, upto)
            if i < length and len(self.places) < upto:
                self.places.append((address, i))


class Linked:
    """A list whose nodes lie anywhere, read as far as it is asked for."""

    def __init__(self, v):
        self.v, self.count, self.nodes = v, sane(number(child(v, "len"))), []
        if self.count:
            self.first = pointer(active(child(v, "head")))
            if self.first is None:
                raise Nonsense("node")
            self.node = self.first.GetType().GetPointeeType()

    def __len__(self):
        return self.count

    def item(self, i):
        while len(self.nodes) <= i:
            to = pointer(active(child(self.nodes[-1], "next"))) if self.nodes else self.first
            if to is None or not number(to):
                raise Nonsense("nodes")
            self.nodes.append(raw(at(self.v, "node", number(to), self.node)))
        return child(self.nodes[i], "element").Clone("[%d]" % i)


def entries_of(v):
    """The entries of an IndexMap or IndexSet, in their order."""
    core = raw(child(v, "map")) if member(v, "map") else v
    core = child(core, "core")
    return vec(raw(child(core, "entries")))


def bucket(entry):
    e = raw(entry)
    return raw(child(e, "key")), raw(child(e, "value"))


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

class Untold(Nonsense):
    """Nothing says which variant an enum holds."""


class Misread(Nonsense):
    """LLDB has another type for what a variant, which is named, holds."""


def active(v):
    """The struct of the variant that an enum holds.

    LLDB names each variant after its discriminant, the one for all other values
    without a number; where the discriminant lies, and its exact value where an
    impossible value of a field is it, only the debug information says.
    """
    variants = v.GetChildAtIndex(0)  # asked for by its name, LLDB looks into the variants, and may die of one
    list_ = [raw(variants.GetChildAtIndex(i)) for i in range(variants.GetNumChildren())]
    if not list_:
        raise Nonsense("no variants")
    size = v.GetType().GetByteSize()
    possible = list_ if len(list_) == 1 else [variant for variant in list_ if not sound(variant, size) or not impossible(child(variant, "value"))]
    found = possible[0] if len(possible) == 1 else list_[which(v, list_)]  # the only one, or that which gdb has found
    at_ = v.GetLoadAddress()
    if not sound(found, size):
        raise Misread(last_part(type_name(found)).removesuffix("$Variant"))
    value = raw(child(found, "value"))
    if len(possible) == 1:
        return value
    if at_ != lldb.LLDB_INVALID_ADDRESS:  # each is as long as the enum, and lies where that does
        return raw(v.CreateValueFromAddress(value.GetName() or "value", at_, value.GetType()))
    return raw(v.CreateValueFromData(value.GetName() or "value", v.GetData(), value.GetType()))


def sound(variant, size):
    """Says that a variant's value has the type that it should have, and its enum's length therefore. LLDB
    may take another type of the same name for it, and dies of reading it as one of no length."""
    of = variant.GetType()
    if not (of.GetName() or "").endswith("$Variant"):
        return True  # gdb's
    parts = [of.GetFieldAtIndex(i) for i in range(of.GetNumberOfFields())]
    return all(part.GetType().GetByteSize() == size for part in parts if part.GetName() == "value")


def impossible(variant):
    """Says that a variant holds what has no values, so that there is none of it."""
    fields = (raw(variant).GetChildAtIndex(i) for i in range(raw(variant).GetNumChildren()))
    return any(type_name(field) in ("core::convert::Infallible", "!") for field in fields)


def which(v, variants):
    """The number of the variant that an enum holds."""
    data = bytes_of(v)
    said = layout(v, type_name(v), len(data))
    if said is not None and len(said[2]) == len(variants):
        offset, size, values = said
        tag = int.from_bytes(data[offset:offset + size], "little")
        others = [i for i, n in enumerate(values) if n is None]
        same = [i for i, n in enumerate(values) if n is not None and n % (1 << 8 * size) == tag]
        if len(same) > 1 or not same and not others and size > 8:
            raise Untold("variant")  # older compilers cut what their debug information says of a wide tag
        if not same and not others:
            raise Nonsense("discriminant %d" % tag)
        return (same or others)[0]
    tags = [member(variant, "$discr$") for variant in variants]
    if len(variants) == 2 and len(data) == 8 and re.match(r"^core::option::Option<(unsafe )?(extern .*)?fn\(", type_name(v)):
        return tags.index(None) if any(data) else 1 - tags.index(None)  # LLDB does not find it by its name
    if None in tags or tags[0].GetType().GetByteSize() > 4:
        raise Untold("variant")  # an impossible value of some field
    size = tags[0].GetType().GetByteSize()  # a tag of its own comes first
    tag = int.from_bytes(data[:size], "little")
    for i, variant in enumerate(variants):
        if int(variant.GetName()[len("$variant$"):]) % (1 << 8 * size) == tag:
            return i
    raise Nonsense("discriminant %d" % tag)


def bytes_of(v):
    error = lldb.SBError()
    data = v.GetData()
    got = data.ReadRawData(error, 0, data.GetByteSize()) if data.GetByteSize() else b""
    if got is None or error.Fail():
        raise Nonsense("unreadable")
    return bytes(got)


def wide_number(frame, n):
    """A number that does not fit what Python hands over: of 64 bits if it can be, else of 128."""
    target, unsigned = frame.GetThread().GetProcess().GetTarget(), n >= 0
    bits = 64 if unsigned and n < 1 << 64 else 128
    if not -(1 << 127) <= n < 1 << 128:
        raise Nonsense("%d does not fit 128 bits" % n)
    basic = {(64, True): lldb.eBasicTypeUnsignedLongLong, (128, True): lldb.eBasicTypeUnsignedInt128, (128, False): lldb.eBasicTypeInt128}[bits, unsigned]
    if bits == 128 and n < 1 << 127:
        basic = lldb.eBasicTypeInt128
    words = [n >> 64 * i & (1 << 64) - 1 for i in range(bits // 64)]
    data = lldb.SBData.CreateDataFromUInt64Array(target.GetByteOrder(), target.GetAddressByteSize(), words)
    return target.CreateValueFromData("n", data, target.GetBasicType(basic))
