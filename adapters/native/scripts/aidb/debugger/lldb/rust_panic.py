"""What a Rust program panics with, and where an error leaves a test, under LLDB."""

import lldb

from aidb.debugger.lldb.rust_frames import Frame
from aidb.debugger.lldb.rust_values import Process, Value
from aidb.debugger.lldb.ways import leads
from aidb.rust.panic import ASSERTS, FRAMES, NEAR, RESIDUAL, Place, compared, fails, meaning, words
from aidb.rust.words import Words


def place(frame):
    spec = frame.GetLineEntry().GetFileSpec()
    file = (spec.GetDirectory() or "") + "/" + (spec.GetFilename() or "") if spec.IsValid() else ""
    return Place(frame.GetFunctionName() or "", file, frame.GetLineEntry().GetLine())


def panic(target, thread):
    """What a stop is about: a panic, with its message and who catches it; the beginning
    of the C runtime's main; or neither."""
    process = target.GetProcess()
    thread = process.GetThreadByID(int(thread)) if int(thread) else process.GetSelectedThread()
    top = thread.GetFrameAtIndex(0)
    if (top.GetFunctionName() or "").split("::")[-1].split("(")[0] != "rust_panic":
        if failing(top):
            return {"panic": False, "failure": Words().of(Value(top.FindVariable("residual")))}
        if again(target, thread):
            return {"panic": False, "again": True}
        start = top.GetFunctionName() == "main" and not top.GetLineEntry().GetFileSpec().IsValid()
        return {"panic": False, "start": start}
    return {"panic": True, "message": payload(process, top), **meaning(above(top))}


def sides(target, thread):
    """The two values of an assert_eq! or assert_ne! that has failed, by what its function was given."""
    frame = target.GetProcess().GetThreadByID(int(thread)).GetFrameAtIndex(0)
    for _ in range(NEAR):
        if not frame.IsValid():
            break
        if ASSERTS.match(frame.GetFunctionName() or ""):
            return compared(Frame(frame))
        frame = frame.get_parent_frame()
    return {}


def above(frame):
    """Where the callers of a frame are, nearest first."""
    for _ in range(FRAMES):
        frame = frame.get_parent_frame()
        if not frame.IsValid():
            return
        yield place(frame)


def failing(frame):
    """Says that a frame is where a ? leaves the test with an error. It is the condition
    of a breakpoint on what ? calls."""
    if not RESIDUAL.search(frame.GetFunctionName() or "") or place(frame).users():
        return False
    awaits = frame.get_parent_frame().FindVariable("_task_context").IsValid()
    return fails(above(frame), awaits)


def again(target, thread):
    """Says that a thread stands at a second place of a line it has just stopped at:
    a macro such as println! makes several of one line, and LLDB stops at each. Such
    a place is switched off."""
    if thread.GetStopReason() != lldb.eStopReasonBreakpoint:
        return False
    repeated = False
    for i in range(0, thread.GetStopReasonDataCount(), 2):
        point = target.FindBreakpointByID(thread.GetStopReasonDataAtIndex(i))
        here = point.FindLocationByID(thread.GetStopReasonDataAtIndex(i + 1)) if point.IsValid() else None
        if here is None or not here.IsValid():
            return False
        place = here.GetAddress()
        for other in point:
            at_ = other.GetAddress()
            if other.GetID() != here.GetID() and at_.GetOffset() < place.GetOffset() and same(at_, place) and other.IsEnabled() and leads(target, at_, place):
                here.SetEnabled(False)
                repeated = True
                break
        else:
            return False
    return repeated


def same(a, b):
    """Says that two addresses are of the same function, inlined ones told apart, and line."""
    line = a.GetLineEntry()
    return (a.GetFunction() == b.GetFunction() and line.GetLine() == b.GetLineEntry().GetLine()
            and line.GetFileSpec() == b.GetLineEntry().GetFileSpec() and inlined(a) == inlined(b))


def inlined(address):
    block = address.GetBlock().GetContainingInlinedBlock()
    return (block.GetInlinedName(), block.GetInlinedCallSiteLine()) if block.IsValid() else None


def payload(process, frame):
    """The words of a panic, which comes in the first two registers."""
    held, table = (frame.FindRegister(name).GetNonSyntheticValue().GetValueAsUnsigned() for name in ("arg1", "arg2"))
    return words(Process(process.GetTarget()), held, table)
