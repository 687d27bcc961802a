# Has the Python processes that the program starts read all their modules from files,
# as the program does: of frozen ones debugpy would warn on their standard error, which
# the program may read, and miss breakpoints in them. It is executed in each process of
# the program, before any code of the program's: see adapter.py.
import sys

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
