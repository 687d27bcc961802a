# Has the Python processes that the program starts read all their modules from files,
# as the program does: of frozen ones debugpy would warn on their standard error, which
# the program may read, and miss breakpoints in them. And has the program wait for those
# that it waits for at its end, before the debugger takes the end of its code for that of
# the program, and ends them. It is executed in each process of
# the program, before any code of the program's: see adapter.py.
import sys
import threading

from _pydev_bundle import pydev_monkey


def unfrozen(original):
    """Stands in for pydev_monkey.patch_args, which puts the debugger into a command line."""

    def patch_args(args, *more, **named):
        patched = original(args, *more, **named)
        if patched is args:  # it is no Python
            return patched
        option = ["-X", "frozen_modules=off"]
        if isinstance(patched[0], bytes):
            option = [word.encode() for word in option]
        return patched[:1] + option + patched[1:]

    patch_args.unfrozen = True
    return patch_args


if sys.version_info >= (3, 11) and not hasattr(pydev_monkey.patch_args, "unfrozen"):
    pydev_monkey.patch_args = unfrozen(pydev_monkey.patch_args)


def joining(original):
    """Stands in for threading._shutdown, which the interpreter calls when the main code is through."""

    def _shutdown():
        processes = sys.modules.get("multiprocessing.process")
        for process in processes.active_children() if processes is not None else ():
            if not process.daemon:  # those are ended by multiprocessing itself
                process.join()
        original()

    _shutdown.joining = True
    return _shutdown


if not hasattr(threading._shutdown, "joining"):
    threading._shutdown = joining(threading._shutdown)
