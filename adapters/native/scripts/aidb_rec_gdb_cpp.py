"""Values and expressions of C and C++ for the recorder in gdb: those of sessions, without
calls of the program's functions."""

import re

import aidb_rec_source as source
import gdb
from aidb_cpp_expression import TOKEN, Evaluator
from aidb_cpp_gdb import UNREADABLE, Value
from aidb_cpp_meaning import truth as true_of
from aidb_cpp_numbers import Foreign, Wrong
from aidb_cpp_values import Nonsense
from aidb_cpp_words import Words
from aidb_gdb_values import Scope, native

NAME = re.compile(r"^[A-Za-z_]\w*$")


class Names(Scope):
    def __init__(self, frame, block=None):
        self.frame, self.block = frame, block

    def variable(self, name):
        if NAME.match(name):
            try:
                found = self.frame.read_var(name, self.block) if self.block is not None else self.frame.read_var(name)
                return Value(found, name) if found.type.code != gdb.TYPE_CODE_FUNC else None
            except (ValueError, *UNREADABLE):
                pass
        return super().variable(name)

    def call(self, of, name, arguments):
        raise Wrong("%s() is a call of the program's, and none are made while it is recorded" % name)


def token():
    return TOKEN


def worked_out(frame, text, pure, block=None):
    try:
        return Evaluator(Names(frame, block), text).whole()
    except Foreign:
        if pure:
            raise Wrong("it is nothing that is read here")
    except (Nonsense, RecursionError) as wrong:
        raise Wrong("a value in it cannot be read: it is not initialized, or damaged (%s)" % wrong)
    try:
        return Value(gdb.parse_and_eval(text))
    except UNREADABLE as wrong:
        raise Wrong(str(wrong))


def evaluated(frame, text, pure, block=None):
    """The value in words, and where it lies: address, size, type."""
    if NAME.match(text):
        got = Names(frame, block).variable(text)
        if got is None:
            raise Wrong('No symbol "%s" in current context.' % text)
    else:
        got = worked_out(frame, text, pure, block)
    if isinstance(got, Value):
        at = (got.address, got.type.size, got.type.name) if got.placed() and got.type.size else None
        return words(got), at
    try:
        return words(native(got)), None
    except (Foreign, *UNREADABLE) as wrong:
        raise Wrong(str(wrong))


def words(v):
    if not isinstance(v, Value):
        v = Value(v)
    failure = v.failure()
    if failure:
        raise Wrong(failure)
    return Words().of(v)


def truth(frame, text):
    got = worked_out(frame, text, False)
    try:
        return true_of(got)
    except (Foreign, Nonsense) as wrong:
        raise Wrong(str(wrong))


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
    bare = of.name.split("<")[0].split("::")[-1] if of.name else ""
    for m in of.methods() if hasattr(of, "methods") else ():
        if m.name and m.name.startswith("~"):
            return False
    for f in of.fields():
        kind = f.type.strip_typedefs()
        if f.name and f.name.startswith("_vptr"):
            return False
        if kind.code == gdb.TYPE_CODE_STRUCT and not trivial(kind):
            return False
    return not (of.name or "").startswith(("std::__cxx11", "std::vector", "std::map", "std::unique_ptr", "std::shared_ptr")) and bare is not None
