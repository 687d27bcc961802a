"""Which variables of a frame of Rust have no value where that stands, under LLDB, though the debug information
names a place for them."""

import re

from aidb.debugger.interface import Nonsense
from aidb.debugger.lldb.rust_values import Value
from aidb.rust.living import FAR, IN_PART, NOT_KEPT, NOT_STORED, NOWHERE, RED
from aidb.rust.memory import last_part, pointer

WAITS = re.compile(r"\{async_\w+_env#\d+\}")
AWAY = re.compile(r"not available|optimized out")


def unset(frame, v):
    """Why a variable cannot be read in a frame; empty where it can."""
    if not v.placed():
        return NOWHERE if AWAY.search(v.failure()) else ""
    if not in_frame(frame, v.address):
        return IN_PART if in_part(frame, v) else ""
    if begins(frame):
        return NOT_STORED
    return NOT_KEPT if resumed(frame) and spans(frame, v.name) else ""


def in_part(frame, v):
    """Says that a variable of a closure is the first element of what a function above it has by a reference with a length."""
    if "closure" not in (frame.GetFunctionName() or "") or v.count:
        return False
    thread, depth = frame.GetThread(), frame.GetFrameID()
    for i in range(depth + 1, min(depth + FAR, thread.GetNumFrames())):
        around = thread.GetFrameAtIndex(i).FindVariable(v.name)
        data = Value(around).member("data_ptr") if around.IsValid() else None
        if data is not None and data.unsigned() == v.address:
            return True
    return False


def in_frame(frame, address):
    """Says that an address is of the frame's own part of the stack."""
    return frame.GetSP() - RED <= address < frame.GetCFA()


def begins(frame):
    """Says that a function is where it still stores what it was given."""
    function = frame.GetFunction()
    if frame.GetFrameID() != 0 or not function.IsValid():
        return False
    start, target = function.GetStartAddress(), frame.GetThread().GetProcess().GetTarget()
    size = function.GetPrologueByteSize()
    end = start.GetLoadAddress(target) + size if size else start.GetLineEntry().GetEndAddress().GetLoadAddress(target)
    return frame.GetPC() < end


def arguments(frame):
    return frame.GetVariables(True, False, False, True)


def resumed(frame):
    """Says that an async function goes on after it has waited: of its stack is there only what it
    has stored since. What it keeps lies elsewhere."""
    for v in map(Value, arguments(frame)):
        if WAITS.search(v.type.name):
            try:
                held = pointer(v)
                return last_part(held.at("held", held.unsigned(), held.type.pointee()).variant().type.name) != "Unresumed"
            except (Nonsense, ValueError, AttributeError):
                return True
    return False


spanning = {}


def spans(frame, name):
    """Says that the function may wait while a variable is in sight."""
    target, block = frame.GetThread().GetProcess().GetTarget(), frame.GetBlock()
    while block.IsValid():
        if any(v.GetName() == name for v in block.GetVariables(target, True, True, False)):
            key = tuple(block.GetRangeEndAddress(i).GetLoadAddress(target) for i in range(block.GetNumRanges())), name
            if key not in spanning:
                spanning[key] = waits(block, target)
            return spanning[key]
        block = block.GetParent()
    return False


def waits(block, target):
    inner = block.GetFirstChild()
    while inner.IsValid():
        if any(v.GetName() == "__awaitee" for v in inner.GetVariables(target, True, True, False)) or waits(inner, target):
            return True
        inner = inner.GetSibling()
    return False
