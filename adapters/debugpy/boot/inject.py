# debugpy's own injector, started with two things changed in what it has a running
# program execute. It is executed apart: executed as debugpy does it, in __main__, it
# would leave names there, among them setup and json, in the place of the program's.
# And it is executed quietly: debugpy would warn on the program's standard error that
# modules are frozen, or that it had not imported threading, which nobody can change any
# more.
#
# What it runs for that writes to a file: when the adapter has been killed, and its pipe
# with it, it must not die of what it says. It stands in the middle of the program then.
#
# A program in another container knows itself by another number than we, and does not see our files:
# AIDB_PROGRAM says which process it is for us, and AIDB_PROGRAM_DIR where it has a copy of debugpy.
#
# Arguments: the directory that holds the package debugpy, then debugpy's own.
import os
import subprocess
import sys
import tempfile

HOME = sys.argv.pop(1)
PROGRAM, THERE = os.environ.get("AIDB_PROGRAM"), os.environ.get("AIDB_PROGRAM_DIR")

sys.path[:0] = os.path.dirname(os.path.abspath(__file__)), HOME
import remote
from debugpy import server
from debugpy.server import cli
import pydevd

del sys.path[:2]
ATTACHING = os.path.join(os.path.dirname(pydevd.__file__), "pydevd_attach_to_process")
sys.path.append(ATTACHING)
import add_code_to_python_process as process


WAKES = 2  # seconds that a main thread has to run Python code


def there(path):
    """A path of debugpy's as the program sees it."""
    return os.path.join(THERE, os.path.relpath(path, HOME)) if THERE else path


SCRIPT = there(os.path.join(ATTACHING, "attach_script.py"))
QUIETLY = """
import os, sys
if "threading" not in sys.modules:
    script = type(sys)("attach_script")
    with open(%r, encoding="utf-8") as file:
        exec(compile(file.read(), file.name, "exec"), vars(script))
    def fix_main_thread_id(original=script.fix_main_thread_id, **say):
        original(**dict.fromkeys(say, lambda said: None))
    script.fix_main_thread_id = fix_main_thread_id
    sys.modules["attach_script"] = script
silence = "PYDEVD_DISABLE_FILE_VALIDATION"
before = os.environ.get(silence)
os.environ[silence] = "1"
try:
    exec(%r, {})
finally:
    if before is None:
        del os.environ[silence]
    else:
        os.environ[silence] = before
"""


def apart(code):
    """The same in a namespace of its own, without quotes, which debugpy's ways in cannot carry."""
    return "exec(bytearray(%s).decode(), dict())" % list((QUIETLY % (SCRIPT, code)).encode())


def run_python_code(pid, code, original=process.run_python_code, **more):
    if THERE:  # debugpy writes the path as the numbers of its letters
        here = os.path.dirname(server.__file__)
        code = code.replace(str(list(here.encode())), str(list(there(here).encode())))
    original(int(PROGRAM or pid), apart(code), **more)


def get_target_filename(*args, original=process.get_target_filename, **more):
    found = original(*args, **more)
    return found and there(found)


def remote_exec(pid, path):
    """Fails where the program's main thread waits: debugpy then takes the way that all versions have."""
    with open(path, encoding="utf-8") as file:
        code = file.read()
    if not remote.execute(pid, apart(code), WAKES):
        print("sys.remote_exec: the program's main thread runs no Python code, it waits for something", flush=True)
        raise RuntimeError("the main thread waits")


def check_call(command, **more):
    with tempfile.TemporaryFile() as said:
        try:
            subprocess.check_call(command, stdin=subprocess.DEVNULL, stdout=said, stderr=said, **more)
        finally:
            said.seek(0)
            print(said.read().decode(errors="replace"), flush=True)


class Apart:
    """The module subprocess, as it is but for that."""

    check_call = staticmethod(check_call)

    def __getattr__(self, name):
        return getattr(subprocess, name)


process.subprocess = Apart()
process.run_python_code = run_python_code
process.get_target_filename = get_target_filename
if hasattr(sys, "remote_exec"):  # Python 3.14 has it
    sys.remote_exec = remote_exec
    if THERE:  # where it would look for the program's files among ours
        del sys.remote_exec
cli.main()
