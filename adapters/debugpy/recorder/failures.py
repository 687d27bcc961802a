# Notes what ends the run, a thread of it or a test: an exception that nobody caught, an
# expectation that was not met, a call that exits.
import os
import sys
import threading

from . import frameworks
from . import notes as n

MOST = 20  # frames of a stack
CAUSES = 8  # of an exception, that are told
OURS = (n.OURS, os.path.dirname(os.__file__) + os.sep + "runpy.py", "<frozen runpy>")


class Failures:
    def __init__(self, recorder):
        self.recorder, self.notes = recorder, recorder.notes
        self.known = set()  # (id of an exception, test) of what was noted
        self.item = ""  # the test of pytest's that runs now
        self.running = ""  # the last test that began

    def start(self):
        self.recorder.failures = self
        leave = os._exit

        def _exit(status):
            self.exits(status, sys._getframe(1))
            leave(status)

        os._exit = _exit
        made = getattr(threading, "_make_invoke_excepthook", None)
        if made is not None:
            threading._make_invoke_excepthook = self.hooks(made)
        frameworks.watch(self)

    def hooks(self, made):
        """What calls threading.excepthook for a thread that an exception ends."""

        def make():
            invoke = made()

            def told(*args, **named):
                error = sys.exc_info()[1]
                if error is not None and not isinstance(error, SystemExit):
                    self.note("uncaught", error)
                return invoke(*args, **named)

            return told

        return make

    def ended(self, error):
        """The program's code was left by an exception."""
        if not isinstance(error, SystemExit):
            return self.note("uncaught", error)
        frames = stack(error.__traceback__)
        if any(self.users(frame) for frame, _ in frames):
            code = error.code
            self.write("exited", frames, {"v": str(0 if code is None else int(code) if isinstance(code, int) else 1)})

    def exits(self, status, frame):
        frames = []
        while frame is not None and len(frames) < MOST:
            frames.append((frame, frame.f_lineno))
            frame = frame.f_back
        self.write("exited", frames, {"v": repr(status)})

    def note(self, kind, error, test=""):
        """A failure by an exception, once for each test."""
        if (id(error), test) in self.known:
            return
        self.known.add((id(error), test))
        with n.Apart(self.notes) as first:
            if first:
                self.write(kind, stack(error.__traceback__), self.notes.failed(error), test, [self.notes.failed(e)["v"] for e in causes(error)])

    def began(self, test):
        """A test begins, with what is made ready for it."""
        if self.recorder.thin is not None and test != self.running:
            self.running = test
            self.notes.write({"k": "test", "at": "", "q": test})

    def failed(self, error, test, goes_on=False):
        """A test failed."""
        test = self.item or test
        self.note("expected" if goes_on and isinstance(error, AssertionError) else "uncaught", error, test)

    def users(self, frame):
        return self.recorder.users(frame.f_code)

    def write(self, kind, frames, value, test="", parts=()):
        frames = [(f, line) for f, line in frames if not f.f_code.co_filename.startswith(OURS)]
        at = next((i for i, (f, _) in enumerate(frames) if self.users(f)), 0)
        event = {"k": "failed", "at": "", "m": kind, "v": [value]}
        if frames:
            frame, line = frames[at]
            event.update(at="%s:%d" % (frame.f_code.co_filename, line), f=n.function(frame))
            event["s"] = ["%s %s:%d" % (n.function(f), f.f_code.co_filename, line) for f, line in frames[at + 1 : at + 1 + MOST]]
        who = n.thread()
        if who:
            event["t"] = who
        if parts:
            event["a"] = parts
        if self.recorder.thin is not None:
            self.recorder.thin.tell_all()
        if test:
            event["q"] = test
        self.notes.write(event)


def causes(error):
    """The exceptions that another one consists of, or was raised for."""
    found, rest = [], [error]
    while rest and len(found) < CAUSES:
        one = rest.pop(0)
        inner = getattr(one, "exceptions", None) if isinstance(one, GROUPS) else None
        for e in [*(inner or ()), *([one.__cause__] if one.__cause__ is not None else ())]:
            if all(e is not known for known in found):
                found.append(e)
                rest.append(e)
    return found[:CAUSES]


GROUPS = getattr(__import__("builtins"), "BaseExceptionGroup", ())


def stack(traceback):
    """The frames that an exception has left, the innermost first, each with its line."""
    found = []
    while traceback is not None:
        found.append((traceback.tb_frame, traceback.tb_lineno))
        traceback = traceback.tb_next
    return found[::-1]
