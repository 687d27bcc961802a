# Says when a file is loaded in which somebody wants to stop: the debugger takes
# breakpoints in any file, imported or not. It is executed in each process of the
# program, before any code of the program's: see adapter.py.
import gc
import os
import sys
import types

import pydevd_file_utils
from _pydevd_bundle import pydevd_constants as constants, pydevd_trace_dispatch

loaded = set()  # names that code objects give their files, as far as modules have been executed
wanted = {}  # by the debugger's name of a file: the client's


def normal(path):
    return pydevd_file_utils.get_abs_path_real_path_and_base_from_file(path)[1]


def tell(what, path, other=""):
    db = constants.get_global_debugger()
    if db is not None:
        text = "\x1d%s %s %s\n" % (what, path.encode().hex(), other.encode().hex())
        db.writer.add_command(db.cmd_factory.make_io_message(text, 1))


def executed(file):
    """A module is being executed."""
    loaded.add(file)
    if not wanted or file.startswith("<"):
        return
    base = os.path.basename(file)
    for name in list(wanted):
        if os.path.basename(name) != base:
            continue
        if normal(file) == name:
            tell("loaded", wanted.pop(name))
        else:
            tell("instead", wanted[name], file)


def hook(event, args):
    if event == "exec":
        file = getattr(args[0], "co_filename", None)
        if file is not None and file not in loaded:
            try:
                executed(file)
            except Exception:  # it would end what the program executes
                pass


def is_loaded(path):
    """Whether the code of a file has been executed, or where that of another of its
    name came from. From here on it is told when that changes."""
    name = normal(pydevd_file_utils.map_file_to_server(path))
    base = os.path.basename(name)
    alike = []
    for known in (set(loaded), modules(), functions()):
        found = [f for f in known if os.path.basename(f) == base]
        if any(normal(f) == name for f in found):
            return "yes"
        alike += found
    wanted[name] = path
    return "no " + "".join(alike[:1]).encode().hex()


def modules():
    files = {getattr(m, "__file__", None) for m in list(sys.modules.values())}
    return {f for f in files if isinstance(f, str)}


def functions():
    """The files that functions are from: what was executed before this, or is not heard of."""
    return {f.__code__.co_filename for f in gc.get_objects() if isinstance(f, types.FunctionType)} if not heard or attached else set()


main = getattr(sys.modules.get("__main__"), "__file__", None) or ""
attached = os.path.basename(os.path.dirname(main)) not in ("debugpy", "pydevd")  # which start programs
# Whoever hears of what is executed hears of each look at a frame's code too. Up to Python
# 3.11 each event of the debugger's looks at it: there passing.py hears of what is loaded.
heard = sys.version_info >= (3, 12) or attached or pydevd_trace_dispatch.USING_CYTHON
constants.aidb_attached = attached
constants.aidb_loaded = is_loaded
constants.aidb_executed = executed
if heard:
    sys.addaudithook(hook)
