"""How a recorded run ends, and what is raised in it: exceptions of C++, with the place at which
they were thrown first, calls that end the program, signals that kill it, and expectations of
GoogleTest and doctest that were not met. Knows no debugger."""

from aidb.cpp.runtime import AFTER
from aidb.names import FRAMEWORK, test_of
from aidb.record import source, thrown
from aidb.record.common import callers, users
from aidb.record.left import Left

KEPT = 1000  # exceptions of which the place is kept
MOST = 5000  # throws that are looked at: each costs the program some stops
DEEP = 60  # frames in which the calls that an exception may leave are looked for
ENDERS = ("exit", "_exit", "_Exit", "quick_exit")
RAISERS = ("__cxa_", "__gxx_", "std::rethrow_exception", "std::terminate")
EXPECTATION = "_ZNK7testing8internal12AssertHelperaSERKNS_7MessageE"  # testing::internal::AssertHelper::operator=, which notes a failure
# What counts them in doctest, which has moved from one namespace to another.
DOCTEST = tuple("_ZN7doctest%s15addFailedAssertENS_10assertType4EnumE" % n for n in ("12_GLOBAL__N_1", "6detail"))
UNITY = "UnityTestResultsFailBegin"  # which begins the report of each expectation that was not met
WARNS = 1  # the kind of an assertion of doctest that only warns
# By what a framework ends a test one of whose expectations was not met.
ENDED = ("Catch::TestFailureException", "doctest::detail::TestFailureException")


class Flight:
    """An exception that was thrown, and where."""

    def __init__(self, words, event):
        self.words, self.event = words, event


class Fate:
    def __init__(self, recorder):
        self.recorder, self.debugger, self.notes = recorder, recorder.debugger, recorder.notes
        self.known, self.count, self.told = {}, 0, False  # by where the exception lies
        self.flying, self.handled = {}, {}  # by thread: the exception that looks for a handler, and those that have one
        self.codes = set()  # with which the program was asked to end
        self.points, self.left = [], Left(recorder) if recorder.calls is not None else None
        for name, call in (
            ("__cxa_throw", self.throw), ("__cxa_rethrow", self.rethrow), ("_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE", self.throw_kept),
            ("__cxa_begin_catch", self.caught), ("__cxa_end_catch", self.done), ("_ZSt9terminatev", self.terminated),
        ):
            self.points += self.debugger.break_symbol(name, call)
        for name in ENDERS:
            self.debugger.break_symbol(name, self.exits)
        self.debugger.break_symbol(EXPECTATION, self.unmet)
        for name in DOCTEST:
            self.debugger.break_symbol(name, self.counted)
        self.debugger.break_symbol(UNITY, self.failed)

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
        flight = self.flying.pop(frame.key(), None) or self.known.get(frame.given(0) + AFTER)  # it is given what the unwinder knows
        self.handled.setdefault(frame.key(), []).append(flight)
        if flight is None:
            return
        if FRAMEWORK.match(catcher.function()):  # of which the test knows nothing: it has ended it
            meant = flight.words["v"].startswith(ENDED)
            self.notes.write({**flight.event, "m": "expected" if meant else "uncaught", "v": [] if meant else [flight.words]})
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
        if not code or self.told or code in self.codes or harness(frame.older()):
            return  # exit itself ends by _exit
        self.codes.add(code)
        at = self.ending(frame.older())
        if not at["at"]:  # main has returned
            at = self.left and self.left.event
        if at:
            self.notes.write({**at, "m": "exited", "v": [{"v": str(code)}] + at.get("v", [])})

    def ending(self, frame):
        """Where the program ends itself, with what decides that: the values of the statement, and of the condition in front of it."""
        at, user = self.placed(frame), self.owner(frame)
        names, values = self.recorder.read(user, source.reason(*user.at())) if user is not None else ([], [])
        return {**at, "a": names, "v": values} if names else at

    def died(self, frame, signal):
        """A signal is about to kill the program."""
        if not self.told:
            self.told = True
            at = self.ending(frame)
            self.notes.write({**at, "m": "died", "v": [{"v": signal}] + at.get("v", [])})

    def failed(self, frame):
        """An assertion of Unity that was not met, with what it reads: what it found is in its report."""
        at = self.ending(frame.older())
        self.notes.write({**at, "m": "expected", "v": [{"v": ""}] + at.get("v", [])})

    def unmet(self, frame):
        """An assertion of GoogleTest that was not met; what it found lies beside it."""
        at = self.owner(frame.older())
        self.notes.write({**self.placed(frame.older()), "m": "expected", "v": self.found(at) if at is not None else []})

    def placed(self, frame):
        """A failure at the user's nearest line, and in which test; without a place where there is none."""
        user = self.owner(frame)
        if user is None:
            t = frame.thread()
            return {"k": "failed", "at": "", **({"t": t} if t else {})}
        stack = callers(user.older())
        e = self.recorder.event("failed", user, s=stack)
        tests = filter(None, map(test_of, [e["f"]] + [s.rsplit(" ", 1)[0] for s in stack]))
        test = next(tests, "")
        return {**e, "q": test} if test else e

    @staticmethod
    def owner(frame):
        """The nearest frame of the user's own, which none of a test framework's is."""
        user = users(frame)
        while user is not None and FRAMEWORK.match(user.function()):
            user = users(user.older())
        return user

    def counted(self, frame):
        """An assertion of doctest that was not met; what it found only its own objects know."""
        if not frame.given(0) & WARNS and self.owner(frame) is not None:
            self.notes.write({**self.placed(frame), "m": "expected", "v": []})

    def found(self, frame):
        """What an assertion has found, in the words that GoogleTest's macros keep beside it; nothing where those are only what is written."""
        for name in ("gtest_ar", "gtest_ar_"):
            try:
                said = frame.evaluate("*%s.message_" % name, True)[0]
                return [self.notes.value(said)]
            except frame.Wrong:
                continue
        return []


def harness(frame):
    """Says that Rust's own test harness ends the program, by what its tests have come to."""
    for _ in range(DEEP):
        if frame is None:
            break
        if frame.function().startswith("test::"):
            return True
        frame = frame.older()
    return False
