"""The thread that gdb is asked about. Its adapter names one by the number that it has among those of all
processes, and chooses it by a command that takes the number within one process: once gdb has gone with a
child process (follow-fork-mode), that names none, or another one."""

import gdb
from gdb.dap import bt, frames
from gdb.dap import next as steps
from gdb.dap.startup import DAPException


def switch(number):
    """Chooses a thread by its number among all; false if there is none."""
    for inferior in gdb.inferiors():
        for thread in inferior.threads():
            if number and thread.global_num == number:
                thread.switch()
                return True
    return False


def set_thread(number):
    """In place of the adapter's own."""
    if number and not switch(number):
        raise DAPException("there is no thread " + str(number))


for module in (bt, frames, steps):
    if hasattr(module, "set_thread"):
        module.set_thread = set_thread
