"""The end of watchpoints on variables of a call, under LLDB, which goes on to watch what other calls
have at the place when that call is over."""


DEEP = 100  # frames in which a variable is looked for
RED = 128  # bytes below the stack pointer that a function which calls none may use
owners = {}  # breakpoint at which a call has returned: where its frame ended, and the variables of it that are watched


def ends(thread, first, address):
    """Has the watch of an address end with the call in whose frame it lies; says whether there is one."""
    for rank in range(first, min(first + DEEP, thread.GetNumFrames() - 1)):
        frame = thread.GetFrameAtIndex(rank)
        if frame.IsInlined():
            continue
        if frame.GetSP() - (RED if rank == 0 else 0) <= address < frame.GetCFA():
            return when_returned(thread, rank, frame.GetCFA(), address)
    return False


def when_returned(thread, rank, cfa, address):
    caller = thread.GetFrameAtIndex(rank + 1)
    target = thread.GetProcess().GetTarget()
    point = target.BreakpointCreateByAddress(caller.GetPC())
    point.SetThreadID(thread.GetThreadID())
    owners[point.GetID()] = cfa, address
    point.SetScriptCallbackBody("import %s\nreturn %s.returned(frame, bp_loc, internal_dict)" % (__name__, __name__))
    return True


def returned(frame, location, _internal):
    """The program is where the call returns to: the call is over, unless it was one further down."""
    point = location.GetBreakpoint()
    cfa, address = owners.get(point.GetID(), (0, 0))
    if frame.GetSP() >= cfa:
        target = frame.GetThread().GetProcess().GetTarget()
        for watch in [target.GetWatchpointAtIndex(i) for i in range(target.GetNumWatchpoints())]:
            if watch.GetWatchAddress() == address:
                target.DeleteWatchpoint(watch.GetID())
        point.SetEnabled(False)
        owners.pop(point.GetID(), None)
    return False
