"""Notes what package recording's Wish names, in a debugger whose breakpoints call us and
never stop. The debugger is told apart by what is given as one: see aidb.record.gdb."""

import re

from aidb.record import source, unset
from aidb.record.calls import Calls
from aidb.record.common import uncalled
from aidb.record.fate import Fate
from aidb.record.first import First
from aidb.record.lines import Lines, constants
from aidb.record.notes import Refused
from aidb.record.passes import Passes
from aidb.record.scattered import Scattered
from aidb.record.writes import Writes

# What gdb and LLDB say of an expression that would call something in the program.
CALLED = "may-call-functions", "without a running target"

PLAIN = re.compile(r"^[A-Za-z_]\w*$")


def passed(f, line, at):
    """Says that a jump of a function leads from before a place where one of its lines begins to further code of that line."""
    further = {address for own, address in f.lines() if own == line and address > at}
    return any(start < at and to in further for start, to in f.jumps())


class Recorder:
    def __init__(self, debugger, notes, wish):
        self.debugger, self.notes, self.wish = debugger, notes, wish
        self.calls = self.lines = self.writes = self.first = self.fate = None
        self.hits, self.passes = {}, []
        self.unset = {}  # by instruction: variables of the function around it that have no value yet where it is come to

    def possible(self):
        """Prepares all; says whether the program is to be run. What is wrong with a wish is said before."""
        try:
            self.prepare()
        except Refused as refused:
            self.notes.write({"k": "refused", "m": str(refused), "a": [refused.field] + ["part"] * refused.part})
            return False
        return True

    def prepare(self):
        writes = self.wish.get("writes")
        if writes and writes.get("watch"):  # first: where a write and a breakpoint are told at once, the write comes first
            self.writes = Writes(self, writes)
        for number, probe in enumerate(self.wish.get("values") or []):
            self.probe(number, probe)
        if writes and not writes.get("all") and writes.get("expression") and not writes.get("watch"):
            self.ask_place(writes)
        if self.wish.get("calls") is not None:
            self.calls = Calls(self, self.wish["calls"], lenient=bool(writes))
        if self.wish.get("lines"):
            self.lines = Lines(self, self.wish["lines"])
        if self.wish.get("first"):
            self.first = First(self, self.wish["first"])
        self.fate = Fate(self)
        if self.writes is not None and self.writes.thin is not None:
            self.writes.thin.prepared()
        if self.debugger.PANICS:
            from aidb.record.panics import Panics  # which reads on what the debugger has made of LLDB's interface
            Panics(self)

    def ended(self):
        """The program has ended: what was under way will not go on."""
        if self.writes is not None:
            self.writes.ended()
        for passes in self.passes:
            passes.ended()
        for what in (self.lines, self.first):
            if what is not None:
                what.ended()

    def wellformed(self, text, field):
        wrong = source.malformed(text, self.debugger.token())
        if not wrong and source.changes(text):
            wrong = "it changes something, and a recorder only reads"
        if wrong:
            raise Refused("%s cannot be evaluated: %s" % (text, wrong), field)

    def probe(self, number, probe, field="expressions"):
        for text in probe["expressions"]:
            self.wellformed(text, field)
        if probe.get("condition"):
            self.wellformed(probe["condition"], "condition")
        file, line = probe["file"], probe["line"]
        passes, places = Passes(self.note), Scattered(self.debugger.leads) if self.debugger.PANICS else None  # macros of Rust scatter their lines
        ahead = set()  # where what the line declares is set before the program comes to the line
        come = lambda frame: frame.pc() not in ahead and (places is None or places.begins(frame)) and self.note(self.looked(number, probe, frame))  # noqa: E731
        actual = self.debugger.break_line(file, line, lambda frame: come(frame))  # noqa: PLW0108 - which is another for a loop
        if actual is None:
            raise Refused("%s:%d has no code in the program, and no line is known that could take its place; what is generic has code only for "
                          "the types with which it is used" % (file, line), "location")
        if actual != line and source.is_statement(file, line):  # what a call there does may have been put in place of it
            self.notes.write({"k": "apart", "m": "line %d has no code of its own: %d is the next that has, and only what comes to that is noted" % (line, actual)})
        elif actual != line:
            self.notes.remark("line %d has no code: %d is the next that has" % (line, actual))
        if self.debugger.PANICS and not probe.get("places"):
            ahead |= {at for f, at in self.debugger.begun(file, actual) if at in constants(f)}
        if ahead:
            self.notes.write({"k": "apart", "m": "the compiler sets the constant of line %d where its function begins, which is no pass of the line and not noted: "
                                                 "how often the run comes to it is not seen; the line of the next statement is" % actual})
        if not self.debugger.PANICS and any(passed(f, actual, at) for f, at in self.debugger.begun(file, actual)):
            self.notes.write({"k": "apart", "m": "the loop in line %d is also led into at its condition, past its beginning: "
                                                 "what comes to it so is not noted; a line of its body is" % actual})
        loops = self.debugger.rounds(file, actual) if source.goes_round(file, actual) else ()
        if not loops:
            return
        self.passes.append(passes)
        come = lambda frame: passes.comes(frame, self.looked(number, probe, frame))  # noqa: E731
        for head, after in loops:
            self.debugger.break_address(head, lambda frame: passes.round(frame, self.looked(number, probe, frame)))
            self.debugger.break_address(after, passes.over)

    def ask_place(self, writes):
        """The first of two runs: where the expression lies."""
        probe = {"expressions": [writes["expression"]], "places": True, "file": writes.get("file"), "line": writes.get("line")}
        if probe["file"]:
            self.probe(0, probe, "expression")
            return
        self.wellformed(writes["expression"], "expression")
        self.debugger.break_main(lambda frame: self.hit(0, probe, frame))

    def hit(self, number, probe, frame):
        self.note(self.looked(number, probe, frame))

    def note(self, pass_):
        """Notes a pass of a line, and counts it: a number of a probe, and what is known of it, nothing where its condition does not hold."""
        number, e = pass_
        self.hits[number] = self.hits.get(number, 0) + 1
        if e is not None:
            self.notes.write({**e, "h": self.hits[number]})

    def looked(self, number, probe, frame):
        """What is known of a pass."""
        lacking = set() if probe.get("places") else self.without_value(frame)
        if probe.get("condition"):
            try:
                if unset.without(probe["condition"], lacking):
                    raise frame.Wrong(unset.without(probe["condition"], lacking))
                if not frame.truth(probe["condition"]):
                    return number, None
            except frame.Wrong as wrong:
                return number, self.event("hit", frame, p=number, v=[{"e": "condition: %s" % wrong}])
        frames = probe.get("frames") or [0] * len(probe["expressions"])
        values = [self.value(self.older(frame, n), text, probe.get("places"), lacking if n == 0 else set()) for n, text in zip(frames, probe["expressions"])]
        return number, self.event("hit", frame, p=number, v=values)

    def value(self, frame, text, places, lacking):
        why = unset.without(text, lacking)
        return {"e": why} if why else self.shown(frame, text, places)

    def without_value(self, frame):
        """The variables that have no value yet where a frame is, for they are declared without one."""
        pc = frame.pc()
        if pc not in self.unset:
            f = None if frame.inlined() else self.debugger.function_around(frame)
            self.unset[pc] = unset.untouched(f, pc, frame.at()[1], f.visible) if f is not None else set()
        return self.unset[pc]

    @staticmethod
    def older(frame, n):
        while n and frame is not None:
            frame, n = frame.older(), n - 1
        return frame

    def shown(self, frame, text, places=False, pure=False):
        """The value of an expression, with its place if that is asked for."""
        if frame is None:
            return {"e": "there is no such caller"}
        try:
            words, at = frame.evaluate(text, pure)
        except frame.Wrong as wrong:
            said = str(wrong)
            if any(words in said for words in CALLED):
                said = uncalled(text)
            return {"e": self.notes.cut(said)}
        if places and isinstance(at, str):
            return {"e": at}
        value = self.notes.value(words)
        if places and at is not None:
            value["o"] = self.place(frame, *at)
        return value

    def place(self, frame, address, size, of):
        """A place in words that another run understands: where, how long, of which type, and whose variable it is."""
        text = "%#x|%d|%s" % (address, size, of)
        owner = self.owner(frame, address)
        return text + "|%s|%#x" % owner if owner else text

    def owner(self, frame, address):
        """The function, and its frame, in which an address of the stack lies; None elsewhere."""
        if not frame.on_stack(address):
            return None
        for _ in range(200):
            if frame is None:
                return None
            if address < frame.cfa():
                return frame.function(), frame.cfa()
            frame = frame.older()
        return None

    def event(self, kind, frame, **more):
        """An event that is noted now."""
        if self.writes is not None:
            self.writes.happens(frame)
        return self.describe(kind, frame, **more)

    @staticmethod
    def describe(kind, frame, **more):
        e = {"k": kind, "at": "%s:%d" % frame.at(), "f": frame.function()}
        t = frame.thread()
        if t:
            e["t"] = t
        e.update((k, v) for k, v in more.items() if v)
        return e

    def read(self, frame, text, changed=None, was="", target=""):
        """What a piece of source reads, as names and values; changed is a place that has just been written to, and target
        is the source that names it."""
        names, values = [], []
        written = self.names_of(frame, source.operands(target + " " + text), changed) if changed is not None else []
        stepped = [n for n in source.operands(text) if source.is_stepped(n, text) and n not in written] if changed is not None else []
        for name in source.operands(text):
            if len(names) == source.FEW:
                break
            if name in stepped or source.leads_through(name, written + stepped):
                continue  # it is another by now, or leads elsewhere
            name, shown = self.readable(frame, name)
            if changed is not None and shown is not None and "*" + name in text:
                behind = self.shown(frame, "*" + name, True, True)
                if behind.get("o") == changed:
                    name, shown = "*" + name, behind
            if shown is None or name in names:
                continue
            if changed is not None and shown.get("o") == changed:
                if not was:
                    continue  # nothing of it was there
                shown["v"] = was
            names.append(name)
            values.append(shown)
        return names, values

    def names_of(self, frame, chains, place):
        """Those of some chains of members that are a place."""
        return [c for c in chains if self.shown(frame, c, True, True).get("o") == place]

    def readable(self, frame, chain):
        """As much of a chain of members as can be read without a call: of a.b.c() it is a.b."""
        while chain:
            shown = self.shown(frame, chain, True, True)
            if "e" not in shown:
                return chain, shown
            if not chain.endswith(")"):
                break
            chain = source.receiver(chain)
        return chain, None
