"""How often the program has started a process, under LLDB: nobody follows those."""

from aidb.forks import MOST, WAYS

made = 0


def watch(debugger):
    """Counts the forks of every program that is debugged from now on, and stops at none."""
    for name in WAYS:
        point = debugger.GetDummyTarget().BreakpointCreateByName(name, "libc.so.6")
        point.SetScriptCallbackBody("import %s\nreturn %s.forked(bp_loc)" % (__name__, __name__))


def forked(location):
    global made
    made += 1
    if made >= MOST:
        location.GetBreakpoint().SetEnabled(False)
    return False


def forks(_target):
    """How many there were."""
    return made
