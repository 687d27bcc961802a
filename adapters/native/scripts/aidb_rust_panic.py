"""What a Rust program panics with."""

import re

import lldb

CATCH = re.compile(r"^std::panic::catch_unwind\b|^std::panicking::(catch_unwind|try)\b")
LIBRARY = re.compile(r"^/rustc/|/rustlib/src/rust/|/\.cargo/(registry|git)/|^library/")


def users(frame):
    """Says that a frame is of the user's own code."""
    spec = frame.GetLineEntry().GetFileSpec()
    if not spec.IsValid():
        return False
    return not LIBRARY.search((spec.GetDirectory() or "") + "/" + (spec.GetFilename() or ""))


def panic(target, thread):
    """What a stop is about: a panic, with its message and whether the user's code
    catches it; the beginning of the C runtime's main; or neither."""
    process = target.GetProcess()
    thread = process.GetThreadByID(int(thread)) if int(thread) else process.GetSelectedThread()
    top = thread.GetFrameAtIndex(0)
    if (top.GetFunctionName() or "").split("::")[-1].split("(")[0] != "rust_panic":
        if again(target, thread):
            return {"panic": False, "again": True}
        start = top.GetFunctionName() == "main" and not top.GetLineEntry().GetFileSpec().IsValid()
        return {"panic": False, "start": start}
    caught, inner = False, None
    for i in range(1, min(thread.GetNumFrames(), 400)):
        frame = thread.GetFrameAtIndex(i)
        name = frame.GetFunctionName() or ""
        if inner and not CATCH.match(name):
            caught = caught or users(frame)
        inner = CATCH.match(name)
    return {"panic": True, "message": payload(process, top), "caught": caught}


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
            if other.GetID() != here.GetID() and at_.GetOffset() < place.GetOffset() and same(at_, place) and other.IsEnabled():
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
    """The words of a panic. Its payload comes in the first two registers: where
    it is, and a table of functions that begins with (…, size, alignment)."""
    at_, table = (frame.FindRegister(name).GetNonSyntheticValue().GetValueAsUnsigned() for name in ("arg1", "arg2"))
    error = lldb.SBError()

    def word(address):
        n = process.ReadUnsignedFromMemory(address, 8, error)
        return n if error.Success() else 0
    size = word(table + 8)
    words = [word(at_ + 8 * i) for i in range(4)]
    if size == 16:
        tries = [(words[0], words[1])]       # &'static str
    elif size == 32:
        tries = [(words[1], words[2]), (words[2], words[3])]  # a String and a reference
    else:
        return ""
    for start, length in tries:
        if 0 < length < 1 << 16:
            data = process.ReadMemory(start, length, error)
            if error.Success() and data:
                try:
                    return data.decode("utf-8")
                except UnicodeDecodeError:
                    continue
    return ""
