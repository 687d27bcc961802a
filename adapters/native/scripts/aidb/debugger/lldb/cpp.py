"""How LLDB shows the values of C and C++ programs: containers of GNU's library
with what is in them, text whole and as it is read, and what was never initialized
as that."""

import threading

import lldb

from aidb.cpp.iterators import ITERATORS
from aidb.cpp.meaning import shape_of
from aidb.cpp.values import MAKERS, Held, Pairs, Sequence
from aidb.cpp.words import UNREADABLE, Words, key_name, line, spending
from aidb.debugger.lldb import cpp_expression
from aidb.debugger.lldb.declared import plain
from aidb.debugger.lldb.values import Value, is_empty
from aidb.guard import guard


def brief(value):
    """A value within bounds, as one line."""
    own = Words().of(Value(value))
    return own if own is not None else "?"


class Last(threading.local):
    """The value that was told last: LLDB asks for its parts next, and what it is need not be found out again."""

    where, held = None, None

    def tell(self, v, stop):
        told = line(v, stop)
        self.where, self.held = place(v), v.held
        return told

    def forget(self):
        self.where = self.held = None


last = Last()


def place(v):
    """What tells one value of the library from another; None where nothing does."""
    return (v.v.GetLoadAddress(), v.v.GetTypeName()) if v.type.code == "record" and v.placed() else None


def shown(value, _):
    return last.tell(Value(value), value.GetProcess().GetStopID())


def is_record(kind, _):
    """Types of the program's own that have parts and no line of their own."""
    if kind.IsReferenceType():
        return False
    if kind.IsArrayType():
        return True
    if kind.GetCanonicalType().GetTypeClass() == lldb.eTypeClassMemberPointer:  # which LLDB takes for a pointer too
        return True
    if kind.IsPointerType():
        kind = kind.GetPointeeType()
    kind = kind.GetCanonicalType()
    if kind.GetTypeClass() not in (lldb.eTypeClassStruct, lldb.eTypeClassClass, lldb.eTypeClassUnion):
        return False
    name = kind.GetName() or ""
    if name.startswith("std::pair<"):
        return True
    return "::" not in name.split("<", 1)[0] or not name.startswith(("std::", "__gnu_cxx::", "core::", "alloc::", "hashbrown::"))


class Children:
    """The parts of a value of the library, found when they are first asked for."""

    def __init__(self, value, _):
        self.value, self.held, self.known = value, None, False

    def update(self):
        self.held, self.known = None, False
        last.forget()
        return False

    def has_children(self):
        held = self.shape()
        return isinstance(held, Sequence) or isinstance(held, Held) and held.value is not None

    def shape(self):
        if not self.known:
            self.known = True
            try:
                v = Value(self.value)
                if last.where is not None and last.where == place(v):
                    self.held = last.held
                elif not guard.leaves_out(v.type.name):
                    with guard.reading(v.type.name):
                        self.held = shape_of(v.deref() if v.type.code == "pointer" else v)
            except UNREADABLE:
                self.held = None
        return self.held

    def num_children(self, most=None):
        held = self.shape()
        if isinstance(held, Sequence):
            count = held.count
        elif isinstance(held, Held) and held.value is not None:
            count = held.value.v.GetNumChildren() if self.opened(held) else 1
        else:
            count = 0
        return count if most is None else min(count, most)

    @staticmethod
    def opened(held):
        """Says that a held value's own parts are shown in its place."""
        of = held.value.type
        return of.code == "record" and not of.name.startswith("std::")

    def get_child_at_index(self, index):
        held = self.shape()
        try:
            if isinstance(held, Pairs):
                return self.entry(held, index)
            if isinstance(held, Sequence):
                return part(held.item(index)) if 0 <= index < held.count else None
            if index == DEREFERENCED or not self.opened(held):
                return part(held.value, "value")
            return held.value.v.GetChildAtIndex(index)
        except UNREADABLE:
            return None

    @staticmethod
    def entry(held, index):
        if not 0 <= index < held.count:
            return None
        name = key_name(held.key(index)) if held.unique else None
        return part(held.value(index), "[%s]" % name) if name else part(held.item(index))

    def get_child_index(self, name):
        held = self.shape()
        if isinstance(held, Held) and held.value is not None:
            if name in ("$$dereference$$", "value"):
                return DEREFERENCED
            return held.value.v.GetIndexOfChildWithName(name) if self.opened(held) else -1
        try:
            return int(name.strip("[]"))
        except ValueError:
            return -1


DEREFERENCED = 1 << 30


def is_union(kind, _):
    """Unions with arrays, whose lengths LLDB does not know."""
    kind = (kind.GetPointeeType() if kind.IsPointerType() or kind.IsReferenceType() else kind).GetCanonicalType()
    return kind.GetTypeClass() == lldb.eTypeClassUnion and any(is_empty(f.GetType()) for f in kind.fields)


class Union:
    """The members of such a union."""

    def __init__(self, value, _):
        self.value, self.members = value, []

    def update(self):
        try:
            v = Value(self.value)
            self.members = (v.deref() if v.type.code == "pointer" else v).children()
        except UNREADABLE:
            self.members = []
        return False

    def num_children(self, most=None):
        return len(self.members) if most is None else min(len(self.members), most)

    def get_child_at_index(self, index):
        return part(self.members[index]) if 0 <= index < len(self.members) else None

    def get_child_index(self, name):
        return next((i for i, m in enumerate(self.members) if m.name == name), -1)


def part(v, name=None):
    found = v.v.Clone(name) if name and v.name != name else v.v
    found.SetPreferSyntheticValue(True)
    return found


GNU = "^(const )?(volatile )?std::(__cxx11::|__debug::|filesystem::__cxx11::|chrono::|chrono::_V2::)?(%s)(<.*>)?$"


def begin(debugger):
    def run(command):
        debugger.HandleCommand(command)

    run("type format add -p -f d 'signed char'")
    run("type format add -p -f u 'unsigned char'")
    library = GNU % "|".join(sorted(MAKERS))
    run('type summary add -w aidb -e -F %s.shown -x "%s"' % (__name__, library))
    run('type summary add -w aidb -F %s.shown -x "^(const )?char *[*]( const)?$"' % __name__)
    run('type synthetic add -w aidb -l %s.Children -x "%s"' % (__name__, library))
    iterators = ITERATORS.pattern.replace("(?:", "(")  # LLDB's expressions have no other groups
    run('type summary add -w aidb -e -F %s.shown -x "%s"' % (__name__, iterators))
    run('type synthetic add -w aidb -l %s.Children -x "%s"' % (__name__, iterators))
    run("type summary add -w aidb-records -e -F %s.shown --recognizer-function %s.is_record" % (__name__, __name__))
    run("type synthetic add -w aidb-records -l %s.Union --recognizer-function %s.is_union" % (__name__, __name__))
    run("type category enable aidb-records")
    run("type category enable aidb")


def named(path):
    """The value that a path of names leads to, without LLDB's compiler where that
    can be; a name may be one of this object's members."""
    frame = lldb.frame
    spending.asked()
    value = frame.GetValueForVariablePath(path)
    if not value.IsValid() or value.GetError().Fail():
        value = frame.GetValueForVariablePath("this->" + path)
    if not plain(frame, path) or not value.IsValid() or value.GetError().Fail() or is_empty(value.GetType()):
        return cpp_expression.evaluate(frame, path)
    value.SetPreferSyntheticValue(True)
    return value
