"""Members of a record that are some bits of a number. LLDB writes over the bits
beside them; this leaves them as they are."""

import re

import lldb

from aidb.cpp.meaning import plain
from aidb.cpp.numbers import Int
from aidb.debugger.lldb import cpp_expression
from aidb.debugger.lldb.values import Type, Value

LAST = re.compile(r"^(?:(.*?)\s*(?:\.|->)\s*)?([A-Za-z_]\w*)$", re.DOTALL)


def find(frame, path):
    """The address of the record, the bits before the member, and the member; None where it is no bitfield."""
    m = LAST.match(path.strip())
    if m is None:
        return None
    whole, name = m.groups()
    if whole is None and frame.FindVariable(name).IsValid():
        return None
    if whole is None and not frame.FindVariable("this").IsValid():
        return None
    record = Value(cpp_expression.worked_out(frame, whole or "this"))
    if record.type.code == "pointer":
        record = record.deref()
    found = locate(record.type.t, name, 0)
    return (record, *found) if found is not None else None


def locate(of, name, before):
    """The place of a bitfield in a record, in bits, looked for in its bases and its parts without a name too."""
    of = of.GetCanonicalType()
    for i in range(of.GetNumberOfFields()):
        field = of.GetFieldAtIndex(i)
        if field.GetName() == name:
            return (before + field.GetOffsetInBits(), field) if field.IsBitfield() else None
    inner = [of.GetFieldAtIndex(i) for i in range(of.GetNumberOfFields())]
    inner = [f for f in inner if not f.GetName()] + [of.GetDirectBaseClassAtIndex(i) for i in range(of.GetNumberOfDirectBaseClasses())]
    for part in inner:
        found = locate(part.GetType(), name, before + part.GetOffsetInBits())
        if found is not None:
            return found
    return None


def number(frame, field, text):
    """The value that is to be set, as a number."""
    for member in field.GetType().GetCanonicalType().GetEnumMembers():
        if member.GetName() == text.rsplit("::", 1)[-1]:
            return member.GetValueAsSigned()
    value = plain(Value(cpp_expression.worked_out(frame, text)))
    if isinstance(value, bool):
        return int(value)
    if not isinstance(value, Int):
        raise RuntimeError("%s is no whole number" % text)
    return value.value


def assign(frame, path, text):
    """Sets a bitfield; says whether the path names one."""
    try:
        found = find(frame, path)
    except Exception:  # no record of which this could be a member
        return False
    if found is None:
        return False
    record, offset, field = found
    size, kind = field.GetBitfieldSizeInBits(), Type(field.GetType())
    value = number(frame, field, text)
    low, high = (-(1 << size - 1), (1 << size - 1) - 1) if kind.code in ("int", "char") and kind.signed else (0, (1 << size) - 1)
    if not low <= value <= high:
        raise RuntimeError("%s has %d bits: %d to %d fit in, not %d" % (path, size, low, high, value))
    at, shift = record.address + offset // 8, offset % 8
    count = (shift + size + 7) // 8
    mask = (1 << size) - 1
    old = int.from_bytes(record.memory(at, count), "little")
    new = old & ~(mask << shift) | (value & mask) << shift
    error = lldb.SBError()
    record.v.GetProcess().WriteMemory(at, new.to_bytes(count, "little"), error)
    if error.Fail():
        raise RuntimeError(error.GetCString())
    return True
