"""The threads of a program as aidb.cpp.waits reads them, under LLDB."""

import lldb

from aidb.cpp import waits as cpp_waits
from aidb.debugger.lldb.values import Value

THREADS = 200  # that are looked at


def waits(target):
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

    return cpp_waits.waits(threads, word, symbol)


def told(thread, known):
    frames = [thread.GetFrameAtIndex(i) for i in range(min(thread.GetNumFrames(), cpp_waits.TOP + 8))]
    functions = [f.GetFunctionName() or "" for f in frames]
    register = frames[0].FindRegister("rdi") if frames and known else None
    address = register.GetValueAsUnsigned() if register is not None and register.IsValid() else None

    def variables():
        for f in frames:
            if f.GetLineEntry().IsValid() and not cpp_waits.LIBRARY.match(f.GetFunctionName() or ""):
                yield [Value(v) for v in f.GetVariables(True, True, False, True)]

    return cpp_waits.Thread(thread.GetThreadID(), thread.GetThreadID(), functions, address, variables)
