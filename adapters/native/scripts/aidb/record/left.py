"""Where main is left: the statement from which the program comes to the end of it. What main
gives back is the exit code. Knows no debugger."""

import os
import re

from aidb.record import source
from aidb.record.common import ROUND

MOST = 1000  # times that one place is looked at: one in a loop leaves nothing
LONGEST = 4000  # instructions of a main that are read
BARE = re.compile(r"^[})\];,\s]*$")
FRAME = re.compile(r"^(leave|pop|ret|nop|add\w*\s+\$(0x)?[0-9a-f]+,\s*%rsp)")
JUMPS = re.compile(r"^(jmp\w*|ret\w*|hlt|ud2|int3)\b")
GIVES = re.compile(r"\breturn\b")
ASYNC = re.compile(r"\basync\s+fn\s+main\b|^#\[.*\bmain\b")


NOWHERE = (None, 0, (1 << 64) - 1)


class Left:
    """Watches the ways out of main, each of which is gone once; at is where the last began."""

    def __init__(self, recorder):
        self.recorder, self.debugger = recorder, recorder.debugger
        self.rust, self.event, self.seen, self.points = self.debugger.PANICS, None, {}, {}
        if os.uname().machine != "x86_64":
            return
        for f in self.debugger.functions():
            if self.main(f):
                self.watch(f)

    def main(self, f):
        if f.library or not f.file:
            return False
        if not self.rust:
            return f.name == "main"
        if f.name.count("::") != 1 or not f.name.endswith("::main"):
            return False
        # Of an async one this is what a macro has written around it, in lines of the body.
        return not any(ASYNC.search(source.line(f.file, n)) for n in range(max(1, f.line - 3), f.line + 2))

    def watch(self, f):
        code = [(at, text.strip()) for at, text in f.code()]
        if not code or len(code) > LONGEST:
            return
        lines = {at: self.debugger.row(at)[0] for at, _ in code}
        ways = ways_out(f.file, code, lines)
        if not self.rust:
            ways = [at for at in ways if gives(f.file, lines[at])]
            if not self.all_there(f, {lines[at] for at in ways}):
                return
        for at in ways:
            self.points[at] = self.debugger.break_address(at, self.leaving)

    def all_there(self, f, found):
        """Says that each return of main is one of the ways, or is another function's that stands in it: a compiler
        that optimizes makes one of several, which then has the line of any of them."""
        last = max((line for line, _ in f.lines()), default=f.line)
        missing = {n for n in range(f.line, last + 1) if gives(f.file, n)} - found
        if not missing:
            return True
        inner = [g for g in self.debugger.functions() if g.start != f.start and g.file == f.file and f.line <= g.line <= last]
        return missing <= {line for g in inner for line in {g.line, *(line for line, _ in g.lines())}}

    def leaving(self, frame):
        pc = frame.pc()
        self.seen[pc] = self.seen.get(pc, 0) + 1
        if self.seen[pc] > MOST:
            self.debugger.enable(self.points[pc], False)
            self.event = None
            return
        if any(frame.address_of(name) in NOWHERE for name in frame.names()):
            self.event = None  # what is kept in registers was optimized, and its lines are not those of the source
            return
        self.event = self.recorder.fate.ending(frame)


def gives(file, line):
    return GIVES.search(source.TEXT.sub('""', source.line(file, line))) is not None


def ways_out(file, code, lines):
    """The instructions from which the program comes to the end of a function: to what stands in the line of its
    closing bracket, and in those of others on the way there."""
    last, before = None, {}
    for at, text in code:
        if last is not None and not JUMPS.match(last[1]):
            before.setdefault(at, []).append(last[0])
        m = ROUND.match(text)
        if m:
            before.setdefault(int(m.group(1), 16), []).append(at)
        last = at, text
    texts = dict(code)
    closes = {n: BARE.match(source.line(file, n)) is not None for n in set(lines.values())}

    def closing(at):
        return closes[lines[at]] or FRAME.match(texts[at]) is not None

    todo = [at for at, text in code if text.startswith("ret")]
    seen, ways = set(todo), []
    while todo:
        for at in before.get(todo.pop(), ()):
            if at in seen or at not in texts:
                continue
            seen.add(at)
            if closing(at):
                todo.append(at)
            elif not ROUND.match(texts[at]) or texts[at].startswith("jmp"):
                ways.append(at)
    return ways
