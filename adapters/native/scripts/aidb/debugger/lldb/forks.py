"""How often the program has started a process, under LLDB: nobody follows those."""

from aidb.forks import WAYS

made = 0


def watch(debugger):
    """Counts the forks of every program that is debugged from now on, and stops at none."""
    for name in WAYS:
        point = debugger.GetDummyTarget().BreakpointCreateByName(name, "libc.so.6")
        point.SetScriptCallbackBody("import %s\nreturn %s.forked()" % (__name__, __name__))


def forked():
    global made
    made += 1
    return False


def forks(_target):
    """How many there were."""
    return made
