"""What an iterator of GNU's C++ library leads to. Most do not know where their container ends: that is found out
from the containers in reach, for behind the last element lies what was there before, or what is something else."""

import re

from aidb.cpp.values import Held, Nonsense, beyond, need, pointed, shape
from aidb.debugger.interface import CppValue

ITERATORS = re.compile(r"^(?:__gnu_cxx::__normal_iterator|std::(?:_Rb_tree|_List|_Deque|_Fwd_list)_(?:const_)?iterator|std::__detail::_Node_(?:const_)?iterator)<")

LOOKED_AT = 300  # values in which a container is sought
DEEP = 3  # how deep in records
POINTED = ("unique_ptr", "shared_ptr", "optional", "reference_wrapper")
DOUBT = (Nonsense, ValueError, OverflowError, TypeError, AttributeError, IndexError)


def iterator(v: CppValue) -> Held:
    for name in ("_M_current", "_M_cur", "_M_node"):
        at = v.member(name)
        if at is not None:
            break
    else:
        raise Nonsense("iterator")
    if not at.number():
        return Held(None, "nullptr")
    if "_Rb_tree" in v.type.name and is_head(v, at.number()):
        return Held(None, "end()")
    own = owner(v, at.number()) if name == "_M_current" or re.match(r"std::_(?:List|Deque)_", v.type.name) else None
    if own is not None and own.ends:
        return Held(None, "end()")
    if name == "_M_current" or "_Deque_iterator" in v.type.name:
        return Held(at.deref(), "nullptr")
    of = v.type.argument(0) or (own.container.type.argument(0) if own is not None else None)
    if of is None:
        raise Nonsense("what it leads to has no type")
    links = {"_Rb_tree": 4, "_List": 2}.get(v.type.name[5:].split("_iterator")[0].split("_const")[0], 1)
    return Held(v.at("*", at.number() + beyond(links * v.word, of), of), "nullptr")


def is_head(v, node):
    """Says that a node of a tree is its head, past all elements: red, and the parent of the root, which is black."""
    root = v.pointer_at(node + v.word)
    return v.memory(node, 1) == b"\0" and (not root or v.pointer_at(root + v.word) == node)


class Owner:
    """The container that an iterator is of, and whether that ends where it stands."""

    def __init__(self, container, ends) -> None:
        self.container, self.ends = container, ends


def owner(v: CppValue, at):
    """That of an iterator that stands at an address; None where none in reach is known to be it."""
    matches, find = kind_of(v)
    for c in Search(matches).within(v.reach()):
        try:
            ends = find(c, at)
        except DOUBT:  # it is not made yet, or gone
            continue
        if ends is not None:
            return Owner(c, ends)
    return None


def kind_of(v: CppValue):
    """Which containers an iterator can be of, and what finds an address in one: whether it is the end, None where it is not
    within. No two have the same memory: what they hold need not be asked."""
    if v.type.name.startswith("__gnu_cxx::"):
        return re.compile(r"std::(?:vector|__cxx11::basic_string|basic_string)<"), among
    if "_List_" in v.type.name:
        return re.compile(r"std::(?:__cxx11::)?list<"), last_of_list
    return re.compile(r"std::deque<"), last_of_deque


def among(c, at):
    if c.type.name.startswith("std::vector<"):
        first, last = pointed(c, "_M_impl", "_M_start"), pointed(c, "_M_impl", "_M_finish")
        if last > pointed(c, "_M_impl", "_M_end_of_storage"):
            return None
    else:
        held = shape(c)
        first, last = held.address, held.address + held.length * held.width
    return at == last if first and first <= at <= last else None


def last_of_list(c, at):
    """The last of a list leads back to the list itself. Others are not sought: only its end is asked for."""
    return True if at == need(c, "_M_impl", "_M_node").address else None


def last_of_deque(c, at):
    return True if at == pointed(c, "_M_impl", "_M_finish", "_M_cur") else None


class Search:
    """Values of some types among others and in them."""

    def __init__(self, matches) -> None:
        self.matches, self.left, self.met = matches, LOOKED_AT, set()

    def within(self, values, depth=0):
        for v in values:
            self.left -= 1
            if self.left < 0:
                return
            try:
                v = v.deref() if v.type.code == "pointer" and v.type.pointee().code == "record" else v
                if v.type.code != "record" or not v.placed() or (v.address, v.type.name) in self.met:
                    continue
                self.met.add((v.address, v.type.name))
                parts = self.parts(v, depth)
            except DOUBT:
                continue
            if self.matches.match(v.type.name):
                yield v
            else:
                yield from self.within(parts, depth + 1)

    @staticmethod
    def parts(v, depth):
        """What a record has in it; of the library's, only what holds one value."""
        if depth >= DEEP:
            return []
        if not v.type.name.startswith(("std::", "__gnu_cxx::")):
            return v.children()
        if v.type.name.split("<")[0].split("::")[-1] not in POINTED:
            return []
        held = shape(v)
        return [held.value] if isinstance(held, Held) and held.value is not None else []
