"""gdb's values of Rust programs, as aidb.rust reads them."""

import re

import gdb

from aidb.debugger import interface
from aidb.debugger.gdb import values
from aidb.debugger.interface import Nonsense
from aidb.rust import memory

RECORDS = (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION)
UNREADABLE = (*values.UNREADABLE, UnicodeDecodeError)


def is_enum(t):
    """Says that a type is one of Rust's enums with data, of which gdb shows the variant that is there."""
    return t.code in RECORDS and any(f.artificial and f.name is None for f in t.fields())


known_deadly = {}


def deadly(t):
    """Says that gdb dies when it reads a value of this type: an enum with a tag of more
    than 64 bits is in it."""
    t = t.strip_typedefs()
    if t.code == gdb.TYPE_CODE_ARRAY:
        return deadly(t.target())
    if t.code not in RECORDS or t.sizeof <= 8:
        return False
    key = str(t), t.sizeof
    if key not in known_deadly:
        fields = t.fields()
        known_deadly[key] = (any(f.artificial and f.name is None and f.type.sizeof > 8 for f in fields)
                             or any(deadly(f.type) for f in fields if hasattr(f, "bitpos")))
    return known_deadly[key]


class Type(values.Type, interface.RustType):
    def __init__(self, t):
        super().__init__(t)
        self.name = {"char": "char32_t"}.get(str(self.t), str(self.t))  # as LLDB calls it

    @property
    def tagged(self):
        return is_enum(self.t)

    @property
    def fields(self):
        return [f.name for f in self.t.fields() if hasattr(f, "bitpos")] if self.t.code in RECORDS else []

    def array(self, count):
        return Type(self.t.array(count - 1))


class Value(values.Value, interface.RustValue):
    def __init__(self, v, name=""):
        self.v, self.name, self.kind = v, name, None

    @property
    def type(self):
        if self.kind is None:
            self.kind = Type(self.v.type)
        return self.kind

    @property
    def process(self):
        return process

    def parts(self):
        """Names of members, or numbers of elements."""
        t = self.type.t
        if t.code == gdb.TYPE_CODE_ARRAY:
            low, high = t.range()
            return range(low, high + 1)
        if t.code not in RECORDS:
            return ()
        return [None] if is_enum(t) else self.type.fields

    @property
    def count(self):
        return len(self.parts())

    @values.doubtful
    def part(self, i):
        known = self.parts()
        if not 0 <= i < len(known) or known[i] is None:
            raise Nonsense("part %d" % i)
        if not isinstance(known, range):
            return Value(self.v[known[i]], known[i])
        of = self.type.element()
        if not of.size:  # gdb finds no such element
            return self.at("[%d]" % i, self.address, of)
        return Value(self.v[known[i]], "[%d]" % i)

    def member(self, name):
        if name not in self.parts():
            return None
        try:
            return Value(self.v[name], name)
        except UNREADABLE:
            return None

    def scalar(self):
        """The number or truth that it is; None where it cannot be had."""
        t = self.type.t
        try:
            if t.code == gdb.TYPE_CODE_FLT:
                return float(self.v)
            if t.code == gdb.TYPE_CODE_BOOL:
                return bool(self.v)
            return int(self.v) if t.code not in RECORDS and t.sizeof else None
        except UNREADABLE:
            return None

    def text(self):
        n = self.scalar()
        if isinstance(n, bool):
            return "true" if n else "false"
        if isinstance(n, float) and n != n:
            return "NaN"
        if n is None or self.type.code not in ("float", "enum"):
            return None if n is None else str(n)
        try:
            return self.v.format_string()
        except UNREADABLE:
            return None

    def number(self):
        n = self.scalar()
        if n is None:
            raise Nonsense("unreadable")
        return int(n) % (1 << max(8 * self.v.type.sizeof, 64))

    def unsigned(self):
        return self.number() if self.scalar() is not None else 0

    def integer(self):
        return int(self.scalar() or 0)

    @values.doubtful
    def contents(self):
        return self.memory(self.address, self.type.size) if self.placed() else bytes(self.v.bytes)

    def named(self, name):
        return Value(self.v, name)

    @values.doubtful
    def at(self, name, address, of):
        self.memory(address, 1 if of.size else 0)
        if deadly(of.t):
            return Unread(of.t, name)
        return Value(gdb.Value(address).cast(of.t.pointer()).dereference(), name)

    @values.doubtful
    def deref(self):
        of = self.type.t.target()
        if deadly(of):
            return Unread(of, "*" + self.name)
        return Value(self.v.dereference(), "*" + self.name)

    def address_of(self):
        return Value(self.v.address, "&" + self.name)

    @values.doubtful
    def variant(self):
        held = [f for f in self.type.t.fields() if not f.artificial]
        if len(held) > 1:  # it lies nowhere, and gdb looks which is there only when it shows it
            shown = self.v.format_string(max_depth=1)
            held = [f for f in held if re.match(r"%s::%s\b" % (re.escape(str(self.type.t)), f.name), shown)]
            if len(held) != 1:
                raise Nonsense("it is not seen which variant is there")
        if not held:
            raise Nonsense("no variants")
        return Value(self.v[held[0]], "value")

    def concrete(self):
        gdb.set_convenience_variable("aidb_object", self.v)
        try:
            inner = gdb.parse_and_eval("*$aidb_object")
        except UNREADABLE:
            return None
        return Value(inner, "*") if inner.type != self.v.type else None


class Unread(Value):
    """A value that must not be read. Its type is all that is known."""

    untold = True

    def __init__(self, t, name=""):
        super().__init__(t, name)
        self.kind = Type(t)

    def named(self, name):
        return Unread(self.v, name)

    def placed(self):
        return False

    def read(self, *_):
        raise memory.Untold("a tag of more than 64 bits")

    address_of = deref = at = member = part = variant = concrete = text = number = unsigned = integer = contents = read
    address = count = property(read)


class Function(interface.Function):
    def __init__(self, name, symbol):
        self.name, self.symbol = name, symbol

    @property
    def address(self):
        return int(self.symbol.value().address)

    def signature(self):
        return [Type(f.type) for f in self.symbol.type.fields()], Type(self.symbol.type.target())


class Process(interface.Process):
    @values.doubtful
    def memory(self, address, size):
        return bytes(gdb.selected_inferior().read_memory(address, size)) if size else b""

    def symbol_at(self, address):
        text = gdb.execute("info symbol %d" % address, to_string=True)
        return text.rsplit(" in section", 1)[0] if " in section" in text else None

    def find_type(self, name):
        try:
            found = gdb.lookup_type(name)
        except UNREADABLE:
            return None
        if Type(found).code == "other":  # the mere path of a type, which has the same name
            symbol = gdb.lookup_static_symbol(name)
            found = symbol.type if symbol is not None else found
        return Type(found) if Type(found).code != "other" else None

    def global_variable(self, path):
        for look in (gdb.lookup_global_symbol, gdb.lookup_static_symbol):
            symbol = look(path)
            if symbol is not None and symbol.is_variable:
                return Unread(symbol.type, path) if deadly(symbol.type) else Value(symbol.value(), path)
        return None

    def functions(self, name):
        found = {}
        for row in gdb.execute("info functions -q -n %s$" % re.escape(name), to_string=True).splitlines():
            full = row.split("(", 1)[0].split("fn ", 1)[-1] if "fn " in row else ""
            symbol = full.split("::")[-1] == name and (gdb.lookup_global_symbol(full) or gdb.lookup_static_symbol(full))
            if symbol:
                found[full] = Function(symbol.name, symbol)
        return list(found.values())

    def vtable_name(self, address):
        return ""  # gdb itself finds what lies behind a table that has one


process = Process()
