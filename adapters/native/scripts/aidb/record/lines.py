"""The lines of one call of a function, each with what it has changed."""

import re

from aidb.record import source, unset
from aidb.record.calls import DEEP, chosen, loops, unknown
from aidb.record.common import whole
from aidb.record.notes import Refused


class Lines:
    def __init__(self, recorder, wish):
        self.recorder, self.debugger, self.notes, self.wish = recorder, recorder.debugger, recorder.notes, wish
        self.seen, self.frame, self.at, self.old, self.done = 0, None, None, {}, False
        self.pc = 0  # where the line began that runs
        self.bare = set()  # variables of the call that are declared without a value, and that nothing has set yet
        self.unset = {}  # what lies in their places
        for text in wish.get("expressions") or []:
            recorder.wellformed(text, "expressions")
        if wish.get("condition"):
            recorder.wellformed(wish["condition"], "condition")
        known = self.debugger.functions()
        found = chosen(known, [wish["function"]])
        if not found:
            raise Refused(unknown(self.debugger, [wish["function"]]), "function")
        self.breaks, self.coming, self.last = [], set(), None
        self.ahead = {}  # by the starts of the functions: the lines of constants that are set where they begin
        self.pending = None  # a row that is written unless its line goes on, and what was known before it
        self.coming_up = {}  # variables in sight that have no value yet, with what lies there
        self.round = {}  # what variables held that have gone out of sight, by their names and the lines that declare them
        self.declared = {}  # the lines in which those in sight are declared: one may have the name of another
        for f in found:
            if loops(f):
                self.debugger.break_address(f.start, self.comes)
            self.debugger.break_address(f.body, lambda frame, f=f: self.enter(f, frame))
            ahead = constants(f) if self.debugger.PANICS else {}
            self.ahead[f.start] = set(ahead.values())
            out = set(ways_out(f)) if self.debugger.PANICS else set()
            within = handed_on(f) if self.debugger.PANICS else used(f)
            out -= within
            for _, at in f.lines():
                if at != f.body and at not in ahead and at not in within:
                    self.breaks.append(self.debugger.break_address(at, self.out if at in out else self.step, enabled=False))
            for at in f.rets():
                self.breaks.append(self.debugger.break_address(at, self.leave, enabled=False))

    def comes(self, frame):
        """A call begins, of a function whose body begins with a loop's."""
        self.coming.add((frame.key(), frame.cfa_at_return()))

    def enter(self, f, frame):
        frame = whole(frame)
        place = frame.key(), frame.cfa()
        again = loops(f) and place not in self.coming
        self.coming.discard(place)
        if again and place != self.frame:
            return  # the next round of a loop in a call that is not noted
        if self.frame is not None or self.done:
            if self.frame is not None:
                self.step(frame)
            return
        self.seen += 1
        if self.wish.get("call") and self.seen != self.wish["call"]:
            return
        if self.wish.get("condition"):
            try:
                if not frame.truth(self.wish["condition"]):
                    return
            except frame.Wrong:
                return
        self.frame, self.at, self.f, self.pc = (frame.key(), frame.cfa()), frame.at(), f, frame.pc()
        if self.at[1] in self.ahead[f.start]:
            self.at = None
        self.bare = unset.candidates(f, f.visible)
        self.old, self.declared = self.state(frame), frame.declared()
        for b in self.breaks:
            self.debugger.enable(b, True)

    def raising(self, frame):
        """An exception is thrown: what the call has changed by then, should it leave it."""
        self.last = None
        for _ in range(DEEP if self.frame is not None and self.frame[0] == frame.key() else 0):
            if frame is None:
                break
            if not frame.inlined() and frame.cfa() == self.frame[1]:
                self.last = self.state(frame)
                break
            frame = frame.older()

    def unwound(self, catcher):
        """An exception was caught: it may have left the call."""
        if self.frame is not None and catcher.key() == self.frame[0] and self.frame[1] < catcher.cfa():
            self.ended()

    def ended(self):
        """The call has not returned, and does not any more: the line in which it was."""
        if self.frame is None or self.at is None:
            return
        self.goes_on(None)
        self.frame, self.done = None, True
        e = {"k": "line", "at": "%s:%d" % self.at, "f": self.f.name}
        state = self.last or self.old
        changed = [n for n in state if changes(self.old.get(n), state[n])]
        asked = self.wish.get("expressions")
        if not asked:
            self.notes.write({**e, "a": changed, "v": [state[n] for n in changed]})
        elif changed:
            self.notes.write({**e, "v": [state[n] for n in asked]})

    def state(self, frame):
        asked = self.wish.get("expressions")
        state = {n: self.recorder.shown(frame, n) for n in (asked or frame.names())}
        for n in [n for n in state if unset.without(n, self.bare)]:
            if asked:
                state[n] = {"e": unset.without(n, self.bare)}
            else:
                del state[n]
        return state

    def living(self, frame, ran):
        """What can be seen now, without what is only in sight: a variable whose line has not run yet
        shows what lay in its place before."""
        state = self.state(frame)
        if self.wish.get("expressions"):
            return state
        declared = frame.declared()
        new = [n for n in state if n not in self.old or declared.get(n) != self.declared.get(n)]
        for n in (n for n in new if declared.get(n) not in self.ahead[self.f.start]):
            waits = self.coming_up.get(n) == state[n] and declared.get(n) != ran[1] or declared.get(n, 0) > ran[1]
            if waits:
                self.coming_up[n] = state[n]
                del state[n]
        self.coming_up = {n: v for n, v in self.coming_up.items() if n in declared and n not in state}
        self.declared = declared
        return state

    def step(self, frame):
        frame = whole(frame)
        if (frame.key(), frame.cfa()) == self.frame:
            self.ran(frame, frame.at())

    def out(self, frame):
        """A branch has run, and its line has ended: the next one is wherever the program goes on."""
        frame = whole(frame)
        if (frame.key(), frame.cfa()) != self.frame:
            return
        now = frame.at()
        goes_on = now in (self.at, self.pending and self.pending[1])  # the branch is empty
        self.ran(frame, now)
        if not goes_on:
            self.at = None

    def leave(self, frame):
        if (frame.key(), frame.cfa_at_return()) != self.frame:
            return
        self.ran(frame, None)
        self.frame, self.done = None, True
        for b in self.breaks:
            self.debugger.enable(b, False)

    def ran(self, frame, now):
        """The line that has run until now: what it has changed."""
        if self.goes_on(now):
            return
        ran, self.at = self.at, now
        began, self.pc = self.pc, frame.pc()
        if self.bare and ran is not None and now is not None:
            self.set_by(frame, ran, now)
        if ran is None and now is not None and not self.wish.get("expressions"):
            self.forget(frame.declared())
        if ran is None or ran == now and not self.wish.get("expressions"):
            self.at = now
            return
        known = self.declared
        state = self.living(frame, ran) if now is not None else self.old  # a frame that is being left shows nothing
        asked = self.wish.get("expressions")
        set_ahead = {} if asked or now is None else self.set_ahead(known, state)
        hidden = {} if asked or now is None else {n: line for n, line in known.items() if self.declared.get(n) != line}
        left = {} if self.debugger.PANICS else self.left_in(frame, began, hidden)
        state, shown = {n: v for n, v in state.items() if n not in left}, state
        differ = [n for n in state if n not in set_ahead and changes(None if n in hidden else self.old.get(n), state[n])]
        changed = [n for n in differ if not self.back(n, hidden) and not self.leaves(n, state[n], now)]
        changed += [n for n in left if changes(self.old.get(n), left[n])]
        before, self.old = self.old, self.last_read(shown, known)
        state.update(left)
        e = self.recorder.event("line", frame)
        e["at"] = "%s:%d" % ran
        row = None
        if asked:
            row = {**e, "v": [state[n] for n in asked]} if changed else None
        elif changed or not closes(ran):
            row = {**e, "a": changed, "v": [state[n] for n in changed]}
        if now is not None and closes(now) and not closes(ran) and not set_ahead:
            self.pending = row, ran, before
        elif row is not None:
            self.notes.write(row)
        for n, line in sorted(set_ahead.items(), key=lambda item: item[1]):
            self.notes.write({**e, "at": "%s:%d" % (ran[0], line), "a": [n], "v": [state[n]]})

    def set_by(self, frame, ran, now):
        """The line that has run may have set variables which had no value: not so where it goes on, as long as they
        hold what lay there before."""
        found = {n: self.recorder.shown(frame, n) for n in self.bare}
        self.bare -= {n for n in unset.set_by(self.f, ran[1], self.bare) if ran != now or found[n] != self.unset.get(n)}
        self.unset = {n: found[n] for n in self.bare}

    def back(self, name, hidden):
        """Says that a variable is in sight again that another one of its name has hidden in a block."""
        return name in hidden and self.declared.get(name, hidden[name]) < hidden[name]

    def left_in(self, frame, began, hidden):
        """What simple variables hold that went out of sight with the end of their block, as the line left them that
        began at a place: there is no code for the end of one."""
        names = [n for n in hidden if n in self.old and PLAIN.match(self.old[n].get("v", ""))]
        if not names:
            return {}
        frame.ran_at(began)
        found = {n: self.recorder.shown(frame, n) for n in names}
        frame.ran_at(None)
        return {n: v for n, v in found.items() if SIMPLE.match(v.get("v", ""))}

    def last_read(self, state, known):
        """What is known of the variables from now on. One that cannot be read, as what was moved away in Rust, may come
        in sight again as it was: the lines of a statement do not run in the order in which they stand."""
        self.round.update({(n, known.get(n)): v for n, v in self.old.items() if n not in state})
        again = {n for n, v in state.items() if "e" in v and n in self.old and known.get(n) == self.declared.get(n)}
        return {n: self.old[n] if n in again else v for n, v in state.items()}

    def leaves(self, name, value, now):
        """Says that a variable of a loop's head is only in sight once more, at the brace behind the loop: the head is
        over, and has given it nothing."""
        return now is not None and closes(now) and name not in self.old and self.round.get((name, self.declared.get(name))) == value

    def forget(self, declared):
        """What has gone out of sight since the last line ended."""
        self.declared = {n: line for n, line in self.declared.items() if declared.get(n) == line}
        self.old = {n: v for n, v in self.old.items() if n in declared}

    def set_ahead(self, known, state):
        """Variables that have come in sight, and hold what was put there where the function begins: the lines that
        declare them, which have no code where they stand."""
        ahead = self.ahead[self.f.start]
        return {n: line for n, line in self.declared.items() if line in ahead and n in state and known.get(n) != line}

    def goes_on(self, now):
        """Says that a line goes on, which compilers leave for the closing brace of its block to make the parts of
        what it gives. What has waited for that is written where it does not."""
        if self.pending is None or now == self.at:
            return False
        (row, ran, before), self.pending = self.pending, None
        if now == ran:
            self.at, self.old = ran, before
            return True
        if row is not None:
            self.notes.write(row)
        return False


# An instruction of those that put a constant into a variable on the stack.
CONSTANT = re.compile(r"mov\w*\s+\$|lea\w*\s+\S+\(%rip\)|mov\w*\s+%\w+, ?\S*\(%r[sb]p\)")


def constants(f):
    """The places at the beginning of a function of Rust where the compiler sets variables that only hold a constant,
    though they are declared behind what runs next: each with the line of that, to which the run has not come."""
    rows, code = sorted((at, line) for line, at in f.lines() if at >= f.body), f.code()
    found = {}
    for (at, line), (after, _) in zip(rows, rows[1:]):
        if not source.line(f.file, line).startswith("let ") or not all(CONSTANT.match(text) for i, text in code if at <= i < after):
            return {at: declared for at, declared in found.items() if declared > line}
        found[at] = line
    return {}


BRANCHES = re.compile(r"^(?!.*\b(?:break|continue|return)\b)(?:(?:\} *)?(?:else +)?(?:if|match)\b|.*=> *\{$)")


def ways_out(f):
    """The places of a function of Rust where a branch has run and a jump past the others follows, which has the
    line of the whole condition: the run does not come to that again. What stands behind the jump is come to from elsewhere."""
    jumps = {at for at, text in f.code() if re.match(r"(?:jmp|b)\s", text)}
    return [at for line, at in f.lines() if at in jumps and BRANCHES.match(source.line(f.file, line))]


PATTERN = re.compile(r"=> *\{$|\|$|^\|")


def handed_on(f):
    """The places of a function of Rust where a pattern has given its variables, and a jump to what it leads to
    follows, which has the line of the whole match: these variables come in sight behind that."""
    rows, jumps = sorted((at, line) for line, at in f.lines()), {at for at, text in f.code() if re.match(r"(?:jmp|b)\s", text)}
    return {at for (_, before), (at, line) in zip(rows, rows[1:]) if at in jumps and line != before and PATTERN.search(source.line(f.file, before))}


BINDING = re.compile(r"^(?:static |const )*auto *&{0,2} *\[[\w ,]+\] *[={(]")


def used(f):
    """The places of a function of C++ where a name of a structured binding is used: they have the line of that,
    to which the run does not come again."""
    found, seen, last = set(), set(), None
    for at, line in sorted((at, line) for line, at in f.lines()):
        if line != last and line in seen and BINDING.match(source.line(f.file, line)):
            found.add(at)
        seen.add(line)
        last = line if at not in found else last
    return found


def closes(at):
    """Says that a line is only a closing brace."""
    return source.line(*at).strip("};") == ""


ADDRESS = re.compile(r"0x[0-9a-f]+")
SIMPLE = re.compile(r"^(?:-?\d[\d.e+-]*(?: '.*')?|true|false|0x[0-9a-f]+|nullptr)$")
PLAIN = re.compile(SIMPLE.pattern + r"|^\{")  # what a pointer leads to, which may be none as its block ends


def changes(old, new):
    """Says that a value is another one than before. A pointer of which only the address is shown is the same
    while it leads to the same place."""
    if "e" in new:
        return False
    if old is not None and ADDRESS.fullmatch(new["v"]):
        return old.get("v") != new["v"]
    return old != new
