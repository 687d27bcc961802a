"""The threads of a program as aidb.cpp.waits reads them, under LLDB."""

import lldb

from aidb.cpp import blocked as cpp_blocked
from aidb.cpp import waits as cpp_waits
from aidb.debugger.lldb.values import Value

THREADS = 200  # that are looked at
FRAMES = 40  # of each


def waits(target):
    threads, word, symbol = read(target)
    return cpp_waits.waits(threads, word, symbol)


def blocked(target):
    """Who waits for what, who holds that, and where it was taken."""
    threads, word, symbol = read(target)
    rows = cpp_blocked.blocked(threads, word, symbol)
    rows["left_out"] = max(target.GetProcess().GetNumThreads() - THREADS, 0)
    return rows


def read(target):
    process = target.GetProcess()
    known = target.GetTriple().startswith("x86_64")
    threads = [told(process.GetThreadAtIndex(i), known) for i in range(min(process.GetNumThreads(), THREADS))]

    def word(at):
        error = lldb.SBError()
        n = process.ReadUnsignedFromMemory(at, 4, error)
        if error.Fail():
            raise ValueError(error.GetCString())
        return n

    def symbol(at):
        place = target.ResolveLoadAddress(at)
        found = place.GetSymbol()
        if not found.IsValid() or found.GetType() != lldb.eSymbolTypeData:
            return ""
        return (found.GetName() or "") if place.GetOffset() - found.GetStartAddress().GetOffset() < 64 else ""

    return threads, word, symbol


def told(thread, known):
    frames = [thread.GetFrameAtIndex(i) for i in range(min(thread.GetNumFrames(), cpp_waits.TOP + 8))]
    functions = [f.GetFunctionName() or "" for f in frames]
    register = frames[0].FindRegister("rdi") if frames and known else None
    address = register.GetValueAsUnsigned() if register is not None and register.IsValid() else None

    def variables():
        for f in frames:
            if f.GetLineEntry().IsValid() and not cpp_waits.LIBRARY.match(f.GetFunctionName() or ""):
                yield [Value(v) for v in f.GetVariables(True, True, False, True)]

    spots = [spot(thread.GetFrameAtIndex(i)) for i in range(min(thread.GetNumFrames(), FRAMES))]
    return cpp_blocked.Thread(thread.GetThreadID(), thread.GetThreadID(), functions, address, variables, spots, thread.GetName() or "")


def spot(frame):
    entry, function = frame.GetLineEntry(), frame.GetFunction()
    first = function.GetStartAddress().GetLineEntry().GetLine() if function.IsValid() else 0

    def variables():
        for v in frame.GetVariables(True, True, False, True):
            yield Value(v), v.GetDeclaration().GetLine()

    def address(text):
        """Names with members only: no code of the program runs."""
        v = frame.GetValueForVariablePath(text)
        return v.GetValueAsUnsigned() if v.IsValid() and not v.GetError().Fail() else None

    file = entry.GetFileSpec().fullpath or "" if entry.IsValid() else ""
    return cpp_blocked.Spot(frame.GetFunctionName() or "", file, entry.GetLine(), first, variables, address)
