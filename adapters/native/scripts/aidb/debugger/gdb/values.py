"""gdb's values as aidb.cpp.values reads them."""

import gdb

from aidb.debugger import interface
from aidb.debugger.gdb.declared import line_of, symbols
from aidb.debugger.interface import Nonsense

UNREADABLE = (gdb.error, gdb.MemoryError, RuntimeError, OverflowError, ValueError)
CODES = {
    gdb.TYPE_CODE_STRUCT: "record", gdb.TYPE_CODE_UNION: "union", gdb.TYPE_CODE_ENUM: "enum", gdb.TYPE_CODE_PTR: "pointer",
    gdb.TYPE_CODE_ARRAY: "array", gdb.TYPE_CODE_FUNC: "function", gdb.TYPE_CODE_BOOL: "bool", gdb.TYPE_CODE_FLT: "float",
    gdb.TYPE_CODE_VOID: "void", gdb.TYPE_CODE_MEMBERPTR: "member", gdb.TYPE_CODE_METHODPTR: "member", gdb.TYPE_CODE_CHAR: "wide",
}
WIDE = ("wchar_t", "char16_t", "char32_t", "char8_t")


def doubtful(method):
    """What gdb cannot read is nonsense."""

    def within(*arguments):
        try:
            return method(*arguments)
        except UNREADABLE as wrong:
            raise Nonsense(str(wrong)) from wrong

    return within


class Type(interface.CppType):
    """A type, without const and other names of it."""

    def __init__(self, t):
        self.t = t.strip_typedefs().unqualified()
        self.name = self.t.name or str(self.t)

    @property
    def size(self):
        return self.t.sizeof or 0

    @property
    def align(self):
        return self.t.alignof or 1

    @property
    def code(self):
        if self.name in WIDE:
            return "wide"
        if self.t.code == gdb.TYPE_CODE_INT:
            return "char" if self.t.sizeof == 1 else "int"
        return CODES.get(self.t.code, "other")

    @property
    def signed(self):
        return self.code != "pointer" and self.t.is_signed if self.t.is_scalar else False

    def argument(self, i):
        try:
            of = self.t.template_argument(i)
        except (RuntimeError, gdb.error):
            return None
        return type(self)(of) if isinstance(of, gdb.Type) else None

    def pointee(self):
        return type(self)(self.t.target())

    element = pointee

    @property
    def count(self):
        low, high = self.t.range()
        return max(high - low + 1, 0)

    def enumerators(self):
        return {f.name: f.enumval for f in self.t.fields()}


class Value(interface.CppValue):
    declared = None  # of what a pointer leads to: the value as the type of the pointer says, which is another for a base

    def __init__(self, v, name="", base=False):
        if v.type.strip_typedefs().code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
            v = v.referenced_value()
        self.v, self.name, self.unnamed = v, name, base
        self.type = Type(v.type)

    word = 8

    @property
    def address(self):
        if self.v.address is None:
            raise Nonsense("it does not lie in memory")
        return int(self.v.address)

    def failure(self):
        return "optimized out" if self.v.is_optimized_out else ""

    @doubtful
    def member(self, name):
        v = self.v.dereference() if self.type.code == "pointer" else self.v
        for of in (v.type, v.dynamic_type):
            found = self.below(v if of == v.type else v.cast(of), of.strip_typedefs(), name)
            if found is not None:
                return found
        return None

    @classmethod
    def below(cls, v, of, name):
        """A member of a record, or of its bases and of its parts without a name."""
        if of.code not in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
            return None
        fields = of.fields()
        for f in fields:
            if f.name == name and not f.is_base_class:
                part = cls(v[f], name)
                part.bits = bool(getattr(f, "bitsize", 0))
                return part
        for f in fields:
            if f.is_base_class or not f.name:
                found = cls.below(v[f], f.type.strip_typedefs(), name)
                if found is not None:
                    return found
        return None

    @doubtful
    def children(self, most=1 << 30):
        out = []
        for f in self.type.t.fields():
            if len(out) >= most:
                break
            if hasattr(f, "bitpos") and not f.artificial and not (f.name or "").startswith("_vptr") and not (f.is_base_class and not f.type.fields()):
                out.append(Value(self.v[f], f.name or "", f.is_base_class or not f.name))
        return out

    @doubtful
    def bases(self):
        return [Value(self.v[f], f.name, True) for f in self.type.t.fields() if f.is_base_class]

    def placed(self):
        return self.v.address is not None

    @doubtful
    def contents(self):
        return bytes(self.v.bytes)

    @doubtful
    def number(self):
        n = int(self.v.cast(gdb.lookup_type("unsigned long")) if self.type.code == "pointer" else self.v)
        return n & (1 << 8 * self.type.size) - 1

    @doubtful
    def integer(self):
        return int(self.v)

    @doubtful
    def real(self):
        return float(self.v)

    @doubtful
    def scalar_words(self):
        words = self.v.format_string(max_elements=12)
        return words.rsplit("::", 1)[-1] if self.type.code == "enum" and "|" not in words else words

    def member_name(self, _far):
        """The member that a pointer to members means."""
        words = self.scalar_words()
        return words[1:] if words.startswith("&") else ""

    @doubtful
    def symbol(self):
        block = gdb.block_for_pc(self.number())
        while block is not None and block.function is None:
            block = block.superblock
        if block is not None:
            return block.function.print_name
        words = self.v.format_string()
        return words.split("<", 1)[1].rsplit(">", 1)[0] if "<" in words else ""

    def readable(self, address):
        try:
            gdb.selected_inferior().read_memory(address, 1)
        except UNREADABLE:
            return False
        return True

    @doubtful
    def memory(self, address, size):
        return bytes(gdb.selected_inferior().read_memory(address, size)) if size else b""

    def c_text(self, address, most):
        while True:
            try:
                return self.memory(address, most)
            except Nonsense:  # the end of a mapping
                if most <= 1:
                    raise
                most //= 2

    def pointer_at(self, address):
        return int.from_bytes(self.memory(address, self.word), "little")

    @doubtful
    def at(self, name, address, of):
        return Value(gdb.Value(address).cast(of.t.pointer()).dereference(), name)

    def named(self, name):
        return Value(self.v, name, self.unnamed)

    def reach(self):
        try:
            frame = gdb.selected_frame()
        except gdb.error:
            return
        for _ in range(interface.CALLERS):
            for s in symbols(frame):
                if (s.is_variable or s.is_argument) and not line_of(frame, s):
                    yield Value(s.value(frame), s.name)
            frame = frame.older()
            if frame is None:
                return

    def boolean(self, name, truth):
        return Value(gdb.Value(truth).cast(gdb.lookup_type("bool")), name)

    @doubtful
    def deref(self):
        if not self.number():
            raise Nonsense("nullptr")
        v = self.v
        if self.type.pointee().code == "record":
            v = v.cast(v.dynamic_type)
        found = Value(v.dereference())
        found.declared = self.v.dereference()
        return found

    @doubtful
    def element(self, i):
        return Value(self.v[i], "[%d]" % i)
