"""Our reading of Rust's values and expressions, on gdb's interface; without gdb's adapter."""

import sys

from aidb.debugger.gdb import as_lldb as lldb
import gdb

sys.modules["lldb"] = lldb

from aidb.debugger.gdb import rust_living  # noqa: E402
from aidb.rust import expression  # noqa: E402
from aidb.rust import library  # noqa: E402
from aidb.rust import living  # noqa: E402
from aidb.rust import words  # noqa: E402


def behind(v, owner=words.owner):
    """The value behind a trait object, which gdb finds itself if its type is known."""
    gdb.set_convenience_variable("aidb_object", v.v)
    try:
        inner = gdb.parse_and_eval("*$aidb_object")
    except lldb.UNREADABLE:
        inner = None
    if inner is not None and inner.type != v.v.type:
        return lldb.SBValue(inner, "*")
    return owner(v, int(v.v["vtable"]), int(v.v["pointer"]))


def passed(t, argument, full):
    """An argument of a call."""
    if isinstance(argument, expression.Reference):
        argument = argument.value.AddressOf()
    if t.IsPointerType() and isinstance(argument, lldb.SBValue) and argument.GetType().IsPointerType():
        return argument.v
    if not expression.simple(t):
        raise expression.Wrong("%s takes a %s, and only functions of numbers and references can be called; step into a call instead" % (full, t.GetName()))
    return gdb.Value(expression.arithmetic(argument)).cast(t.t)


def run(_frame, f, _takes, _gives, arguments):
    try:
        return lldb.SBValue(f.symbol.value()(*arguments), "")
    except lldb.UNREADABLE as wrong:
        return lldb.SBValue(None, wrong=str(wrong))


def wide_number(_, n):
    """A number that does not fit 64 bits with a sign."""
    of = gdb.lookup_type("u64" if 0 <= n < 1 << 64 else "u128" if n >= 1 << 127 else "i128")
    return lldb.SBValue(gdb.Value(n.to_bytes(of.sizeof, "little", signed=n < 0), of))


words.behind = behind
living.unset = rust_living.unset
words.vtable_name = lambda _v, _address: ""  # gdb itself finds what lies behind a known one
library.enumerators = lambda t: {f.enumval: f.name.split("::")[-1] for f in t.t.fields()}
expression.wide_number = wide_number
expression.passed = passed
expression.run = run
