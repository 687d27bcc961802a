# The line at which a function stands, by the offset of its instruction.
#
# Not every instruction is of a line: the jump back at a loop's end is reached from several.
# CPython says so from 3.10 on, with None; before, it counts such ones to the line that stands
# above them in its table, which may never run. They belong to the line that comes next: of a
# jump back that is the loop's. Where none comes next (an error goes on), they belong to the
# function's first line.
import sys

VERSION = sys.version_info[:2]
OLD = VERSION < (3, 10)  # there, offsets and jumps are counted in bytes, and no instruction is without a line
EXTENDED, FORWARD, ABSOLUTE, BACKWARD, FOR_ITER = 144, 110, 113, (140, 134), 93
ENDS, KNOWN = (119,), VERSION <= (3, 13)
CACHED = 0  # bytes behind a jump back, from which it is counted
WITH, TESTS = (143, 154), ()  # what begins a with; what else jumps, to where it says
if OLD:
    BACKWARD, ENDS, TESTS = (), (48, 83) if VERSION == (3, 9) else (83,), (111, 112, 114, 115) + ((121,) if VERSION == (3, 9) else ())
elif VERSION == (3, 10):
    BACKWARD = ()
elif VERSION == (3, 13):
    EXTENDED, FORWARD, ABSOLUTE, BACKWARD, ENDS, CACHED = 71, 79, -1, (77, 78), (102,), 2
if VERSION > (3, 10):
    ABSOLUTE = -1
LONGEST = 200  # instructions to the next line
EXIT = 32  # bytes between the end of what is in a with and what stands for an error there


class Lines:
    """The lines of a function."""

    def __init__(self, code):
        self.first, self.text, self.marks = code.co_firstlineno, code.co_code, []  # marks are (offset, line), in order
        if OLD:
            self.old(code)
            return
        without = []
        for start, _, line in code.co_lines():
            self.marks.append((start, line))
            if line is None:
                without.append(len(self.marks) - 1)
        found = [self.next(self.marks[i][0]) for i in without]
        for i, line in zip(without, found):
            self.marks[i] = (self.marks[i][0], line)

    def at(self, offset):
        """The line of an instruction; the function's first one, of one before the first."""
        low, high = 0, len(self.marks)
        while low < high:
            middle = (low + high) // 2
            if self.marks[middle][0] > offset:
                high = middle
            else:
                low = middle + 1
        return self.marks[low - 1][1] if low else self.first

    def next(self, offset, passed=()):
        """The line that comes next from an instruction, which has none itself, nor have those passed."""
        for _ in range(LONGEST):
            line = None if offset in passed else self.begins(offset)
            if line is not None:
                return line
            op, to, after = self.read(offset) if KNOWN else (-1, None, None)
            if op in ENDS or op < 0:
                break
            offset = after
            if op == FORWARD or op == ABSOLUTE or op in BACKWARD:
                offset = to
                if OLD and offset not in passed:
                    return self.at(offset)
        return self.first

    def begins(self, offset):
        """The line of an instruction; of an old one only if its line begins there."""
        if not OLD:
            return self.at(offset)
        return self.starting.get(offset)

    def read(self, offset):
        """The instruction at an offset, where it jumps to if it jumps, and the one behind it."""
        argument, text, unit = 0, self.text, 1 if OLD else 2
        while offset + 1 < len(text):
            op = text[offset]
            argument = argument << 8 | text[offset + 1]
            offset += 2
            if op == EXTENDED:
                continue
            if op in BACKWARD:
                return op, offset + CACHED - argument * unit, offset
            if op == FORWARD or OLD and (op == FOR_ITER or op in WITH):
                return op, offset + argument * unit, offset
            if op == ABSOLUTE or op in TESTS:
                return op, argument * unit, offset
            return op, None, offset
        return -1, None, offset

    def old(self, code):
        """Fills in the lines of a function of an old Python."""
        table, offset, line = code.co_lnotab, 0, code.co_firstlineno
        self.marks.append((0, line))
        for i in range(0, len(table), 2):
            offset += table[i]
            step = table[i + 1]
            line += step - 256 if step >= 128 else step
            self.marks.append((offset, line))
        self.starting, joined, withs, offset = dict(self.marks), set(), [], 0
        while offset < len(self.text):
            op, to, after = self.read(offset)
            if op in WITH:
                withs.append((self.at(offset), offset, to))
            elif to is not None and to > offset and to not in self.starting and self.at(to) != self.at(offset):
                joined.add(to)  # from another line, into the middle of one
            offset = after
        found = [(at, self.left(at, withs) or self.next(at, joined)) for at in sorted(joined)]
        self.marks = sorted(self.marks + found, key=lambda mark: mark[0])

    def left(self, offset, withs):
        """The line of the with that is left at an offset."""
        if self.text[offset] != 87:  # POP_BLOCK
            return None
        return max(((start, line) for line, start, end in withs if start < offset <= end <= offset + EXIT), default=(0, None))[1]
