# Calls First back in front of the lines of the functions of its scope and where their
# calls end, by sys.monitoring from Python 3.12 on and by sys.settrace before. After the
# last moment nothing is watched any more.
import dis
import sys
import threading

from . import notes as n
from .first import Call
from .tool import take, untrace
from .watch import RESTING, YIELDS, instruction, returns

UNSEEN = object()
MOST = 100000  # calls that are known: of what was dropped while it rested no end is told


class Judging:
    def __init__(self, first):
        self.first, self.busy = first, first.notes.busy
        self.builds = set()  # ids of code objects by which instances are known
        self.known = {}  # id of a code object: the Place in which it is judged, None where it is not
        self.kept = []  # code objects that are known
        self.deep = False
        self.begin = self.tool = None

    def place(self, frame):
        code = frame.f_code
        try:
            found = self.first.place(frame)
        except Exception as e:  # the program is not to end by it
            found = None
            self.first.notes.remark("the condition is not judged in %s: %s" % (n.function(frame), n.failure(e)))
        if found is not None:
            found.jumps = jumps(code, found) if hasattr(sys, "monitoring") else ()
        if self.first.instances is not None and self.first.instances.builds(code):
            self.builds.add(id(code))
        self.kept.append(code)
        return self.known.setdefault(id(code), found)  # the same in all threads

    def start(self):
        (self.monitor if hasattr(sys, "monitoring") else self.trace)()

    # By sys.monitoring, which calls nothing back while it does.

    def monitor(self):
        m, tool, getframe = sys.monitoring, take(self.give_way), sys._getframe
        self.tool = tool
        if tool is None:
            return
        e, off, known, first = m.events, m.DISABLE, self.known, self.first
        calls = {}  # id of a frame: its Call
        ready = {}  # what known says, as soon as the events come

        def call_of(frame, place):
            call = calls[id(frame)] = Call(place)
            if len(calls) > MOST:
                del calls[next(iter(calls))]
            return call

        def start(code, offset):
            place = ready.get(id(code), UNSEEN)
            if place is UNSEEN:
                place = self.place(getframe(1))
                if place is not None:
                    m.set_local_events(tool, code, e.LINE | e.PY_RETURN | (e.JUMP if place.jumps else 0))
                elif id(code) in self.builds:
                    m.set_local_events(tool, code, e.PY_RETURN)
                ready[id(code)] = place
            if place is None or first.done:
                return off
            call_of(getframe(1), place)

        def line(code, number):
            place = known.get(id(code))
            if place is None or first.done or place.passes(number):
                return off
            frame = getframe(1)
            self.apart(first.reached, calls.get(id(frame)) or call_of(frame, place), frame, number)

        def jump(code, offset, to):
            place = known.get(id(code))
            if place is None or first.done or offset not in place.jumps:
                return off
            frame = getframe(1)
            self.apart(first.again, calls.get(id(frame)) or call_of(frame, place), frame, frame.f_lineno)

        def left(code, offset, value):
            if first.done:
                return off
            frame, place = getframe(1), known[id(code)]
            if place is not None:
                self.apart(first.over, calls.pop(id(frame), None) or Call(place), frame, value, False)
            if id(code) in self.builds:
                self.apart(first.instances.built, frame)

        def unwound(code, offset, error):  # cannot be switched on for one function alone
            if known.get(id(code)) is not None:
                frame = getframe(1)
                call = calls.pop(id(frame), None)
                if call is not None:
                    self.apart(first.over, call, frame, None, True)

        for event, callback in ((e.PY_START, start), (e.LINE, line), (e.JUMP, jump), (e.PY_RETURN, left), (e.PY_UNWIND, unwound)):
            m.register_callback(tool, event, callback)
        m.set_events(tool, e.PY_START | e.PY_UNWIND)

    def apart(self, what, *arguments):
        """Does something that the program's code may be run for."""
        me, busy = n.ident(), self.busy
        if me in busy or self.first.done:
            return
        busy.add(me)
        try:
            what(*arguments)
        except RecursionError:  # there is no room left; the program comes to that by itself
            self.deep = True
            if sys.version_info < (3, 10):
                raise  # they end a program that goes on after it
        finally:
            busy.discard(me)
        if self.first.done:
            self.rest()

    # By sys.settrace.

    def trace(self):
        known, first = self.known, self.first

        def begin(frame, event, arg):
            place = known.get(id(frame.f_code), UNSEEN)
            if place is None and id(frame.f_code) not in self.builds:
                return None
            if first.done:
                return self.rest()
            if place is UNSEEN:
                place = self.place(frame)
            if place is None:
                return self.build(frame)
            traced = getattr(frame.f_trace, "__self__", None)
            if type(traced) is Traced:  # it has rested
                traced.call.raised = False
                return frame.f_trace
            return Traced(self, place).trace

        self.begin = begin
        threading.settrace(begin)
        sys.settrace(begin)

    def build(self, frame):
        """What traces a call in which nothing is judged: one that builds an object."""
        if id(frame.f_code) not in self.builds:
            return None
        frame.f_trace_lines = False
        return self.building

    def building(self, frame, event, arg):
        if event == "return" and returns(instruction(frame)):
            self.apart(self.first.instances.built, frame)
        return self.building

    def rest(self):
        """Nothing is to be watched any more, in this thread at least."""
        if hasattr(sys, "monitoring"):
            if self.tool is not None:
                sys.monitoring.set_events(self.tool, 0)  # what is watched in single functions switches itself off
            return
        self.known.clear()  # other threads come here by that
        if sys.gettrace() is self.begin:
            sys.settrace(None)
            threading.settrace(None)
        untrace(sys._getframe(1), self.ours)

    def ours(self, trace):
        return isinstance(getattr(trace, "__self__", None), (Traced, Judging))

    def give_way(self):
        """The program has the number that we would have."""
        self.rest()
        for code in self.kept:
            if self.known.get(id(code)) is not None:
                sys.monitoring.set_local_events(self.tool, code, 0)
        self.tool = None

    def stop(self):
        """In a child process, which is not recorded."""
        self.first.done = True
        self.rest()

    def lost(self):
        """Says that the program has put something of its own in our place."""
        return not self.first.done and (self.tool is None if hasattr(sys, "monitoring") else sys.gettrace() is not self.begin)


class Traced:
    """A call that is traced."""

    __slots__ = ("judging", "call")

    def __init__(self, judging, place):
        self.judging, self.call = judging, Call(place)

    def trace(self, frame, event, arg):
        judging, call = self.judging, self.call
        first = judging.first
        if first.done:
            return judging.rest()
        if event == "line":
            call.raised = False
            judging.apart(first.reached, call, frame, frame.f_lineno)
        elif event == "exception":
            call.raised = call.raised or not (issubclass(arg[0], StopIteration) and exhausts(frame))
        elif event == "return":
            at = instruction(frame)
            if at not in YIELDS or call.raised:
                judging.apart(first.over, call, frame, arg, not returns(at))
            if returns(at) and id(frame.f_code) in judging.builds:
                judging.apart(first.instances.built, frame)


def exhausts(frame):
    """Whether what is awaited or iterated over has come to its end: no exception leaves by that."""
    return frame.f_code.co_flags & RESTING or instruction(frame) in YIELDS + ("FOR_ITER",)


def jumps(code, place):
    """The instructions that go back within a statement, which begins no line anew."""
    line, found, lines = None, [], {}
    for x in dis.get_instructions(code):
        if x.opname == "LOAD_FAST_AND_CLEAR" and x.argval in code.co_cellvars and sys.version_info >= (3, 13):
            return frozenset()  # its comprehensions hide a captured variable: to look at that would end the program
        line = x.positions.lineno if x.positions is not None else line
        lines[x.offset] = place.source.begins(line)
        if x.opname.startswith("JUMP_BACKWARD"):
            found.append((x.offset, x.argval))
    return frozenset(at for at, to in found if lines[at] is not None and lines[at] == lines.get(to))
