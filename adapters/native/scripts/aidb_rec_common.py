"""What the recorders in gdb and in LLDB do alike. Knows no debugger."""

import os
import signal
import traceback

from aidb_names import LIBRARY, paths

FOREIGN = ("std::", "core::", "alloc::", "__gnu_cxx::", "_")  # what nobody asks for by such a name


def foreign(file, line):
    """Says that code is not the user's: of the library, or of a source that nobody has."""
    return not line or not file.startswith("/") or LIBRARY.search(file) is not None


def joined(name):
    """The path of a function, without its generic arguments."""
    return "::".join((paths(name) or [()])[0])


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
