"""Where the exceptions of a C++ program were thrown first, under LLDB: one that a handler throws again
has lost the frames it came from."""

from aidb.names import library, plain

MOST = 500  # throws that are looked at in one session: each costs the program a stop
DEEP, STACK = 30, 8  # frames that are looked at, and of the user's that are kept

places = {}  # address of an exception: the frames that it was thrown in, the innermost first
AGAIN = ("__cxa_rethrow", "std::rethrow_exception", "_ZSt17rethrow_exception")
seen = 0


def watch(debugger):
    """Notes the throws of every program that is debugged from now on, and stops at none."""
    point = debugger.GetDummyTarget().BreakpointCreateByName("__cxa_throw", "libstdc++.so.6")
    point.SetScriptCallbackBody("import %s\nreturn %s.threw(frame, bp_loc)" % (__name__, __name__))


def threw(frame, location):
    global seen
    seen += 1
    if seen > MOST:
        places.clear()
        location.GetBreakpoint().SetEnabled(False)
        return False
    register = next((r for r in map(frame.FindRegister, ("rdi", "x0")) if r.IsValid()), None)
    if register is not None:
        places[register.GetValueAsUnsigned()] = stack(frame.GetThread())
    return False


def stack(thread):
    out = []
    for i in range(1, min(thread.GetNumFrames(), DEEP)):
        frame = thread.GetFrameAtIndex(i)
        entry = frame.GetLineEntry()
        file = entry.GetFileSpec().fullpath if entry.IsValid() and entry.GetFileSpec().IsValid() else ""
        if file.startswith("/") and entry.GetLine() and not library(file):
            name = plain(frame.GetDisplayFunctionName() or "?").removeprefix("::")  # which stands before what only its file knows
            out.append({"function": name, "file": file, "line": entry.GetLine()})
        if len(out) == STACK:
            break
    return out


def first(names, lies):
    """Where an exception was thrown first that is thrown again here; empty where that is here, or not known."""
    return places.get(lies, []) if any(n.startswith(AGAIN) for n in names) else []
