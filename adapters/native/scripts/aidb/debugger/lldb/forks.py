"""How often the program has started a process, under LLDB: nobody follows those."""

from aidb.forks import MOST, WAYS

made = 0
process = 0  # the program's, known once it has forked


def watch(debugger):
    """Counts the forks of every program that is debugged from now on, and stops at none."""
    for name in WAYS:
        point = debugger.GetDummyTarget().BreakpointCreateByName(name, "libc.so.6")
        point.SetScriptCallbackBody("import %s\nreturn %s.forked(bp_loc)" % (__name__, __name__))


def forked(location):
    global made, process
    made += 1
    process = location.GetBreakpoint().GetTarget().GetProcess().GetProcessID()
    if made >= MOST:
        location.GetBreakpoint().SetEnabled(False)
    return False


def forks(_target):
    """How many there were, and whose."""
    return {"made": made, "process": process}
