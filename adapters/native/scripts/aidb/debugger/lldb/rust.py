"""How LLDB shows Rust programs: values as Rust writes them, expressions of Rust,
and what a program panics with."""

import lldb

from aidb.debugger.lldb import command
from aidb.debugger.lldb.rust_answers import compute, found, page, returned, value
from aidb.debugger.lldb.rust_frames import Frame, wide_number
from aidb.debugger.lldb.rust_panic import failing as leaves
from aidb.debugger.lldb.rust_panic import panic, sides
from aidb.debugger.lldb.rust_values import Value
from aidb.rust import children, expression
from aidb.rust.memory import kind_of
from aidb.rust.moved import of_all
from aidb.rust.words import NOT_READABLE, Words


class Children:
    """The parts of a value, as LLDB asks for them."""

    def __init__(self, v, _internal):
        self.parts = children.Children(Value(v))

    def update(self):
        self.parts.read()
        return False

    def has_children(self):
        return self.num_children() > 0

    def num_children(self, limit=1 << 30):
        return self.parts.shown(limit)

    def get_child_at_index(self, i):
        part = self.parts.part(i)
        return part.v if part is not None else None

    def get_child_index(self, name):
        return self.parts.rank_of(name)


def scalar_summary(v, _internal):
    """Nothing, but of a variable that has no value yet, or not any more."""
    return missing(v)


def missing(v):
    """What is shown in the place of a variable that cannot be read, or not all of it; empty for others."""
    v = v.GetNonSyntheticValue()
    frame = v.GetFrame() if v.GetValueType() in (lldb.eValueTypeVariableArgument, lldb.eValueTypeVariableLocal) else None
    if frame is None or not frame.IsValid():
        return ""
    said = NOT_READABLE if Frame(frame).unset(Value(v)) else of_all(Frame(frame).moved(Value(v)))
    found = frame.FindVariable(v.GetName() or "") if said else v
    return said if found.IsValid() and found.GetLoadAddress() == v.GetLoadAddress() else ""


def summary(v, _internal):
    gone = missing(v)
    if gone:
        return gone
    v = Value(v)
    kind = kind_of(v)
    if kind == "group" or kind == "scalar" and v.type.code != "wide" and v.type.size <= 8:
        return ""
    text = Words().of(v)
    return text if len(text) <= 2000 else text[:1999] + "…"


def evaluate_hex(digits):
    """The value of an expression in the frame that LLDB has chosen. It is given in digits, so that nothing on its
    way takes a part of it for its own."""
    got = expression.evaluate(bytes.fromhex(digits).decode("utf-8"), Frame(lldb.frame))
    if isinstance(got, Value):
        got.v.SetPreferSyntheticValue(True)
        return got.v
    if isinstance(got, int) and not -(1 << 63) <= got < 1 << 63:
        return wide_number(lldb.frame.GetThread().GetProcess().GetTarget(), got)
    return got


def failing(frame, location, _):
    """The condition of the breakpoint on what ? calls. Places that are none of a test's
    are switched off, for a program may come to them often."""
    if leaves(frame):
        return True
    if location.GetHitCount() > 100 or "result" not in (frame.GetFunctionName() or "").split("from_residual")[0].lower():
        location.SetEnabled(False)
    return False


def begin(debugger):
    run = debugger.HandleCommand
    # All types but plain numbers: the others have a path, or a sign, in their names.
    run('type synthetic add --category AidbRust -x "[<:(&*{[]" -l aidb.debugger.lldb.rust.Children')
    run('type summary add --category AidbRust -e -x "[<:(&*{[]" -F aidb.debugger.lldb.rust.summary')
    run('type summary add --category AidbRust -e -x "^char32_t$" -F aidb.debugger.lldb.rust.summary')
    scalar = "^((unsigned )?(char|short|int|long|__int128)|signed char|bool|float|double)$"
    run('type summary add --category AidbRust -e -x "%s" -F aidb.debugger.lldb.rust.scalar_summary' % scalar)
    run('type summary add --category AidbRust -s "()" void')
    run('type format add --category AidbRust -f u "unsigned char"')
    run('type format add --category AidbRust -f d "char" "signed char"')
    run("type category disable Rust")
    run("type category enable AidbRust")
    command.KNOWN["panic"] = panic
    command.KNOWN["sides"] = sides
    command.KNOWN["value"] = value
    command.KNOWN["page"] = page
    command.KNOWN["returned"] = returned
    command.found = found
    command.compute = compute
