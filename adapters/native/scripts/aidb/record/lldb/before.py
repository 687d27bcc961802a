"""What an instruction could see that has just run in LLDB: it may have been the last of its block."""

import lldb


def before(frame, name, at=None):
    """The variable of a name where the instruction before was, or an earlier one; None where there is none. LLDB goes by
    where the frame is, so that is moved for as long as the variable is looked for."""
    thread, pc = frame.GetThread(), frame.GetPC()
    if frame.GetFrameID() != 0 or not frame.SetPC(at or pc - 1):
        return None
    try:
        found = thread.GetFrameAtIndex(0).FindVariable(name, lldb.eNoDynamicValues)
        return fixed(found) if found.IsValid() else None
    finally:
        thread.GetFrameAtIndex(0).SetPC(pc)


def fixed(v):
    """A value that does not follow the frame."""
    at = v.GetLoadAddress()
    if at != lldb.LLDB_INVALID_ADDRESS:
        return v.CreateValueFromAddress(v.GetName(), at, v.GetType())
    return v.CreateValueFromData(v.GetName(), v.GetData(), v.GetType())
