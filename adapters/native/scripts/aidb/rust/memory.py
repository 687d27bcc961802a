"""Reading the values of Rust programs out of raw memory, with bounds and doubt: a
variable may not be initialized yet, so every pointer and every length may be
nonsense, and reading them must neither fail nor take long."""

import re

from aidb.debugger.interface import Nonsense, RustType, RustValue

SANE = 1 << 40  # no length of an honest container is greater


def child(v, *names):
    """The member at a path of names; raises when there is none."""
    for name in names:
        v = v.member(name)
        if v is None:
            raise Nonsense(name)
    return v


def is_unit(of: RustType) -> bool:
    return of.code != "nothing" and not of.size and of.name in ("()", "void")


def number(v: RustValue):
    """The unsigned value of a scalar, however many single-field structs it is in."""
    for _ in range(6):
        if v.count == 0 or v.type.code == "pointer":
            break
        v = v.part(0)
    return v.number()


def pointer(v: RustValue):
    """The first pointer in a value, searched depth first."""
    if v.type.code == "pointer":
        return v
    for i in range(min(v.count, 8)):
        found = pointer(v.part(i))
        if found is not None:
            return found
    return None


def sane(length: int):
    if length > SANE:
        raise Nonsense("length %d" % length)
    return length


# --- types -------------------------------------------------------------------

def type_name(v: RustValue):
    return v.type.name


def last_part(name: str):
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
THIN = re.compile(
    r"^core::(num::(?:\w+::)+NonZero|num::wrapping::Wrapping|mem::manually_drop::ManuallyDrop|mem::maybe_uninit::MaybeUninit"
    r"|mem::maybe_dangling::MaybeDangling|pin::Pin|cmp::Reverse)\w*<?")
UNSURE = re.compile(r"^core::mem::maybe_uninit::MaybeUninit<")
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


def kind_of(v: RustValue):
    """What a value is, by its type."""
    if v.untold:
        return "untold"
    t = v.type
    if t.code == "nothing":
        return "group"  # of registers
    if t.code in ("pointer", "array"):
        return t.code
    if t.code not in ("record", "union"):
        return "scalar"
    if t.tagged:
        return "enum"
    name, fields = t.name, t.fields[:2]
    if fields == ["data_ptr", "length"]:
        return "str" if TEXT.match(name) else "slice"
    if fields == ["pointer", "vtable"]:
        return "dyn"
    for kind, pattern in KINDS:
        if pattern.match(name):
            return kind
    if t.code == "union":
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
        size = of_type.size
        if length and size:
            v.memory(address, 1)
            if not capacity:
                v.memory(address + (length - 1) * size, 1)
            elif head > capacity or length > capacity:
                raise Nonsense("ring")

    def __len__(self):
        return self.length

    def item(self, i: int):
        place = (self.head + i) % self.capacity if self.capacity else i
        return self.v.at("[%d]" % i, self.address + place * self.type.size, self.type)


def argument(t: RustType, i: int=0):
    of = t.argument(i)
    if of is None:
        raise Nonsense("type argument")
    return of


def vec(v: RustValue):
    length = number(child(v, "len"))
    capacity = capacity_of(child(v, "buf"))
    of = argument(v.type)
    if of.size and length > capacity:
        raise Nonsense("length over capacity")
    return Sequence(v, number(pointer(child(v, "buf"))), length, of)


def capacity_of(buf):
    for path in (("inner", "cap"), ("cap",)):
        try:
            return number(child(buf, *path))
        except Nonsense:
            continue
    raise Nonsense("cap")


def deque(v: RustValue):
    buf = child(v, "buf")
    of = argument(v.type)
    return Sequence(v, number(pointer(buf)), number(child(v, "len")), of, number(child(v, "head")), max(capacity_of(buf), 1))


def slice_of(v: RustValue):
    p = child(v, "data_ptr")
    return Sequence(v, p.unsigned(), number(child(v, "length")), p.type.pointee())


class Table:
    """A hash table of hashbrown: control bytes, and before them the entries from the end."""

    def __init__(self, v):
        self.v = v
        table = v
        for _ in range(6):
            if table.member("ctrl"):
                break
            table = table.member("base") or table.member("map") or table.member("table")
            if table is None:
                raise Nonsense("table")
        of = None
        outer = v
        for _ in range(5):
            for name in ("table", "base", "map"):
                inner = outer.member(name)
                if inner is not None:
                    outer = inner
                    break
            if "RawTable<" in type_name(outer):
                of = argument(outer.type)
                break
        if of is None:
            raise Nonsense("entry type")
        self.type, self.size = of, of.size
        self.count = sane(number(child(table, "items")))
        self.mask = number(child(table, "bucket_mask"))
        self.control = number(pointer(child(table, "ctrl")))
        if self.mask & (self.mask + 1) or self.count > self.mask + 1 or self.mask > 1 << 32:
            raise Nonsense("mask")
        self.places = None
        v.memory(self.control, 1)

    def __len__(self):
        return self.count

    def find(self, upto):
        if self.places is not None and len(self.places) > upto:
            return
        self.places = []
        step, base = 4096, 0
        while base <= self.mask and len(self.places) <= min(upto, self.count - 1):
            for i, byte in enumerate(self.v.memory(self.control + base, min(step, self.mask + 1 - base))):
                if byte < 0x80:
                    self.places.append(base + i)
            base += step

    def entry(self, i):
        self.find(i)
        if i >= len(self.places):
            raise Nonsense("entries")
        return self.v.at("[%d]" % i, self.control - (self.places[i] + 1) * self.size, self.type)


class Tree:
    """A B-tree, walked in order."""

    def __init__(self, v):
        self.v = v
        tree = v if v.member("root") else child(v, "map")
        self.count = sane(number(child(tree, "length")))
        self.places = []  # of the entries: address of the node, and rank in it
        if self.count:
            root = child(tree, "root").variant()
            root = child(root, "__0")
            self.height = number(child(root, "height"))
            self.root = number(pointer(child(root, "node")))
            self.leaf = pointer(child(root, "node")).type.pointee()
            if self.height > 16:
                raise Nonsense("height")
            node = v.at("leaf", self.root, self.leaf)
            self.length, self.keys = (child(node, name).address - self.root for name in ("len", "keys"))

    def __len__(self):
        return self.count

    def place(self, i: int):
        if i >= len(self.places):
            upto = max(i + 1, 2 * len(self.places))
            self.places = []
            self.walk(self.root, self.height, upto)
        if i >= len(self.places):
            raise Nonsense("entries")
        return self.places[i]

    def entry(self, i):
        address, rank = self.place(i)
        node = self.v.at("leaf", address, self.leaf)
        return bare(child(node, "keys").part(rank)), bare(child(node, "vals").part(rank))

    def walk(self, address: int, height, upto) -> None:
        length = int.from_bytes(self.v.memory(address + self.length, 2), "little")
        if length > 11:
            raise Nonsense("node")
        edges = []
        if height:
            word = self.v.word
            start = address + self.leaf.size
            start += -start % word
            data = self.v.memory(start, word * (length + 1))
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
            self.first = pointer(child(v, "head").variant())
            if self.first is None:
                raise Nonsense("node")
            self.node = self.first.type.pointee()

    def __len__(self):
        return self.count

    def item(self, i: int):
        while len(self.nodes) <= i:
            to = pointer(child(self.nodes[-1], "next").variant()) if self.nodes else self.first
            if to is None or not number(to):
                raise Nonsense("nodes")
            self.nodes.append(self.v.at("node", number(to), self.node))
        return child(self.nodes[i], "element").named("[%d]" % i)


def entries_of(v: RustValue):
    """The entries of an IndexMap or IndexSet, in their order."""
    core = child(v, "map") if v.member("map") else v
    core = child(core, "core")
    return vec(child(core, "entries"))


def bucket(entry: RustValue):
    return child(entry, "key"), child(entry, "value")


def bare(v: RustValue):
    """What is in MaybeUninit and ManuallyDrop."""
    for _ in range(4):
        name = type_name(v)
        if not name.startswith("core::mem::"):
            break
        inner = v.member("value")
        v = inner if inner is not None else v.part(0)
    return v


# --- enums -------------------------------------------------------------------

class Untold(Nonsense):
    """Nothing says which variant an enum holds."""


class Misread(Nonsense):
    """The debugger has another type for what a variant, which is named, holds."""
