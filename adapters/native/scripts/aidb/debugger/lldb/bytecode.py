"""LLDB forbids its Python to keep what it has compiled, and CodeLLDB comes without
it: each start would compile the 20,000 lines of its module lldb, and the library of
Python below it. Here it is kept, once, beside the sources."""

import contextlib
import os
import py_compile
import sys

import lldb


def keep(folder):
    """Keeps what was compiled of the files in a folder."""
    for module in list(sys.modules.values()):
        spec = getattr(module, "__spec__", None)
        if not spec or not spec.has_location or not spec.cached or os.path.exists(spec.cached):
            continue
        if os.path.realpath(spec.origin).startswith(folder + os.sep):
            py_compile.compile(spec.origin, cfile=spec.cached, quiet=2)


def begin():
    package = os.path.dirname(os.path.realpath(lldb.__file__))
    with contextlib.suppress(OSError):  # who may not write there waits at each start
        keep(os.path.dirname(os.path.dirname(package)))  # lib/lldb-python/lldb, beside lib/python3.12
