"""Values and expressions of Rust for the recorder in gdb: those of sessions, without calls
of the program's functions."""

import gdb
from aidb_gdb_rust_reading import expression, lldb
from aidb_rust_expression import TOKEN, Evaluator, Reference, Word, Wrong, shown
from aidb_rust_memory import Nonsense, raw
from aidb_rust_methods import Found
from aidb_rust_words import Words

UNREADABLE = lldb.UNREADABLE


def no_call(_frame, name, _arguments):
    raise Wrong("%s() is a call of the program's, and none are made while it is recorded" % name)


expression.call = no_call


def token():
    return TOKEN


class Frame(lldb.SBFrame):
    """A frame that sees what a block of its own does."""

    def __init__(self, frame, block):
        super().__init__(frame)
        self.block = block

    def FindVariable(self, name):
        if self.block is not None:
            symbol = gdb.lookup_symbol(name, self.block)[0]
            if symbol is not None and (symbol.is_variable or symbol.is_argument) and not lldb.deadly(symbol.type):
                return lldb.SBValue(symbol.value(self.f), name)
        return super().FindVariable(name)


def worked_out(frame, text, block=None):
    try:
        got = Evaluator(Frame(frame, block), text).whole()
    except Nonsense as wrong:
        raise Wrong("the value cannot be read: it is not initialized, or damaged (%s)" % wrong)
    except UNREADABLE as wrong:
        raise Wrong(str(wrong) or "it cannot be read")
    if isinstance(got, Found):
        got = got.whole()
    return got


def evaluated(frame, text, pure, block=None):
    got = worked_out(frame, text, block)
    if isinstance(got, Reference):
        return words(got.value), None
    if isinstance(got, lldb.SBValue):
        got = raw(got)
        at = got.GetLoadAddress()
        size = got.GetType().GetByteSize()
        place = (at, size, got.GetType().GetName()) if at != (1 << 64) - 1 and size and not hasattr(got, "untold") else None
        return words(got), place
    if isinstance(got, Word) and str(got) != "()" and pure:
        raise Wrong("it is no variable")
    return ("()" if got is None else shown(got)), None


def words(v):
    if not hasattr(v, "GetType"):
        v = lldb.SBValue(v)
    try:
        if v.v is not None and not hasattr(v, "untold") and v.v.is_optimized_out:
            raise Wrong("optimized out")
        return Words().of(v)
    except UNREADABLE as wrong:
        raise Wrong(str(wrong))


def truth(frame, text):
    got = expression.plain(worked_out(frame, text))
    if not isinstance(got, bool):
        raise Wrong("%s is neither true nor false" % shown(got))
    return got


def register_value(frame, of):
    """What a function gives, at the instruction that returns from it."""
    kind = of.strip_typedefs()
    if not kind.sizeof:
        return None
    low, high = (int(frame.read_register(r)) % (1 << 64) for r in ("rax", "rdx"))
    if kind.code == gdb.TYPE_CODE_FLT:
        return words(frame.read_register("xmm0")["v4_float" if kind.sizeof == 4 else "v2_double"][0].cast(of))
    if kind.sizeof > 16:
        return words(gdb.Value(low).cast(of.pointer()).dereference())
    if kind.sizeof > 8 and kind.code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION) and not pair(kind):
        raise Wrong("the result is spread over registers")
    data = low.to_bytes(8, "little") + high.to_bytes(8, "little")
    return words(gdb.Value(data[: kind.sizeof], of))


def pair(kind):
    """Says that a record of two words lies in two registers as it does in memory."""
    fields = [f for f in kind.fields() if hasattr(f, "bitpos") and f.type.sizeof]
    return len(fields) == 2 and all(f.type.sizeof == 8 and f.type.strip_typedefs().code != gdb.TYPE_CODE_FLT for f in fields)
