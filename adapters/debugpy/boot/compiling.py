# Has debugpy compiled for the interpreter that debugs, once. Where Python may not keep what
# it has compiled (PYTHONDONTWRITEBYTECODE, which many images of containers set), each program
# would compile all of it anew before its first line, which takes longer than the rest of a
# session's start. The adapter's process imports this: see adapter.py.
import importlib.util
import os
import subprocess
import sys

# What is compiled last: see compileall. Where a program has kept this, it keeps the rest.
LAST = os.path.join("debugpy", "server", "cli.py")


def is_compiled(home):
    return os.path.exists(importlib.util.cache_from_source(os.path.join(home, LAST)))


def compile_ahead(home):
    """Begins to compile what lies in a directory, for programs to come: nobody waits for it,
    and what is not done when the session ends is left to the next one."""
    if is_compiled(home) or not os.access(os.path.dirname(os.path.join(home, LAST)), os.W_OK):
        return None
    line = [sys.executable, "-I", "-S", "-m", "compileall", "-q", home]
    return subprocess.Popen(line, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
