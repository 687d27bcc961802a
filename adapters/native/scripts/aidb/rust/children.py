"""The parts that a value of Rust has."""

import time

from aidb.debugger.interface import Nonsense, RustValue
from aidb.guard import guard
from aidb.rust import words
from aidb.rust.keys import MAX_SEARCH, Unfinished, rank_in_table, rank_in_tree
from aidb.rust.library import content, rest, small
from aidb.rust.memory import Linked, Table, Tree, bucket, child, deque, entries_of, kind_of, slice_of, vec
from aidb.rust.words import MAX_CHILDREN, Words, counted, is_set, pair_of, wide_of


class Children:
    """The children that a value has in Rust."""

    def __init__(self, v: RustValue) -> None:
        self.v = v
        self.list = None      # of values, when there are few
        self.items = None     # a function of the index, else
        self.count = 0
        self.by_key = False
        self.key = None       # a function of the index: what stands for the key in a name
        self.rank = None      # a function of a key, where there is a fast way to find it

    def read(self):
        self.list, self.items, self.count, self.by_key, self.key, self.rank = [], None, 0, False, None, None
        name = self.v.type.name
        if guard.leaves_out(name):
            return
        guard.enter(name)
        try:
            self.fill(self.v, 0)
        except (Nonsense, ValueError, OverflowError):
            self.list = []
        finally:
            guard.leave()
        if self.items is None:
            self.count = len(self.list)

    def shown(self, limit=1 << 30):
        """How many of them are shown."""
        if self.list is None:
            self.read()
        return min(self.count, limit, MAX_CHILDREN)

    def part(self, i):
        if self.list is None:
            self.read()
        if i < 0 or i >= self.count:
            return None
        try:
            return self.items(i) if self.items else self.list[i]
        except (Nonsense, ValueError, OverflowError):
            return None

    def rank_of(self, name):
        if self.list is None:
            self.read()
        if self.by_key:
            return self.search(name)
        if name.startswith("[") and name.endswith("]") and name[1:-1].isdigit():
            return int(name[1:-1])
        for i, c in enumerate(self.list):
            if c.name == name or c.name == "__" + name:
                return i
        return -1

    def find(self, wanted, name: str):
        """The rank of a key that is known by its value, and by the name of its child."""
        found = self.rank(wanted) if self.rank and self.count else NotImplemented
        return self.search(name) if found is NotImplemented else -1 if found is None else found

    def search(self, name):
        """The rank of a key; raises when there was no time to look at all of them."""
        end = time.monotonic() + MAX_SEARCH
        for i in range(self.count):
            try:
                if self.key(i) == name:
                    return i
            except (Nonsense, ValueError, OverflowError):
                continue
            if i % 256 == 255 and time.monotonic() > end:
                raise Unfinished("of the %d keys, %d were searched in %g s, and it is not among these" % (self.count, i + 1, MAX_SEARCH))
        return -1

    def sequence(self, s) -> None:
        self.count, self.items = len(s), s.item

    def keyed(self, entry, count, is_set):
        def item(i):
            key, value = entry(i)
            if is_set:
                return key.named("[%d]" % i)
            word = Words().of(key)
            return value.named("[%s]" % word)
        self.count, self.items, self.by_key = count, item, not is_set
        self.key = lambda i: "[%s]" % Words().of(entry(i)[0])

    def fill(self, v, depth):
        kind = kind_of(v)
        if depth > 6 or kind in ("scalar", "str", "string", "os", "duration", "atomic", "bytes", "fault", "cstring", "untold"):
            return
        if kind == "pointer":
            to = v.type.pointee()
            address = v.unsigned()
            if address == 0 or to.size == 0 or to.code == "function":
                return
            self.fill(v.at("*", address, to), depth + 1)
        elif kind in ("array", "group"):
            self.count, self.items = v.count, v.part
        elif kind == "vec":
            self.sequence(vec(v))
        elif kind == "deque":
            self.sequence(deque(v))
        elif kind == "heap":
            self.sequence(vec(child(v, "data")))
        elif kind == "linked":
            self.sequence(Linked(v))
        elif kind == "indexed":
            entries = entries_of(v)
            self.keyed(lambda i: bucket(entries.item(i)), len(entries), is_set(v))
        elif kind == "small":
            self.sequence(small(v))
        elif kind == "rest":
            self.sequence(rest(v))
        elif kind == "slice":
            self.sequence(slice_of(v))
        elif kind == "map":
            table = Table(v)
            self.keyed(lambda i: pair_of(table.entry(i)), len(table), is_set(v))
            self.rank = lambda wanted: rank_in_table(table, pair_of(table.entry(0))[0], wanted)
        elif kind == "tree":
            tree = Tree(v)
            self.keyed(tree.entry, len(tree), is_set(v))
            self.rank = lambda wanted: rank_in_tree(tree, tree.entry(0)[0], wanted)
        elif kind == "counted":
            box = counted(v)
            if box and box[0] is not None and wide_of(v) != "str":
                self.fill(box[0], depth + 1)
        elif kind in ("cell", "guard", "thin"):
            self.fill(content(v), depth + 1)
        elif kind == "dyn":
            concrete = words.behind(v)
            if concrete is not None:
                self.fill(concrete, depth + 1)
        elif kind == "enum":
            self.members(v.variant())
        else:
            self.members(v)

    def members(self, v):
        for i in range(v.count):
            c = v.part(i)
            name = c.name
            self.list.append(c.named(name[2:]) if name.startswith("__") and name[2:].isdigit() else c)
