"""Which variables of a frame have no value where that stands, though the debug information
names a place for them."""

import re

import lldb

from aidb.rust.memory import *  # noqa: F403

WAITS = re.compile(r"\{async_\w+_env#\d+\}")
RED = 128  # bytes below the stack pointer that a function which calls none may use
NOT_STORED = "the function has not stored it yet"
NOWHERE = "at this instruction the debug information does not say where it is"
AWAY = re.compile(r"not available|optimized out")
NOT_KEPT = "its function may have waited since it got its value, and not have kept it"
IN_PART = "the debug information has the first element only of a text or slice that a closure refers to: the frame of the function around it has all"
FAR = 16  # frames above a closure's in which the function around it is looked for


def unset(frame, v):
    """Why a variable cannot be read in a frame; empty where it can."""
    at_ = v.GetLoadAddress()
    if at_ == lldb.LLDB_INVALID_ADDRESS:
        return NOWHERE if AWAY.search(v.GetError().GetCString() or "") else ""
    if not in_frame(frame, at_):
        return IN_PART if in_part(frame, v, at_) else ""
    if begins(frame):
        return NOT_STORED
    return NOT_KEPT if resumed(frame) and spans(frame, v.GetName() or "") else ""


def in_part(frame, v, address):
    """Says that a variable of a closure is the first element of what a function above it has by a reference with a length."""
    if "closure" not in (frame.GetFunctionName() or "") or raw(v).GetNumChildren():
        return False
    thread, depth = frame.GetThread(), frame.GetFrameID()
    for i in range(depth + 1, min(depth + FAR, thread.GetNumFrames())):
        around = thread.GetFrameAtIndex(i).FindVariable(v.GetName() or "")
        data = raw(around).GetChildMemberWithName("data_ptr") if around.IsValid() else around
        if data.IsValid() and data.GetValueAsUnsigned() == address:
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
    for v in arguments(frame):
        if WAITS.search(type_name(v)):
            try:
                held = pointer(raw(v))
                return last_part(type_name(active(raw(at(held, "held", held.GetValueAsUnsigned(), held.GetType().GetPointeeType()))))) != "Unresumed"
            except (Nonsense, ValueError, AttributeError):
                return True
    return False


spanning = {}


def spans(frame, name):
    """Says that the function may wait while a variable is in sight."""
    target, block = frame.GetThread().GetProcess().GetTarget(), frame.GetBlock()
    while block.IsValid():
        if any(v.GetName() == name for v in block.GetVariables(target, True, True, False)):
            key = block.GetRangeStartAddress(0).GetLoadAddress(target), name
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
