# Calls back at lines and calls of chosen code, by sys.monitoring from Python 3.12
# on, which costs nothing elsewhere, and by sys.settrace before.
import gc
import itertools
import opcode
import sys
import threading
import types

from .tool import take, untrace

ALL = object()  # in place of a set of lines


class Watch:
    """What is called back: lines(code) is the set of lines, ALL or None; calls(code)
    says whether a function's calls count. Both are asked once for each code object."""

    def __init__(self, lines, on_line, calls=None, on_enter=None, on_leave=None, on_raise=None):
        self.thin, self.open = None, {}  # what counts calls, where not all are noted, and those noted that are under way
        self.lines, self.on_line = lines, on_line
        self.sparse = None  # what has lines only counted: see sparse.py
        self.quick = None  # what notes some lines by itself: see quick.py
        self.calls, self.on_enter, self.on_leave, self.on_raise = calls, on_enter, on_leave, on_raise
        self.tool = None  # our number for sys.monitoring, as long as we have it
        self.deep = False  # a recursion came too deep to be noted
        self.known = {}  # id of a code object, for equal ones may be of different files: (lines, calls, itself, counter, where a call of it begins)
        self.lender = None  # whose the place is where a trace function is called, if it is lent: see boot/recording.py
        self.over = []  # has something in it as soon as that is wanted back

    def of(self, code):
        found = self.known.get(id(code))
        if found is None:
            calls = bool(self.calls and self.calls(code))
            counter = self.thin.of(code) if calls and self.thin is not None and not code.co_flags & RESTING else None
            found = self.known[id(code)] = (self.lines(code), calls, code, counter, first(code) if calls else -1)
        return found

    def start(self):
        (self.monitor if hasattr(sys, "monitoring") else self.trace)()

    def monitor(self):
        m, tool = sys.monitoring, take(self.give_way)
        self.tool = tool
        if tool is None:
            return self.give_way()
        e, frame, known, on_line = m.events, sys._getframe, self.known, self.on_line
        off, thin, under_way = m.DISABLE, self.thin, self.open
        sparse, quick = self.sparse, self.quick
        apart, last = (sparse.apart, sparse.start) if sparse is not None else ((), 0)
        watched = {}  # what known says, for what is watched alone

        def start(code, offset):
            found = watched.get(id(code))
            if found is None:
                found = self.of(code)
                if found[0] is None and not found[1]:
                    return off
                events = (e.LINE if found[0] is not None else 0) | (e.PY_RETURN if found[1] else 0)
                m.set_local_events(tool, code, events)
                watched[id(code)] = found  # only now: another thread goes on then
            if not found[1]:
                return off
            if found[3] is not None and not thin.meets(found[3]):
                if thin.leaves(found[3]):
                    m.set_local_events(tool, code, 0)
                    return off
                return None
            try:
                self.on_enter(frame(1))
            except RecursionError:
                self.deep = True

        def line(code, number):
            if sparse is not None:
                tick = sparse.tick
                if tick is not None and id(code) not in apart and tick() < last:
                    return None
            wanted = known[id(code)][0]
            if wanted is not ALL and number not in wanted:
                return off
            if quick is None or not quick(frame(1), number):
                on_line(frame(1), number)

        def left(code, offset, value):
            if thin is None or id(frame(1)) in under_way:
                self.on_leave(frame(1), value, None)

        def unwound(code, offset, error):  # cannot be switched on for one function alone
            found = watched.get(id(code))
            if found is not None and found[1] and (thin is None or id(frame(1)) in under_way):
                self.on_leave(frame(1), None, error)

        def raised(code, offset, error):
            if id(code) in watched:
                self.on_raise(frame(1))

        m.register_callback(tool, e.PY_START, start)
        m.register_callback(tool, e.LINE, line)
        events = e.PY_START
        if self.calls is not None:
            m.register_callback(tool, e.PY_RETURN, left)
            m.register_callback(tool, e.PY_UNWIND, unwound)
            events |= e.PY_UNWIND
        if self.on_raise is not None:
            m.register_callback(tool, e.RAISE, raised)
            events |= e.RAISE
        m.set_events(tool, events)

    def trace(self):
        self.begin = self.tracer()
        if self.lender is None:
            threading.settrace(self.begin)
            sys.settrace(self.begin)

    def tracer(self):
        """The trace function of a thread. It sets that of a frame itself, and has it set before
        it looks whether the place is wanted back: who asks for it first says so, and then
        looks at the frames."""

        def exhausts(frame):
            """Whether what is awaited or iterated over has come to its end: no exception leaves by that."""
            last = instruction(frame)
            return frame.f_code.co_flags & RESTING or last in YIELDS or last == "FOR_ITER"

        known, of, on_line, on_raise, thin, over = self.known, self.of, self.on_line, self.on_raise, self.thin, self.over
        lent, ticks = self.lender is not None, itertools.count()
        sparse, quick = self.sparse, self.quick
        apart, last = (sparse.apart, sparse.start) if sparse is not None else ((), 0)

        def plainly(lines):
            """Of lines alone, without calls: one function does for all frames."""

            def local(frame, event, arg):
                if event == "line" and frame.f_lineno in lines:
                    on_line(frame, frame.f_lineno)
                return local

            return local

        simple = {}

        def begin(frame, event, arg):
            if over:
                return self.lender.vacate(frame)
            code = frame.f_code
            found = known.get(id(code))
            if found is None:
                found = of(code)
            lines, calls, _, counter, start = found
            if lines is None and not calls:
                if STALE and lent and next(ticks) % 64 == 0 and deep():
                    self.lender.vacate(frame)
                return None
            if counter is not None and not thin.meets(counter):
                if counter.calls >= counter.leave and thin.leaves(counter) or lent and counter.calls % 16 == 0 and deep():
                    self.lender.vacate(frame)  # it cannot be switched off for one function
                return None
            if lent and deep():
                return self.lender.vacate(frame)
            if not calls and lines is not ALL and on_raise is None:
                local = simple.get(id(code))
                if local is None:
                    local = simple[id(code)] = plainly(lines)
                return local
            raised = Raised()

            def local(frame, event, arg):
                if over:
                    return None
                if event == "line":
                    if sparse is not None:
                        tick = sparse.tick
                        if tick is not None and id(code) not in apart and tick() < last:
                            return None
                    if (lines is ALL or frame.f_lineno in lines) and (quick is None or not quick(frame, frame.f_lineno)):
                        on_line(frame, frame.f_lineno)
                elif event == "opcode":
                    raised.went_on = True
                elif event == "exception" and not (issubclass(arg[0], StopIteration) and exhausts(frame)):
                    raised.by(arg[1], frame.f_lasti)
                    # Only what runs after it tells whether a generator caught what reached it where it rests.
                    frame.f_trace_opcodes = bool(code.co_flags & RESTING)
                    if on_raise is not None:
                        on_raise(frame)
                elif event == "return":
                    if calls and not (instruction(frame) in YIELDS and (not raised.values or raised.went_on)):
                        self.left(frame, arg, raised)
                    raised.values = []  # a generator rests, or they would be kept alive

            frame.f_trace_lines, frame.f_trace_opcodes, frame.f_trace = lines is not None, False, local
            try:
                if calls and frame.f_lasti <= start:
                    self.on_enter(frame)
            except RecursionError:  # there is no room left to note it; the program comes to that by itself
                self.deep = True
                if sys.version_info < (3, 10):
                    raise  # they end a program that goes on after it
            if over:
                self.release(frame)
                return self.lender.vacate(frame)
            return None

        self.locals = frozenset(c for c in begin.__code__.co_consts if hasattr(c, "co_code"))
        return begin

    def release(self, frame):
        """Has a frame call us no more, and as others expect it."""
        if getattr(frame.f_trace, "__code__", None) in self.locals:
            frame.f_trace, frame.f_trace_lines, frame.f_trace_opcodes = None, True, False

    def release_all(self):
        """The place is wanted back: no frame calls us any more, wherever it is."""
        self.over.append(True)
        for frame in sys._current_frames().values():
            while frame is not None:
                self.release(frame)
                frame = frame.f_back
        if any(key is None for _, key in list(self.open.values())):
            for frame in resting():
                self.release(frame)

    def left(self, frame, value, raised):
        """A call is over: it has returned where its last instruction does that."""
        if returns(instruction(frame)):
            self.on_leave(frame, value, None)
        else:
            self.on_leave(frame, None, raised.which(frame.f_lasti))

    def give_way(self):
        """The program, or another tool of its, has the number that we would have."""
        self.stop()
        self.tool = None
        self.on_lost()

    def on_lost(self):
        """The recorder says so at the end."""

    def stop(self):
        """Nothing is watched any more, as in a child process, which is not recorded."""
        if hasattr(sys, "monitoring"):
            if self.tool is None:
                return
            sys.monitoring.set_events(self.tool, 0)
            for lines, calls, code, *_ in list(self.known.values()):
                if lines is not None or calls:
                    sys.monitoring.set_local_events(self.tool, code, 0)
        elif self.lender is not None:
            self.release_all()
        else:
            sys.settrace(None)
            threading.settrace(None)
            untrace(sys._getframe(1), lambda trace: getattr(trace, "__code__", None) in self.locals)

    def lost(self):
        """Says that the program has put something of its own in our place."""
        return self.tool is None if hasattr(sys, "monitoring") else sys.gettrace() is not self.begin


def deep():
    """Whether a recursion may fill the stack: it is to do so in the program, and not in what
    is called beside it."""
    try:
        return sys._getframe(sys.getrecursionlimit() // 4) is not None
    except ValueError:
        return False


STALE = sys.version_info < (3, 10)  # a frame that is traced keeps its line when nothing traces its thread any more


def instruction(frame):
    """The name of the instruction at which a frame is."""
    at, code = frame.f_lasti, frame.f_code.co_code
    if at < 0:
        return ""
    if sys.version_info < (3, 11) and code[at + 2 : at + 3] == YIELD_FROM:
        return "YIELD_FROM"  # it will be executed again
    return opcode.opname[code[at]]


def returns(name):
    """Whether an instruction gives a value back for good. RETURN_GENERATOR makes a generator or coroutine, which is
    still there where an exception is thrown in before it has begun."""
    return name.startswith("RETURN_") and name != "RETURN_GENERATOR"


def resting():
    """The frames of generators and coroutines that run in no thread now, and of others."""
    for found in gc.get_objects():
        name = FRAMES.get(type(found))
        frame = getattr(found, name) if name is not None else None
        if frame is not None:
            yield frame


FRAMES = {types.GeneratorType: "gi_frame", types.CoroutineType: "cr_frame", types.AsyncGeneratorType: "ag_frame"}
YIELDS = ("YIELD_VALUE", "YIELD_FROM", "SEND")
YIELD_FROM = bytes([opcode.opmap.get("YIELD_FROM", 0)])


class Raised:
    """What has been raised in a frame since it went on, caught or not."""

    __slots__ = ("values", "went_on")

    def __init__(self):
        self.values, self.went_on = [], False

    def by(self, value, offset):
        self.values = self.values[-3:] + [(offset, value)]
        self.went_on = False

    def which(self, offset):
        """The exception by which the frame is left at an instruction: one that is raised
        again is not told again."""
        for at, value in reversed(self.values):
            if at == offset:
                return value
        first = self.values[0][1] if self.values else UNTOLD
        return first if all(value is first for _, value in self.values) else UNTOLD


UNTOLD = object()  # in place of an exception of which it is not seen which one it is

RESTING = 0x20 | 0x80 | 0x200  # generators, coroutines, generators that are awaited


def first(code):
    """The offset up to which a call has only begun: a generator that goes on is beyond."""
    for offset in range(0, len(code.co_code), 2):
        if opcode.opname[code.co_code[offset]] == "RESUME":
            return offset
    return -1
