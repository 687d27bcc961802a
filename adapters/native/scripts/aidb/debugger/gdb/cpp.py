"""How gdb's adapter shows the values of C and C++ programs: as LLDB's does (see
aidb.cpp.words), long ones by the page, and what was never initialized as that,
instead of failing for all variables beside it."""

import gdb
import gdb.printing

from aidb.cpp.expression import Evaluator, Literal
from aidb.cpp.numbers import Address, Foreign, Int, Real, Wrong
from aidb.cpp.values import UNSET, Held, Nonsense, Pairs, Sequence, Text, shape
from aidb.cpp.words import UNREADABLE, Words, key_name
from aidb.debugger.gdb import declared
from aidb.debugger.gdb.values import Type, Value

original = gdb.printing.make_visualizer


def readable(value):
    """The library's view of a value; None where it has none, or none that makes sense."""
    try:
        return shape(Value(value))
    except UNREADABLE + (gdb.error, gdb.MemoryError, RuntimeError):
        return None


def in_words(value):
    try:
        return Words().of(Value(value))
    except (gdb.error, gdb.MemoryError, RuntimeError):
        return UNSET


class Line(gdb.ValuePrinter):
    """A value that is one line."""

    def __init__(self, value):
        self.__value = value

    def to_string(self):
        return in_words(self.__value)


class Listed(Line):
    """A value of the library, or an array, with its elements."""

    def __init__(self, value, held):
        super().__init__(value)
        self.__held = held

    def display_hint(self):
        return "array"

    def num_children(self):
        return self.__held.count

    def child(self, i):
        held = self.__held
        try:
            if isinstance(held, Pairs):
                name = key_name(held.key(i)) if held.unique else None
                return ("[%s]" % name, held.value(i).v) if name else ("[%d]" % i, held.item(i).v)
            return "[%d]" % i, held.item(i).v
        except Nonsense:
            return "[%d]" % i, UNSET

    def children(self):
        return (self.child(i) for i in range(self.__held.count))


class Parts(Line):
    """A record with its members; what a value of the library holds, with its own."""

    def __init__(self, value, whole):
        super().__init__(value)
        self.__parts = whole

    def num_children(self):
        return len(self.__parts())

    def child(self, i):
        return self.__parts()[i]

    def children(self):
        return iter(self.__parts())


def members(value):
    """The members of a record, those of its bases and of its parts without a name among them."""
    out = []
    for c in Value(value).children():
        if c.unnamed and c.type.code in ("record", "union") and not c.type.name.startswith("std::"):
            out += members(c.v)
        else:
            out.append((c.name, c.v))
    return out


def visualizer(value):
    kind = value.type.strip_typedefs()
    try:
        v = Value(value)
        code = v.type.code
        if value.is_optimized_out:
            return original(value)
        if code in ("record", "union"):
            return of_record(v)
        if code == "array":
            return Line(value) if v.type.element().code in ("char", "wide") and v.type.element().name in ("char", "wchar_t", "char16_t", "char32_t") else listed(v)
        if code == "member" or code == "pointer" and v.type.pointee().name == "char":
            return Line(v.v)
    except UNREADABLE + (gdb.error, gdb.MemoryError, RuntimeError):
        return Line(value) if kind.code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION) else original(value)
    return original(value)


def listed(v):
    return Listed(v.v, Sequence(v.type.count, v.element))


def of_record(v):
    held = readable(v.v)
    if isinstance(held, Sequence):
        return Listed(v.v, held)
    if isinstance(held, Held) and held.value is not None:
        inner = held.value
        if inner.type.code == "record" and not inner.type.name.startswith("std::"):
            return Parts(v.v, lambda: members(inner.v))
        return Parts(v.v, lambda: [("value", inner.v)])
    if held is not None or v.type.name.startswith("std::") and in_words(v.v) == UNSET:
        return Line(v.v)
    return Parts(v.v, lambda: members(v.v))


class Scope:
    """The names that the chosen frame knows."""

    def variable(self, name):
        try:
            nearer = declared.variable(gdb.selected_frame(), name)
            found = gdb.parse_and_eval(name) if nearer is None else nearer
        except (gdb.error, gdb.MemoryError):
            return None
        if found.type.code == gdb.TYPE_CODE_FUNC:
            return None
        if found.type.strip_typedefs().code == gdb.TYPE_CODE_ENUM and not found.address and not found.is_lazy:
            kind = Type(found.type)
            return Int(int(found), 8 * kind.size, kind.signed, True)
        return Value(found, name)

    def call(self, of, name, arguments):
        """Runs a method of the program's, as gdb does."""
        if not hasattr(of, "type"):
            raise Foreign("a call of %s" % name)
        at = of.declared.address if of.declared is not None else gdb.Value(of.address).cast(of.type.t.pointer())
        gdb.set_convenience_variable("aidb_of", at)
        try:
            return Value(gdb.parse_and_eval("$aidb_of->%s(%s)" % (name, ", ".join(written(a) for a in arguments))))
        except gdb.error as wrong:
            raise Wrong(str(wrong)) from wrong


def written(argument):
    if isinstance(argument, bool):
        return str(argument).lower()
    if isinstance(argument, (Int, Real)):
        return repr(argument.value)
    if isinstance(argument, Address):
        return "((void *)%d)" % argument.value
    raise Foreign("an argument that is more than a number")


def truth(value):
    """A truth, which is a number in C."""
    try:
        return gdb.Value(value).cast(gdb.lookup_type("bool"))
    except gdb.error:
        return gdb.Value(int(value)).cast(gdb.lookup_type("int"))


SIZES = {8: "char", 16: "short", 32: "int", 64: "long", 128: "__int128"}


def native(value):
    """A value of gdb's for what an expression has given."""
    if isinstance(value, Value):
        return value.v
    if isinstance(value, bool):
        return truth(value)
    if isinstance(value, Int):
        name = SIZES[value.bits] if value.char and value.bits == 8 else ("" if value.signed else "unsigned ") + SIZES[value.bits]
        if value.bits == 128:
            return gdb.Value(value.value.to_bytes(16, "little", signed=value.signed), gdb.lookup_type(name))
        return gdb.Value(value.value).cast(gdb.lookup_type(name))
    if isinstance(value, Real):
        return gdb.Value(value.value).cast(gdb.lookup_type("float" if value.bits == 32 else "double"))
    if isinstance(value, Address):
        to = value.of.t if value.of is not None else gdb.lookup_type("void")
        return gdb.Value(value.value).cast(to.pointer())
    if isinstance(value, (Literal, Text)):
        if value.width != 1:
            raise Foreign("a wide text")
        data = value.data() + b"\0"
        return gdb.Value(data, gdb.lookup_type("char").array(len(data) - 1))
    if isinstance(value, str):
        return native(Literal(value.encode()))
    raise Foreign("it is nothing that can be shown")


class Expression(gdb.Function):
    """$aidb("DIGITS"): the value of an expression, as ours or as gdb's; its text in hexadecimal digits."""

    def __init__(self):
        super().__init__("aidb")

    def invoke(self, digits):
        text = bytes.fromhex(digits.string()).decode("utf-8")
        try:
            return native(Evaluator(Scope(), text).whole())
        except Foreign:
            return self.own(text)
        except Wrong as wrong:
            raise gdb.GdbError(str(wrong)) from wrong
        except (Nonsense, RecursionError) as wrong:
            raise gdb.GdbError("a value in it cannot be read: it is not initialized, or damaged (%s)" % wrong) from wrong

    @staticmethod
    def own(text):
        try:
            declared.refuse(gdb.selected_frame(), text)
        except Wrong as wrong:
            raise gdb.GdbError(str(wrong)) from wrong
        return gdb.parse_and_eval(text)


Expression()
gdb.printing.make_visualizer = visualizer
