# Calls back at lines and calls of chosen code, by sys.monitoring from Python 3.12
# on, which costs nothing elsewhere, and by sys.settrace before.
import opcode
import sys
import threading

ALL = object()  # in place of a set of lines


class Watch:
    """What is called back: lines(code) is the set of lines, ALL or None; calls(code)
    says whether a function's calls count. Both are asked once for each code object."""

    def __init__(self, lines, on_line, calls, on_enter, on_leave):
        self.lines, self.on_line = lines, on_line
        self.calls, self.on_enter, self.on_leave = calls, on_enter, on_leave
        self.known = {}

    def of(self, code):
        found = self.known.get(code)
        if found is None:
            found = self.known[code] = (self.lines(code), self.calls(code))
        return found

    def start(self):
        (self.monitor if hasattr(sys, "monitoring") else self.trace)()

    def way(self):
        return "sys.monitoring" if hasattr(sys, "monitoring") else "sys.settrace"

    def monitor(self):
        m, tool = sys.monitoring, 4  # 0 is a debugger's, 1 coverage's, 2 a profiler's, 5 the optimizer's
        e = m.events
        frame = sys._getframe

        def line(code, number):
            wanted = self.of(code)[0]
            if wanted is None or wanted is not ALL and number not in wanted:
                return m.DISABLE
            self.on_line(frame(1), number)

        def start(code, offset):
            if not self.of(code)[1]:
                return m.DISABLE
            self.on_enter(frame(1))

        def left(code, offset, value):
            if not self.of(code)[1]:
                return m.DISABLE
            self.on_leave(frame(1), value, None)

        def unwound(code, offset, error):  # cannot be switched off for one function
            if self.of(code)[1]:
                self.on_leave(frame(1), None, error)

        m.use_tool_id(tool, "aidb")
        events = e.LINE
        m.register_callback(tool, e.LINE, line)
        if self.on_enter is not None:
            events |= e.PY_START | e.PY_RETURN | e.PY_UNWIND
            m.register_callback(tool, e.PY_START, start)
            m.register_callback(tool, e.PY_RETURN, left)
            m.register_callback(tool, e.PY_UNWIND, unwound)
        m.set_events(tool, events)

    def trace(self):
        yields = {opcode.opmap[name] for name in ("YIELD_VALUE", "YIELD_FROM", "SEND") if name in opcode.opmap}

        def begin(frame, event, arg):
            lines, calls = self.of(frame.f_code)
            if lines is None and not calls:
                return None
            frame.f_trace_lines = lines is not None
            raised = [None]

            def local(frame, event, arg):
                if event == "line":
                    raised[0] = None
                    if lines is ALL or frame.f_lineno in lines:
                        self.on_line(frame, frame.f_lineno)
                elif event == "exception":
                    raised[0] = arg[1]
                elif event == "return" and calls:
                    last = frame.f_code.co_code[frame.f_lasti] if frame.f_lasti >= 0 else -1
                    if last in yields and raised[0] is None:
                        return local  # a generator rests
                    self.on_leave(frame, arg, raised[0] if arg is None else None)
                return local

            if calls and frame.f_lasti <= first(frame.f_code):
                self.on_enter(frame)
            return local

        threading.settrace(begin)
        sys.settrace(begin)


def first(code):
    """The offset up to which a call has only begun: a generator that goes on is beyond."""
    for offset in range(0, len(code.co_code), 2):
        if opcode.opname[code.co_code[offset]] == "RESUME":
            return offset
    return -1
