"""Panics of Rust that end a recorded run, or a test of it, and errors that leave a test by a ?.
Knows no debugger."""

from aidb.record.common import callers, users
from aidb.rust.expected import CLOSED
from aidb.rust.panic import CLOSURE, FRAMES, Place, fails, meaning

MOST = 100  # errors given back by ? that are looked at in one place: each stop interrupts what other threads wait for


class Panics:
    def __init__(self, recorder) -> None:
        self.recorder, self.debugger, self.notes = recorder, recorder.debugger, recorder.notes
        self.questions = {}  # by places that ? calls: how many errors it gave back there
        self.debugger.break_panic(self.panicked)
        self.debugger.break_residual(self.asked)

    def panicked(self, frame) -> None:
        said = meaning(places(frame.older()))
        test = said.get("test")
        message = self.debugger.panic_words(frame)
        expects = test["expects"] if test else None
        if said["caught"] or expects is not None and expects in message or not test and frame.thread():
            return  # the program goes on
        user = users(frame.older())
        if user is None:
            return
        self.recorder.fate.told = True
        self.failed(user, test, "uncaught", [self.notes.value(message or "a panic")])

    def failed(self, user, test, how, words) -> None:
        e = self.recorder.event("failed", user, s=callers(user.older()), m=how, v=words)
        if test:
            e["q"] = CLOSED.sub("", CLOSURE.sub("", test["name"])).partition("::")[2]
        self.notes.write(e)

    def asked(self, frame) -> None:
        """A ? gives an error back: whether it leaves a test with it."""
        self.questions[frame.pc()] = self.questions.get(frame.pc(), 0) + 1
        if self.questions[frame.pc()] > MOST:
            self.debugger.leave_residual(frame.pc())
            return
        asks, known = frame.older(), list(places(frame.older()))
        if asks is None:
            return
        test = meaning(known).get("test")
        if test and test["expects"] is None and fails(iter(known), "_task_context" in asks.names()):
            self.failed(asks, test, "expected", [])


def places(frame):
    """Where a frame and its callers are."""
    for _ in range(FRAMES):
        if frame is None:
            return
        file, line = frame.at()
        yield Place(frame.function(), file, line)
        frame = frame.older()
