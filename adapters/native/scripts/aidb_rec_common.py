"""What the recorders in gdb and in LLDB do alike. Knows no debugger."""

import os
import re
import signal
import traceback

from aidb_names import LIBRARY, paths

FOREIGN = ("std::", "core::", "alloc::", "__gnu_cxx::", "_")  # what nobody asks for by such a name

# An instruction in AT&T's words whose last operand lies in memory, and that writes there.
STORES = re.compile(r"^(?!cmp|test|ucom|com|bt[lq ]|prefetch)\S+\s+.*(?:\)|:0x[0-9a-f]+)$|^(?:rep\w* )?(?:stos|movs)|^(?:call|push)")
LEAVES = re.compile(r"^(j|call|ret|syscall|ud2)")


def settled(debugger, pc):
    """Where all that a line reads is in place. rustc says of the loads of a pattern, for &b in list,
    that they belong to the line which uses b first; b itself is written after them."""
    line, end = debugger.row(pc)
    before, again = debugger.row(end)
    if not 0 < before < line or debugger.row(again)[0] != line or again - pc > 64:
        return pc
    if any(LEAVES.match(i) for i in debugger.instructions(pc, again)) or any(STORES.match(i) for i in debugger.instructions(pc, end)):
        return pc
    return again


def foreign(file, line):
    """Says that code is not the user's: of the library, or of a source that nobody has."""
    return not line or not file.startswith("/") or LIBRARY.search(file) is not None


def joined(name):
    """The path of a function, without its generic arguments."""
    return "::".join((paths(name) or [()])[0])


def uncalled(text):
    """Why an expression has no value that would call something in the program."""
    return "%s is a call of the program's, and none are made while it is recorded" % text


def told(wrong):
    """An error that may be a fault of ours, with its place."""
    last = traceback.extract_tb(wrong.__traceback__)[-1]
    return "%s: %s (%s:%d)" % (type(wrong).__name__, wrong, os.path.basename(last.filename), last.lineno)


def end(code, number):
    """Ends the debugger as the program has ended: with its code, or by its signal."""
    if number:
        import resource
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if number not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [number])
        os.kill(os.getpid(), number)
    os._exit(code or 0)
