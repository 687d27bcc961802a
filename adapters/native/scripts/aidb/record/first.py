"""The moments at which a condition comes to hold: it is judged in front of each line of the functions of its
scope in which its names can have a value, each call by itself."""

import os
import re
import struct

from aidb.record import source, unset
from aidb.record.calls import chosen, loops, unknown
from aidb.record.common import callers, whole
from aidb.record.lines import closes
from aidb.record.notes import Refused

MOST = 4000  # lines in front of which it is judged
PLACE = re.compile(r"(.+):(\d+)$")
RESULT = re.compile(r"(?<![\w.>:])result\b")  # what a function has returned
LITERAL = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?$|0x[0-9a-f]+$|true$|false$|nullptr$")  # a value that stands for itself in a condition
ROOT = re.compile(r"(?:::)?([A-Za-z_]\w*(?:::[A-Za-z_]\w*)*)")


class Call:
    """A call in which it is judged."""

    def __init__(self, cfa, number):
        self.cfa, self.number = cfa, number
        self.ran, self.held, self.begun, self.was = None, False, False, []
        self.unset, self.at = None, 0  # names that have no value yet; where it was last


class First:
    def __init__(self, recorder, wish):
        self.recorder, self.debugger, self.notes, self.wish = recorder, recorder.debugger, recorder.notes, wish
        self.condition, self.left, self.number = wish["condition"], wish["limit"], 0
        self.changes = wish.get("changes")  # its values are wanted, and no moments
        self.last = {}  # of threads: the value at the last judgement
        self.judged = [0, 0, 0]  # how often, in vain, and 1 where that is all
        self.file = os.open(os.path.join(self.notes.records, "judged"), os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        self.calls, self.points = {}, []  # of threads, the outermost first; breakpoints
        self.bare = {}  # by where functions begin: variables that are declared there without a value
        for text, field in [(self.condition, "condition")] + [(x, "expressions") for x in wish.get("expressions") or []]:
            recorder.wellformed(text, field)
        self.operands = [x for x in source.operands(self.condition) if not x.endswith(")")][: source.FEW]
        self.roots = list(dict.fromkeys(ROOT.match(x).group(1) for x in self.operands))
        self.watch(self.scope(wish.get("scope") or []))

    def scope(self, parts):
        """The functions of the scope, each with the lines that are meant; None: all of them."""
        known, found = self.debugger.functions(), {}
        for part in parts or ["*"]:
            at = PLACE.match(part)
            if at is None:
                here = [(f, None) for f in chosen(known, [part])]
            else:
                file, line = os.path.realpath(at.group(1)), int(at.group(2))
                here = [(f, line) for f in known if os.path.realpath(f.file) == file and any(n == line for n, _ in f.lines())]
            if not here:
                raise Refused(unknown(self.debugger, [part]), "scope")
            for f, line in here:
                lines = found.setdefault(f.start, (f, set()))[1]
                lines.add(line)
        return [(f, None if None in lines else lines) for f, lines in found.values() if not f.library or parts]

    def watch(self, scope):
        lacking = set()
        named = "result" in self.roots and (self.debugger.is_global("result") or any("result" in f.visible for f, _ in scope))
        self.of_result = "result" in self.roots and not named
        if self.of_result:
            return self.watch_results(scope)
        for f, lines in scope:
            seen = f.visible
            missing = [x for x in self.roots if x not in seen and not self.debugger.is_global(x)]
            lacking.update(missing)
            if missing:
                continue
            self.follow(f, lines)
        if not self.points:
            raise Refused("no function of the scope has a value for %s" % ", ".join(sorted(lacking)), "condition")

    def watch_results(self, scope):
        """Where a call returns its own variables are no more."""
        other = [x for x in self.roots if x != "result" and not self.debugger.is_global(x)]
        if other:
            raise Refused("result is judged where the call is over, and %s is not readable there any more" % ", ".join(other), "condition")
        for f, lines in scope:
            self.follow(f, lines)
            for at in f.rets():
                self.points.append(self.debugger.break_address(at, lambda frame, f=f, lines=lines: self.returns(f, lines, frame)))

    def follow(self, f, lines):
        """Has the lines of a function's calls come to be known."""
        self.points.append(self.debugger.break_address(f.start if loops(f) else f.body, lambda frame: self.enter(f, lines, frame)))
        for _, at in f.lines():
            if loops(f) or at != f.body:
                self.points.append(self.debugger.break_address(at, lambda frame: self.reached(f, lines, frame)))
        if len(self.points) > MOST:
            raise Refused("the condition would be judged in front of more than %d lines: give a scope, as its functions or files" % MOST, "scope")

    def enter(self, f, lines, frame):
        """A call begins."""
        frame = whole(frame)
        cfa = frame.cfa_at_return() if loops(f) else frame.cfa()
        under = self.calls.setdefault(frame.key(), [])
        while under and under[-1].cfa <= cfa:
            under.pop()
        self.number += 1
        under.append(Call(cfa, self.number))
        if not loops(f):
            self.reached(f, lines, frame)

    def reached(self, f, lines, frame):
        frame = whole(frame)
        cfa, under = frame.cfa(), self.calls.get(frame.key(), [])
        while under and under[-1].cfa < cfa:
            under.pop()
        call = under[-1] if under and under[-1].cfa == cfa else None
        if call is None or self.left <= 0:
            return
        line = frame.at()[1]
        if self.of_result:
            if source.line(f.file, line).strip("};"):
                call.ran = line
            return
        within, call.at = line == call.ran and frame.pc() > call.at and not source.several(f.file, line), frame.pc()
        if within:
            return  # a statement that has several places is not over
        if line != call.ran and closes((f.file, line)) and any(call.ran is None or call.ran in f.visible[x] for x in self.roots if f.visible.get(x)):
            return  # nor may one be that declares a name of the condition: compilers make parts of it at the closing brace
        if line != call.ran:
            self.is_over(f, call)
        if (lines is None or line in lines) and not call.unset:
            self.judge(f, call, frame, line, self.condition)
        call.ran = line

    def is_over(self, f, call):
        """The statement of a call that ran has run: what it names may have a value from now on."""
        if call.unset is None:
            if f.start not in self.bare:
                self.bare[f.start] = unset.candidates(f, self.roots)
            call.unset = set(self.bare[f.start])
        if call.unset and call.ran is not None:
            call.unset -= unset.set_by(f, call.ran, call.unset)

    def returns(self, f, lines, frame):
        cfa, under = frame.cfa_at_return(), self.calls.get(frame.key(), [])
        while under and under[-1].cfa < cfa:
            under.pop()
        if not under or under[-1].cfa != cfa or self.left <= 0:
            return
        call = under.pop()
        if lines is not None and call.ran not in lines:
            return
        try:
            words = frame.result(f)
            if self.changes and words is not None and self.condition.strip() == "result":
                return self.compare(f, call, frame, 0, self.notes.value(words))
            if words is None or not LITERAL.match(words):
                raise frame.Wrong("result is %s, which no condition can be judged with" % (words or "nothing"))
        except frame.Wrong as wrong:
            return self.in_vain(wrong)
        self.judge(f, call, frame, 0, RESULT.sub(lambda _: "(%s)" % words, self.condition), words)

    def judge(self, f, call, frame, line, condition, result=None):
        if line and not frame.column() and any(line in f.visible.get(x, ()) for x in self.roots):
            return  # a variable that is declared in this very line may be set or not
        if line and self.debugger.PANICS and any(line in f.visible.get(x, ()) for x in self.roots) and self.bound(frame, line):
            return
        if self.changes:
            shown = self.recorder.shown(frame, condition)
            if "e" not in shown or result is not None or self.there(f, frame):
                self.compare(f, call, frame, line, shown)
            return
        try:
            holds = frame.truth(condition)
        except frame.Wrong as wrong:
            if result is not None or self.there(f, frame):
                self.in_vain(wrong)
            return
        self.judged[0] += 1
        values = [self.notes.value(result) if x == "result" and result is not None else self.recorder.shown(frame, x, pure=True) for x in self.operands]
        if holds and not call.held:
            self.moment(f, call, frame, line, values)
        call.begun, call.held, call.was = True, holds, values
        self.count()

    def bound(self, frame, line):
        """Says that a pattern of Rust in a line may be about to give a name of the condition its value, whose block
        begins with that."""
        declared = frame.declared()
        return any(declared.get(x) == line for x in self.roots)

    def there(self, f, frame):
        """Says that the variables which the condition names are there already."""
        names = set(frame.names())
        return not any(x not in names and x in f.visible for x in self.roots)

    def compare(self, f, call, frame, line, shown):
        """Notes the value of the condition where it is not that of the judgement before in this thread."""
        self.judged[0] += 1
        self.count()
        seen, who = [shown.get(x) for x in "veuw"], frame.thread()
        if self.last.get(who) != seen:
            self.last[who] = seen
            self.notes.write(self.event("changed", f, call, frame, line, [self.condition], [shown]))

    def event(self, kind, f, call, frame, line, names, values):
        """What tells of a judgement, with the values of the expressions."""
        expressions = self.wish.get("expressions") or []
        shown = values + [self.recorder.shown(frame, x) if line else {"e": "not readable here"} for x in expressions]
        e = self.recorder.event(kind, frame, c=call.number, h=self.judged[0], m="begun" if call.ran is None else "", a=names + expressions, v=shown)
        e.update(f=f.name, at="%s:%d" % (f.file, f.line if call.ran is None else call.ran), s=callers(frame)[1:])
        if line:
            e["y"] = "%s:%d" % (f.file, line)
        return e

    def in_vain(self, wrong):
        self.judged[0] += 1
        self.judged[1] += 1
        if self.judged[1] == 1:
            self.notes.remark("the condition could not be judged each time: %s" % wrong)
        self.count()

    def moment(self, f, call, frame, line, values):
        self.left -= 1
        e = self.event("moment", f, call, frame, line, self.operands, values)
        if call.begun:
            e["b"] = call.was
        self.notes.write(e)
        if self.left <= 0:
            for point in self.points:
                self.debugger.enable(point, False)

    def count(self):
        os.pwrite(self.file, struct.pack("<3q", *self.judged), 0)

    def ended(self):
        """The program has ended: these are all."""
        self.judged[2] = 1
        self.count()
