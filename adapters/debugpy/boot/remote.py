# Has a running program execute code by sys.remote_exec, which Python has since 3.14: the
# program's main thread does so as soon as it runs Python code. Where it waits for something
# that may never be: then nothing is left to be done later, and who asked is told.
#
# Arguments: the program's process, a file with the code, and how many seconds the program has.
import os
import sys
import tempfile
import time

SCRIPT = """exec(%r, {})
"""
# Who takes the turn first, the program or we who give up, has it.
TAKEN = """
import os
try:
    os.rename(%(turn)r, %(begun)r)
except OSError:
    pass
else:
    exec(%(code)r, {})
"""
NOTHING = """exec("import os; os.remove(%r)", {})
"""


def execute(pid, code, seconds, remote_exec=getattr(sys, "remote_exec", None)):
    """Says whether the program has begun to execute the code. If not, it never will."""
    owner = os.stat("/proc/%d" % pid) if os.path.isdir("/proc/%d" % pid) else None
    path = written("", owner)
    turn, begun, given_up = path + ".turn", path + ".begun", path + ".late"
    try:
        os.rename(written("", owner), turn)
        write(path, SCRIPT % (TAKEN % {"turn": turn, "begun": begun, "code": code}))
        remote_exec(pid, path)
    except BaseException:
        remove(turn, path)
        raise
    end = time.monotonic() + seconds
    while not os.path.exists(begun):
        if time.monotonic() < end:
            time.sleep(0.005)
            continue
        try:
            os.rename(turn, given_up)
        except OSError:
            break  # it has begun in this moment
        os.replace(written(NOTHING % path, owner), path)  # the program still comes to look for it
        remove(given_up)
        return False
    remove(begun, path)
    return True


def written(text, owner):
    """A file that the program can read and rename."""
    fd, path = tempfile.mkstemp(".py", "aidb-")
    os.close(fd)
    write(path, text)
    if owner is not None and os.geteuid() == 0 and owner.st_uid:
        os.chown(path, owner.st_uid, owner.st_gid)
    return path


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def remove(*paths):
    for path in paths:
        try:
            os.remove(path)
        except OSError:
            pass


if __name__ == "__main__":
    with open(sys.argv[2], encoding="utf-8") as file:
        begun = execute(int(sys.argv[1]), file.read(), float(sys.argv[3]))
    print("begun" if begun else "not begun")
