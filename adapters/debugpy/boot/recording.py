# Has the program note what the recorder is asked for, from before its own code until the
# debugger stops it first: what is evaluated after that is none of its doing. It is
# executed in each process of the program, before any code of the program's: see
# adapter.py. Only the first one is told where to.
import _thread
import atexit
import ctypes
import json
import os
import sys
import threading
import time

import pydevd
from _pydev_bundle import pydev_monkey
from _pydevd_bundle import pydevd_constants as constants

# What runs the main code: by file and by module.
RUNNERS = [(module, name) for module in ("runpy", "_pydevd_bundle.pydevd_runpy") for name in ("run_path", "_run_module_as_main")]
# How many events are noted, which takes some tenths of a second; and how much processor
# time the program may take meanwhile where all of it is slower by that.
NOTED = 30_000
MOST = 1.0
MEASURED = getattr(time, "CLOCK_PROCESS_CPUTIME_ID", None)


class Flight:
    """A recording, until it is over."""

    def __init__(self, recorder):
        self.recorder, self.notes = recorder, recorder.notes
        self.place = None if hasattr(sys, "monitoring") else constants.aidb_resting

    def prepare(self):
        """All but what the interpreter calls, where the place for that is lent."""
        self.notes.most, self.notes.full = NOTED, self.full
        self.notes.off = self.place is not None
        self.recorder.lender = self.place
        self.recorder.start()
        pydevd.PyDB.do_stop_on_unhandled_exception = self.noting(pydevd.PyDB.do_stop_on_unhandled_exception)
        if self.place is None:
            self.recorder.watch.on_lost = self.lost
            if self.recorder.watch.tool is None:
                return self.lost()
            pydevd.PyDB.do_wait_suspend = self.before(pydevd.PyDB.do_wait_suspend)

    def begin(self):
        """The main code begins, in the thread that calls it."""
        if self.place is not None and self.place.lend(self.recorder.watch.begin, self.end):
            self.notes.off = False
            atexit.register(self.exits)
            pydev_monkey.get_original_start_new_thread(_thread)(self.measure, ())

    def end(self, whole):
        """Nothing is noted any more, and perhaps was not since a while ago."""
        if not self.notes.off:
            if self.recorder.thin is not None:
                self.recorder.thin.tell_all()
            self.close(whole)
        self.recorder.watch.stop()

    def close(self, whole):
        if not whole:
            self.notes.write({"k": "unwatched", "at": ""})
        self.notes.end()

    def full(self):
        """To note more would take too long. Nothing is waited for here, where it is written."""
        self.notes.full = None
        self.close(False)
        if self.place is None:
            self.recorder.watch.stop()
        else:
            self.recorder.watch.over.append(True)

    def lost(self):
        """The program has put something of its own in our place."""
        self.end(False)

    def measure(self):
        spend(MOST)
        self.place.back(False)

    def exits(self):
        """The interpreter ends, and with it what the program does by itself."""
        self.place.back(True)

    def noting(self, original):
        """Stands in for what stops a thread because of an exception: that is noted first, so
        that it is known to be this process that has failed."""
        failures = self.recorder.failures

        def do_stop_on_unhandled_exception(db, thread, frame, frames_byid, arg):
            if not self.notes.off and all(known != id(arg[1]) for known, _ in failures.known):
                failures.note("uncaught", arg[1], failures.item)
            return original(db, thread, frame, frames_byid, arg)

        return do_stop_on_unhandled_exception

    def before(self, original):
        """Stands in for what stops a thread."""

        def do_wait_suspend(*args, **named):
            self.end(True)
            return original(*args, **named)

        return do_wait_suspend


def spend(seconds):
    """Waits until the process has used so much of the processor, or for so long where the
    system cannot tell."""
    end = time.process_time() + seconds
    sleep = getattr(ctypes.CDLL(None), "clock_nanosleep", None) if os.name == "posix" else None
    if sleep is None or MEASURED is None:
        time.sleep(seconds)
        return
    left = seconds
    while left > 0:
        span = (ctypes.c_long * 2)(int(left), int(left % 1 * 1e9))
        if sleep(MEASURED, 0, span, None) not in (0, 4):  # EINTR
            time.sleep(left)
        left = end - time.process_time()


def beside(records):
    sys.path.insert(0, records)
    try:
        from aidb_recorder import notes, wishes
    finally:
        sys.path.remove(records)
    with open(os.path.join(records, "wish.json"), encoding="utf-8") as f:
        wish = json.load(f)
    notes.MAIN = threading.main_thread().ident  # this is a thread of the debugger's
    noted = notes.Notes(records, wish["text"])
    recorder = wishes.Recorder(noted, wish)
    recorder.files["pydevd.py"] = pydevd.__file__  # as these scripts are named
    if recorder.possible():
        flight = Flight(recorder)
        flight.prepare()
        around_main(RUNNERS, noting_its_end(flight))  # noqa: F821 which starting.py has


def noting_its_end(flight):
    """Stands around the main code, and has it noted how that ends."""

    def around(run):
        def _exec(*args, **named):  # which the debugger takes for the outermost frame
            flight.begin()
            try:
                return run(*args, **named)
            except BaseException as e:
                flight.recorder.failures.ended(e)
                raise

        return _exec

    return around


asked = os.environ.pop("AIDB_RECORD", None)
if asked is not None and (hasattr(sys, "monitoring") or hasattr(constants, "aidb_resting")):
    beside(asked)
