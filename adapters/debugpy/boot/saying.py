# Has the program's end wait for what the debugger has to say, such as messages of log
# points: it would give up after half a second, with thousands of them unsaid, and a
# process that was forked ends without waiting at all. It is executed in each process of
# the program, before any code of the program's: see adapter.py.
import os
import threading

import pydevd
from _pydevd_bundle import pydevd_constants as constants

PATIENCE = 5  # seconds in which something must have been said


class Last:
    """Stands in the queue of what is to be said, behind all else."""

    id, as_dict = 0, None

    def __init__(self):
        self.reached = threading.Event()

    def send(self, sock):
        self.reached.set()


def say_all(db):
    """Waits until all has been said, or nobody listens. It takes no lock of the queue's:
    a signal's handler may have come between."""
    writer = getattr(db, "writer", None)
    if writer is None or db.pydb_disposed or db.terminate_requested or threading.current_thread() in (writer, db.reader):
        return
    queue = writer._cmd_queue.queue
    if not queue or not writer.is_alive():
        return
    last, left = Last(), len(queue)
    queue.append(last)
    while not last.reached.wait(PATIENCE) and writer.is_alive() and len(queue) < left:
        left = len(queue)


def after_saying_all(original):
    def dispose_and_kill_all_pydevd_threads(self, *args, **kwargs):
        say_all(self)
        original(self, *args, **kwargs)

    return dispose_and_kill_all_pydevd_threads


def having_said_all(original):
    def _exit(status):
        say_all(constants.get_global_debugger())
        original(status)

    return _exit


# A process that was forked has it all from its parent.
if not hasattr(constants, "aidb_saying"):
    constants.aidb_saying = True
    pydevd.PyDB.dispose_and_kill_all_pydevd_threads = after_saying_all(pydevd.PyDB.dispose_and_kill_all_pydevd_threads)
    os._exit = having_said_all(os._exit)
