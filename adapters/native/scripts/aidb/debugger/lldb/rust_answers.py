"""What the command aidb answers about Rust, under LLDB."""

import lldb

from aidb.debugger.lldb import registers
from aidb.debugger.lldb.rust_frames import Frame
from aidb.debugger.lldb.rust_values import Value
from aidb.rust.expression import Evaluator, evaluate
from aidb.rust.meaning import Reference, Wrong, children, plain, shown
from aidb.rust.memory import kind_of
from aidb.rust.words import Words


def place(frame, text):
    """The variable, or part of one, that an expression names."""
    value = Evaluator(Frame(frame), text).whole()
    if isinstance(value, Reference):
        value = value.value
    if not isinstance(value, Value):
        raise Wrong("%s is no variable" % text)
    return value


def found(frame, text):
    """The same, as LLDB has it."""
    return place(frame, text).v


def compute(frame, _, to, text):
    """Gives a variable the value of an expression; says whether that went well."""
    got = plain(Evaluator(Frame(frame), text).whole())
    if isinstance(got, (bool, str)):
        if Value(to).type.name != ("bool" if isinstance(got, bool) else "char32_t") or isinstance(got, str) and len(got) != 1:
            return False
        got = int(got) if isinstance(got, bool) else ord(got)
    return to.SetValueFromCString(str(got))


def value(target, frame, digits):
    """An expression's value in words, with its type, in a frame that lldb-dap has numbered."""
    thread, rank = divmod(int(frame), 1 << 19)
    frame = target.GetProcess().GetThreadByIndexID(thread).GetFrameAtIndex(rank)
    got = evaluate(bytes.fromhex(digits).decode("utf-8"), Frame(frame))
    if isinstance(got, Value):
        return {"value": Words().of(got), "type": got.type.name}
    kinds = {bool: "bool", int: "long", float: "double", str: "&str", type(None): "()"}
    return {"value": "()" if got is None else shown(got), "type": kinds.get(type(got), "")}


def returned(target, thread):
    """What the function returned that a thread has just stepped out of, if it gave a value."""
    at = target.GetProcess().GetThreadByID(int(thread))
    got = at.GetStopReturnValue()
    if not got.IsValid():
        return {}
    if target.GetTriple().startswith("x86_64") and 0 < got.GetByteSize() <= registers.MOST:  # LLDB takes it for what C gives
        try:
            raw, holder = registers.given(at.GetFrameAtIndex(0), got.GetType(), True), lldb.SBData()
        except registers.Spread:
            return {"registers": True}
        holder.SetDataWithOwnership(lldb.SBError(), raw, lldb.eByteOrderLittle, 8)
        got = Value(target.CreateValueFromData("result", holder, got.GetType()))
        return {"value": Words().of(got), "type": got.type.name, "registers": True}
    return {"value": Words().of(Value(got)), "type": Value(got).type.name}


def page(target, frame, path, start, count):
    """Entries of a long map, set or linked list; nothing of what an expression with a range pages."""
    c = children(place(frame, path))
    if not c.items or kind_of(c.v) in ("vec", "slice", "array", "str", "string"):
        return []
    out = []
    for i in range(int(start), min(int(start) + int(count), c.count)):
        entry = c.items(i)
        out.append({"name": entry.name, "type": entry.v.GetDisplayTypeName() or "", "value": Words().of(entry)})
    return out
