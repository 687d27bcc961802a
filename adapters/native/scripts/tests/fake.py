"""A program that is nothing but bytes and types, behind the interface of a debugger."""

import struct

from aidb.debugger import interface
from aidb.debugger.interface import Nonsense


class Type(interface.RustType):
    def __init__(self, name, size, code="record", members=(), arguments=(), to=None, count=0, signed=False, variants=None):
        self.name, self.size, self.code, self.members, self.arguments, self.to = name, size, code, list(members), arguments, to
        self.count, self.signed, self.variants = count, signed, variants
        self.tagged = variants is not None
        self.fields = [member for member, _, _ in self.members]

    def argument(self, i):
        return self.arguments[i] if i < len(self.arguments) else None

    def pointee(self):
        return self.to

    def element(self):
        return self.to

    def array(self, count):
        return Type("[%s; %d]" % (self.name, count), self.size * count, "array", to=self, count=count)

    def enumerators(self):
        return {}


def pointer_to(of, name=""):
    return Type(name or "*mut " + of.name, 8, "pointer", to=of)


def record(name, *members, **more):
    """A struct whose members, each a name and a type, lie one after the other."""
    at, placed = 0, []
    for member, of in members:
        placed.append((member, of, at))
        at += of.size
    return Type(name, at, members=placed, **more)


U8, U16, U32, U64 = (Type("u%d" % bits, bits // 8, "char" if bits == 8 else "int") for bits in (8, 16, 32, 64))
I8, I32, I64 = (Type("i%d" % bits, bits // 8, "char" if bits == 8 else "int", signed=True) for bits in (8, 32, 64))
F64, BOOL, CHAR = Type("f64", 8, "float"), Type("bool", 1, "bool"), Type("char", 4, "wide")


class Process(interface.Process):
    """Its memory is some pieces: bytes by their addresses."""

    def __init__(self, **symbols):
        self.pieces, self.symbols, self.next = {}, symbols, 0x1000

    def put(self, data):
        """Where these bytes lie."""
        at, self.next = self.next, self.next + len(data) + 64
        self.pieces[at] = bytearray(data)
        return at

    def memory(self, address, size):
        for at, data in self.pieces.items():
            if at <= address and address + size <= at + len(data):
                return bytes(data[address - at : address - at + size])
        if size:
            raise Nonsense("unreadable")
        return b""

    def symbol_at(self, address):
        return self.symbols.get("at_%x" % address)

    def find_type(self, name):
        return None

    def global_variable(self, path):
        return None

    def functions(self, name):
        return []

    def vtable_name(self, address):
        return ""

    def value(self, of, data, name="v"):
        """A variable that consists of these bytes."""
        return Value(self, of, self.put(data), name)


class Value(interface.RustValue):
    word = 8

    def __init__(self, process, of, address, name=""):
        self.process, self.type, self.address, self.name = process, of, address, name

    @property
    def count(self):
        return self.type.count if self.type.code == "array" else len(self.type.members)

    def placed(self):
        return True

    def part(self, i):
        if self.type.code == "array":
            return Value(self.process, self.type.to, self.address + i * self.type.to.size, "[%d]" % i)
        name, of, at = self.type.members[i]
        return Value(self.process, of, self.address + at, name)

    def member(self, name):
        return self.part(self.type.fields.index(name)) if name in self.type.fields else None

    def contents(self):
        return self.memory(self.address, self.type.size)

    def number(self):
        return int.from_bytes(self.contents(), "little")

    def unsigned(self):
        try:
            return self.number()
        except Nonsense:
            return 0

    def integer(self):
        return int.from_bytes(self.contents(), "little", signed=self.type.signed)

    def text(self):
        try:
            if self.type.code == "float":
                return repr(struct.unpack("<d", self.contents())[0])
            return {0: "false", 1: "true"}.get(self.number()) if self.type.code == "bool" else str(self.integer())
        except Nonsense:
            return None

    def memory(self, address, size):
        return self.process.memory(address, size)

    def at(self, name, address, of):
        self.memory(address, 1 if of.size else 0)
        return Value(self.process, of, address, name)

    def named(self, name):
        return Value(self.process, self.type, self.address, name)

    def deref(self):
        return self.at("*" + self.name, self.number(), self.type.to)

    def address_of(self):
        return self.process.value(pointer_to(self.type), self.address.to_bytes(8, "little"), "&" + self.name)

    def variant(self):
        return Value(self.process, self.type.variants[self.contents()[0]], self.address, "value")

    def concrete(self):
        return None


class Frame(interface.Frame):
    def __init__(self, process, function="", **variables):
        self.process, self.function, self.variables = process, function, variables

    def variable(self, name):
        return self.variables.get(name)

    def static(self, name):
        return None

    def unset(self, value):
        return ""

    def moved(self, value):
        return {}

    def call(self, function, arguments):
        raise Nonsense("nothing runs here")


# --- types of Rust's library, as rustc 1.8x lays them out ----------------------

STR = Type("&str", 16, members=[("data_ptr", pointer_to(U8), 0), ("length", U64, 8)])


def vec_of(of, name=""):
    inner = record("alloc::raw_vec::RawVecInner", ("cap", U64), ("ptr", pointer_to(U8)))
    buf = record("alloc::raw_vec::RawVec<%s>" % of.name, ("inner", inner))
    return record(name or "alloc::vec::Vec<%s>" % of.name, ("buf", buf), ("len", U64), arguments=(of,))


STRING = record("alloc::string::String", ("vec", vec_of(U8)))


def vec(process, items, capacity=None):
    """The bytes of a Vec that holds these, which are bytes too."""
    at = process.put(b"".join(items))
    return struct.pack("<QQQ", len(items) if capacity is None else capacity, at, len(items))


def string(process, text):
    return vec(process, [bytes([b]) for b in text.encode()])


def option_of(of):
    """An Option whose first byte says which it is; what it holds begins at the eighth."""
    none = Type("core::option::Option<%s>::None" % of.name, 8 + of.size)
    some = Type("core::option::Option<%s>::Some" % of.name, 8 + of.size, members=[("__0", of, 8)])
    return Type("core::option::Option<%s>" % of.name, 8 + of.size, variants=[none, some])
