"""Values and expressions of C and C++ for the recorder in gdb."""

import re

import gdb
from aidb_cpp_gdb import UNREADABLE, Value
from aidb_cpp_numbers import Wrong
from aidb_gdb_values import Scope, native
import aidb_rec_cpp

NAME = re.compile(r"^[A-Za-z_]\w*$")


class Names(aidb_rec_cpp.Uncalled, Scope):
    def __init__(self, frame, block):
        self.frame, self.block = frame, block

    def variable(self, name):
        if NAME.match(name):
            try:
                found = self.frame.read_var(name, self.block) if self.block is not None else self.frame.read_var(name)
                return Value(found, name) if found.type.code != gdb.TYPE_CODE_FUNC else None
            except (ValueError, *UNREADABLE):
                pass
        return super().variable(name)


class Expressions(aidb_rec_cpp.Expressions):
    Value, unreadable, names = Value, UNREADABLE, Names

    def evaluated(self, frame, text, pure, block=None):
        if not NAME.match(text):
            return super().evaluated(frame, text, pure, block)
        got = Names(frame, block).variable(text)
        if got is None:
            raise Wrong('No symbol "%s" in current context.' % text)
        return self.placed(frame, got)

    def compiled(self, _frame, text):
        try:
            return gdb.parse_and_eval(text)
        except UNREADABLE as wrong:
            raise Wrong(str(wrong))

    def native(self, _frame, got):
        return native(got)


expressions = Expressions()
words = expressions.words


def register_value(frame, of):
    """What a function gives, at the instruction that returns from it, as the System V ABI has it."""
    of = of.strip_typedefs()
    if of.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
        target = of.target()
        return words(gdb.Value(int(frame.read_register("rax")) % (1 << 64)).cast(target.pointer()).dereference())
    if of.code == gdb.TYPE_CODE_FLT and of.sizeof in (4, 8):
        raw = frame.read_register("xmm0")["v4_float" if of.sizeof == 4 else "v2_double"][0]
        return words(raw.cast(of))
    if of.code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
        if of.sizeof > 16 or not trivial(of):
            return words(gdb.Value(int(frame.read_register("rax")) % (1 << 64)).cast(of.pointer()).dereference())
        if any(f.type.strip_typedefs().code == gdb.TYPE_CODE_FLT for f in flat(of)):
            raise Wrong("the result is spread over registers")
        data = b"".join((int(frame.read_register(r)) % (1 << 64)).to_bytes(8, "little") for r in ("rax", "rdx"))
        return words(gdb.Value(data[: of.sizeof], of))
    if of.sizeof > 8:
        raise Wrong("the result is spread over registers")
    raw = (int(frame.read_register("rax")) % (1 << 64)).to_bytes(8, "little")[: of.sizeof]
    return words(gdb.Value(raw, of))


def flat(of):
    for f in of.fields():
        kind = f.type.strip_typedefs()
        if kind.code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
            yield from flat(kind)
        else:
            yield f


def trivial(of):
    """Says that a record is given in registers: nothing runs when it is copied or ends."""
    for m in of.methods() if hasattr(of, "methods") else ():
        if m.name and m.name.startswith("~"):
            return False
    for f in of.fields():
        kind = f.type.strip_typedefs()
        if f.name and f.name.startswith("_vptr"):
            return False
        if kind.code == gdb.TYPE_CODE_STRUCT and not trivial(kind):
            return False
    return not (of.name or "").startswith(("std::__cxx11", "std::vector", "std::map", "std::unique_ptr", "std::shared_ptr"))


def places(found):
    """Where a breakpoint of a line is set."""
    return {p.pc for p in found}
