"""The ways to a line, in the code of a function: the debuggers put a breakpoint at the lowest of a line's
instructions, which may belong to unwinding, or to another block than the program comes by. Knows no debugger."""

import re

MOST = 200000  # bytes of a function that is looked at
JUMP = re.compile(r"^(?:bnd |notrack )*(j\w+)\s+(?:0x)?([0-9a-f]+)\b(?!\()")
ANY_JUMP = re.compile(r"^(?:bnd |notrack )*j\w+\b")
ENDS = re.compile(r"^(?:(?:bnd |rep\w* )*ret|ud2|hlt)|^call.*\b(?:_Unwind_Resume|__cxa_rethrow|__cxa_throw|__stack_chk_fail|abort)\b")
RETURNS = re.compile(r"^(?:bnd |rep\w* )*ret")


class Unclear(Exception):
    """It is not known where the code goes."""


class Flow:
    """Where each instruction of a function leads, by their numbers. Code is pairs of place and text, in order."""

    def __init__(self, code):
        if any(ANY_JUMP.match(text) and not JUMP.match(text) for _, text in code):
            raise Unclear  # a table of jumps, as of a coroutine that is resumed
        self.number = {at: i for i, (at, _) in enumerate(code)}
        self.next = [self.after(code, i) for i in range(len(code))]
        self.returning = self.towards({i for i, (_, text) in enumerate(code) if RETURNS.match(text) or self.is_tail(text)})
        self.reached = self.reach(self.next, [0])
        self.onward = self.without_loops()

    def is_tail(self, text):
        found = JUMP.match(text)
        return bool(found) and int(found.group(2), 16) not in self.number

    def after(self, code, i):
        text = code[i][1]
        jump, found = JUMP.match(text), []
        if jump and int(jump.group(2), 16) in self.number:
            found.append(self.number[int(jump.group(2), 16)])
        always = ANY_JUMP.match(text) and (not jump or jump.group(1) in ("jmp", "jmpq"))
        if i + 1 < len(code) and not always and not ENDS.match(text):
            found.append(i + 1)
        return found

    def towards(self, ends):
        """What leads to one of these."""
        back = [[] for _ in self.next]
        for i, after in enumerate(self.next):
            for to in after:
                back[to].append(i)
        return self.reach(back, ends)

    @staticmethod
    def reach(flow, starts, by=None):
        """All that is come to from somewhere, through what is told."""
        seen, open_ = set(starts), list(starts)
        while open_:
            for to in flow[open_.pop()]:
                if to not in seen and (by is None or to in by):
                    seen.add(to)
                    open_.append(to)
        return seen

    def without_loops(self):
        """The flow without what leads back to where it came from."""
        onward, done, path = [[] for _ in self.next], {0}, [(0, iter(self.next[0]))]
        under_way = {0}
        while path:
            at, rest = path[-1]
            to = next(rest, None)
            if to is None:
                under_way.discard(at)
                path.pop()
            elif to not in under_way:
                onward[at].append(to)
                if to not in done:
                    done.add(to)
                    under_way.add(to)
                    path.append((to, iter(self.next[to])))
        return onward


    def leads(self, one, other):
        """Says that one place comes before the other in a pass of the code, loops left out."""
        one, other = self.number.get(one), self.number.get(other)
        return one is not None and other in self.reach(self.onward, [one]) and one in self.reached

    def others(self, rows, chosen):
        """Where one comes to a line without one of the chosen places. Rows are where the line begins in the code.
        One pass is not to stop twice."""
        good = self.reached & (self.returning or self.reached)
        kept, found = [c for c in chosen if self.number.get(c) in good], []
        for at in sorted(set(rows) - set(chosen)):
            entry = self.number.get(at)
            if entry in good and entry and not any(self.leads(k, at) or self.leads(at, k) for k in kept):
                kept.append(at)
                found.append(at)
        return found
