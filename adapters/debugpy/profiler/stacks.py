# Tables of what was seen: functions, stacks of (function, line) and what each weighs. Stacks
# are kept as code objects and offsets, which are looked up when they are written down.
import os
import sys

from .lines import Lines

DEEPEST = 160  # frames of a stack that are kept: the innermost, and of those around them the outermost
OUTER = 40
MOST = 20000  # stacks that are told apart; what comes after that is counted as one

HERE = os.path.dirname(os.path.abspath(__file__))
HIDDEN = [(HERE,)]  # where the files lie of what is not the program's: ours, and a debugger's


def hide_others():
    HIDDEN[0] += ("pydevd.py",)  # what we have put into the program besides goes by this name
    for name in ("debugpy", "pydevd"):
        file = getattr(sys.modules.get(name), "__file__", None)
        if file:
            HIDDEN[0] += (os.path.dirname(os.path.abspath(file)),)


def walk(frame):
    """The stack of a frame, innermost first: (code, offset), without what is hidden."""
    stack, hidden = [], HIDDEN[0]
    while frame is not None:
        code = frame.f_code
        if not code.co_filename.startswith(hidden):
            stack.append((code, frame.f_lasti))
        frame = frame.f_back
    if len(stack) > DEEPEST:
        stack[DEEPEST - OUTER : len(stack) - OUTER] = [None]
    return tuple(stack)


class Table:
    """What stacks weigh: by thread and stack how often it was seen, and the sum of a weight."""

    def __init__(self):
        self.weights = {}
        self.lost = 0

    def add(self, thread, stack, count, weight):
        key = (thread, stack)
        have = self.weights.get(key)
        if have is not None:
            have[0] += count
            have[1] += weight
        elif len(self.weights) < MOST:
            self.weights[key] = [count, weight]
        else:
            self.lost += count
            rest = self.weights.setdefault((thread, ()), [0, 0])
            rest[0] += count
            rest[1] += weight

    def written(self):
        """The same as numbers in tables, for JSON."""
        codes, numbers, lines, samples = [], {}, {}, []
        for (thread, stack), (count, weight) in list(self.weights.items()):
            frames = []
            for entry in stack:
                if entry is None:
                    frames.append([-1, 0])
                    continue
                code, offset = entry
                number = numbers.get(id(code))
                if number is None:
                    number = numbers[id(code)] = len(codes)
                    codes.append([getattr(code, "co_qualname", code.co_name), code.co_filename, code.co_firstlineno])
                    lines[number] = Lines(code)
                frames.append([number, lines[number].at(offset)])
            samples.append([thread, count, weight, frames])
        return {"codes": codes, "samples": samples, "lost": self.lost}
