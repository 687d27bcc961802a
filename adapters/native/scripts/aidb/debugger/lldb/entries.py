"""Breakpoints on functions whose body begins with a loop, under LLDB: the instruction at which the
arguments can be read is reached in every round, and only the first is a call."""


from aidb.record.common import jumps

looped = {}  # breakpoint: by place in the file, the breakpoint at which a call begins
coming = set()  # thread and frame of calls that have begun, and have not come to the body
conditions = {}  # breakpoint: its condition, which must not keep us from seeing a round


def guard(target, point, condition):
    """Has a breakpoint stop at calls only; says whether there is anything to guard."""
    release(target, point)
    starts = {}
    for location in point:
        start = begins(target, location.GetAddress())
        if start is not None:
            entry = target.BreakpointCreateBySBAddress(start)
            entry.SetScriptCallbackBody("import %s\nreturn %s.comes(frame)" % (__name__, __name__))
            starts[location.GetAddress().GetFileAddress()] = entry.GetID()
    if not starts:
        return False
    looped[point.GetID()], conditions[point.GetID()] = starts, condition
    point.SetScriptCallbackBody("import %s\nreturn %s.reached(frame, bp_loc)" % (__name__, __name__))
    return True


def release(target, point):
    for entry in looped.pop(point.GetID(), {}).values():
        target.BreakpointDelete(entry)


def begins(target, at):
    """Where the function begins of whose body this is the first instruction, if a loop comes back to it; None else."""
    function = at.GetFunction()
    if not function.IsValid() or function.GetStartAddress() == at:
        return None
    here = {at.GetFileAddress(), at.GetLoadAddress(target)}
    code = ((0, "%s %s" % (i.GetMnemonic(target), i.GetOperands(target))) for i in function.GetInstructions(target))
    return function.GetStartAddress() if any(to in here for _, to in jumps(code)) else None


def comes(frame):
    """A call begins: its frame ends where the stack does now, below the address to which it returns."""
    coming.add((frame.GetThread().GetThreadID(), frame.GetSP() + frame.GetThread().GetProcess().GetTarget().GetAddressByteSize()))
    return False


def reached(frame, location):
    """Says whether to stop."""
    point = location.GetBreakpoint().GetID()
    if location.GetAddress().GetFileAddress() in looped.get(point, ()):
        key = frame.GetThread().GetThreadID(), frame.GetCFA()
        if key not in coming:
            return False
        coming.remove(key)
    text = conditions.get(point)
    if not text:
        return True
    value = frame.EvaluateExpression(text)
    return value.GetError().Fail() or value.GetValueAsUnsigned(1) != 0
