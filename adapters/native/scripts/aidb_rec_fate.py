"""How a recorded run ends, and what is raised in it: exceptions of C++, with the place at which
they were thrown first, calls that end the program, signals that kill it, and expectations of
GoogleTest that were not met. Knows no debugger."""

import aidb_rec_thrown as thrown
from aidb_names import test_of
from aidb_rec_common import callers, users

HEADER = 32  # bytes before an exception, of which __cxa_begin_catch is given the place
KEPT = 1000  # exceptions of which the place is kept
MOST = 5000  # throws that are looked at: each costs the program some stops
DEEP = 60  # frames in which the calls that an exception may leave are looked for
ENDERS = ("exit", "_exit", "_Exit", "quick_exit")
RAISERS = ("__cxa_", "__gxx_", "std::rethrow_exception", "std::terminate")
EXPECTATION = "testing::internal::AssertHelper::operator=(testing::Message const&) const", "_ZNK7testing8internal12AssertHelperaSERKNS_7MessageE"


class Flight:
    """An exception that was thrown, and where."""

    def __init__(self, words, event):
        self.words, self.event = words, event


class Fate:
    def __init__(self, recorder):
        self.recorder, self.debugger, self.notes = recorder, recorder.debugger, recorder.notes
        self.known, self.count, self.told = {}, 0, False  # by where the exception lies
        self.flying, self.handled = {}, {}  # by thread: the exception that looks for a handler, and those that have one
        self.points = []
        for name, call in (
            ("__cxa_throw", self.throw), ("__cxa_rethrow", self.rethrow), ("_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE", self.throw_kept),
            ("__cxa_begin_catch", self.caught), ("__cxa_end_catch", self.done), ("_ZSt9terminatev", self.terminated),
        ):
            self.points += self.debugger.break_symbol(name, call)
        for name in ENDERS:
            self.debugger.break_symbol(name, self.exits)
        self.debugger.break_symbol(EXPECTATION[1], self.unmet)

    def throw(self, frame):
        self.count += 1
        if self.count > MOST:
            return self.enough()
        if len(self.known) > KEPT:
            self.known.clear()
        lies, info = frame.given(0), frame.given(1)
        flight = self.known[lies] = Flight(self.notes.value(thrown.words(self.debugger, lies, info)), self.placed(frame.older()))
        self.fly(frame, flight)

    def fly(self, frame, flight):
        self.flying[frame.key()] = flight
        if self.recorder.calls is not None:
            self.recorder.calls.raising(frame)
        if self.recorder.lines is not None:
            self.recorder.lines.raising(frame)

    def enough(self):
        self.flying, self.handled, self.known = {}, {}, {}
        for p in self.points:
            self.debugger.enable(p, False)
        self.notes.remark("after %d exceptions no more were looked at: where a call ended by one, it says only that it did not return" % MOST)

    def rethrow(self, frame):
        handled = self.handled.get(frame.key())
        if handled and handled[-1] is not None:
            self.fly(frame, handled[-1])

    def throw_kept(self, frame):
        """std::rethrow_exception: what it is given refers to the exception."""
        flight = self.known.get(self.debugger.word(frame.given(0)))
        if flight is not None:
            self.fly(frame, flight)

    def caught(self, frame):
        catcher = frame.older()
        if catcher is None or catcher.function().startswith(RAISERS):
            return  # nobody has: what comes next is the program's end
        flight = self.flying.pop(frame.key(), None) or self.known.get(frame.given(0) + HEADER)
        self.handled.setdefault(frame.key(), []).append(flight)
        if flight is None:
            return
        if self.recorder.calls is not None:
            self.recorder.calls.unwound(catcher, flight.words)
        if self.recorder.lines is not None:
            self.recorder.lines.unwound(catcher)

    def done(self, frame):
        handled = self.handled.get(frame.key())
        if handled:
            handled.pop()

    def terminated(self, frame):
        flight = self.flying.get(frame.key())
        if flight is not None and not self.told:
            self.told = True
            self.notes.write({**flight.event, "m": "uncaught", "v": [flight.words]})

    def exits(self, frame):
        code = frame.given(0) & 0xFF
        if not code or self.told or users(frame.older()) is None:  # main has returned
            return
        self.told = True
        self.notes.write({**self.placed(frame.older()), "m": "exited", "v": [{"v": str(code)}]})

    def died(self, frame, signal):
        """A signal is about to kill the program."""
        if not self.told:
            self.told = True
            self.notes.write({**self.placed(frame), "m": "died", "v": [{"v": signal}]})

    def unmet(self, frame):
        """An assertion of GoogleTest that was not met; what it found lies beside it."""
        e = self.placed(frame.older())
        at = users(frame.older())
        e.update(m="expected", v=self.found(at) if at is not None else [])
        while at is not None and not e.get("q"):
            e["q"] = test_of(at.function())
            at = at.older()
        self.notes.write({k: v for k, v in e.items() if v or k == "v"})

    def placed(self, frame):
        """A failure at the user's nearest line; without a place where there is none."""
        user = users(frame)
        if user is None:
            t = frame.thread()
            return {"k": "failed", "at": "", **({"t": t} if t else {})}
        return self.recorder.event("failed", user, s=callers(user.older()))

    def found(self, frame):
        """What an assertion has found, which GoogleTest's macros keep beside it."""
        for name in ("gtest_ar", "gtest_ar_"):
            try:
                return [self.notes.value(frame.variable(name))]
            except frame.Wrong:
                continue
        return []
