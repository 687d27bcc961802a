# Has sys.monitoring (Python 3.12 and newer) call traces, at the code that they mean and nowhere
# else. One number among its tools does for all traces, and is given back with the last.
import dis
import sys

from .counting import ENTER, LEAVE, PASS, WRITTEN, Refused
from .finding import Found

NUMBERS = (4, 3)  # 0 is a debugger's, 1 coverage's, 2 a profiler's, 5 the optimizer's
NAME = "aidb trace"


class Monitor:
    def __init__(self):
        self.tool = None
        self.places = {}  # id of a code object: [itself, {line: traces}, {trace}, {offset: [(trace, variable, before?)]}]

    def arm(self, trace, asked):
        m, e, found = sys.monitoring, sys.monitoring.events, Found()
        marks = self.marks(trace, asked, found)
        if self.tool is None:
            self.take()
        changed = []
        for code, kind, what in marks:
            place = self.places.setdefault(id(code), [code, {}, [], {}])
            if kind == PASS:
                place[1].setdefault(what, []).append(trace)
            elif kind == ENTER:
                place[2].append(trace)
            else:
                place[3].setdefault(what[0], []).append((trace,) + what[1:])
            changed.append(place)
        trace.end = lambda: self.disarm(trace)
        self.listen(changed)
        return len(marks), []

    def marks(self, trace, asked, found):
        if asked["written"]:
            return self.stores(asked, found)
        if asked["file"]:
            _, codes = found.line(asked["file"], asked["line"])
            return [(code, PASS, asked["line"]) for code in codes]
        return [(code, ENTER, None) for code in found.functions(asked["functions"])]

    def stores(self, asked, found):
        variable, marks = asked["variable"], []
        for code, _, scope, _ in found.all.values():
            at = variable.writes(code, scope)
            if at:
                offsets = [i.offset for i in dis.get_instructions(code) if i.opname != "CACHE"]
                for offset in at:
                    marks.append((code, WRITTEN, (offset, variable, True)))
                    after = [o for o in offsets if o > offset][:1]
                    marks += [(code, WRITTEN, (o, variable, False)) for o in after]
        if not marks:
            raise Refused("no statement of the code that is loaded writes %s" % asked["written"])
        return marks

    def take(self):
        m = sys.monitoring
        self.tool = next((n for n in NUMBERS if m.get_tool(n) is None), None)
        if self.tool is None:
            raise Refused("the program has taken all numbers of sys.monitoring that a trace may have (%s): %s" % (", ".join(map(str, NUMBERS)), ", ".join(str(m.get_tool(n)) for n in NUMBERS)))
        m.use_tool_id(self.tool, NAME)
        e = m.events
        for event, call in self.callbacks():
            m.register_callback(self.tool, event, call)

    def callbacks(self):
        e, frame, places, off = sys.monitoring.events, sys._getframe, self.places, sys.monitoring.DISABLE
        pending = {}

        def line(code, number):
            place = places.get(id(code))
            traces = place[1].get(number) if place is not None else None
            if traces is None:
                return off
            for trace in traces:
                trace.hit(PASS, frame(1))

        def start(code, offset):
            place = places.get(id(code))
            for trace in place[2] if place is not None else ():
                trace.hit(ENTER, frame(1))

        def left(code, offset, value):
            place = places.get(id(code))
            for trace in place[2] if place is not None else ():
                trace.hit(LEAVE, frame(1), value, None, True)

        def unwound(code, offset, error):  # cannot be switched on for one function alone
            place = places.get(id(code))
            for trace in place[2] if place is not None else ():
                trace.hit(LEAVE, frame(1), None, error, True)

        def instruction(code, offset):
            place = places.get(id(code))
            at = place[3].get(offset) if place is not None else None
            if at is None:
                return off
            f = frame(1)
            for trace, variable, before in at:
                if not before and (id(f), trace) in pending:
                    (was, at_line), now = pending.pop((id(f), trace)), variable.get()
                    if variable.scope is f.f_globals or was is not now:
                        trace.hit(WRITTEN, f, was, now, at_line)
            for trace, variable, before in at:  # after what belongs to the instruction before
                if before:
                    pending[id(f), trace] = variable.get(), f.f_lineno

        return [(e.LINE, line), (e.PY_START, start), (e.PY_RETURN, left), (e.PY_UNWIND, unwound), (e.INSTRUCTION, instruction)]

    def listen(self, changed):
        """Has the interpreter call for what is there now."""
        m, e = sys.monitoring, sys.monitoring.events
        for code, lines, calls, stores in changed:
            m.set_local_events(self.tool, code, 0)  # or places that were silenced would stay so
            m.set_local_events(self.tool, code, (e.LINE if lines else 0) | (e.PY_START | e.PY_RETURN if calls else 0) | (e.INSTRUCTION if stores else 0))
        m.set_events(self.tool, e.PY_UNWIND if any(place[2] for place in self.places.values()) else 0)

    def disarm(self, trace):
        changed = []
        for key, place in list(self.places.items()):
            for at, traces in list(place[1].items()):
                place[1][at] = [t for t in traces if t is not trace]
                if not place[1][at]:
                    del place[1][at]
            place[2] = [t for t in place[2] if t is not trace]
            for at, marks in list(place[3].items()):
                place[3][at] = [mark for mark in marks if mark[0] is not trace]
                if not place[3][at]:
                    del place[3][at]
            changed.append(place)
            if not any(place[1:]):
                del self.places[key]
        if self.tool is None:
            return
        self.listen(changed)
        if not self.places:
            for event, _ in self.callbacks():
                sys.monitoring.register_callback(self.tool, event, None)
            sys.monitoring.free_tool_id(self.tool)
            self.tool = None
