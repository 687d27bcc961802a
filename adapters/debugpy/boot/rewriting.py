# Puts points into code: before each instruction at which the interpreter would tell a
# tracer that a line begins, a constant is asked whether it is true, which is a call. If it
# is, it is asked again, which a tracer is told of as of a line that begins.
# What it costs is paid where such a line begins, and nowhere else. Lines, positions,
# handlers of exceptions and jumps stay what they were. For Python 3.8 to 3.11. It is
# executed in each process of the program, together with planting.py.
import dis
import opcode
import sys

SCALE = 2 if sys.version_info >= (3, 10) else 1  # of jumps
RUNS = sys.version_info < (3, 10)  # a line begins where its run of code does, else where another was before
TABLED = sys.version_info >= (3, 11)  # handlers and positions have tables
LEAVING = {
    opcode.opmap[name]
    for name in ("RETURN_VALUE", "RAISE_VARARGS", "RERAISE", "JUMP_ABSOLUTE", "JUMP_FORWARD", "JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT")
    if name in opcode.opmap
}
AGAIN = opcode.opmap.get("POP_JUMP_BACKWARD_IF_TRUE" if TABLED else "POP_JUMP_IF_TRUE")
AWAITING = opcode.opmap.get("SEND")


class Instruction:
    """An instruction: where it stood, with the prefixes of its argument, and stands now."""

    def __init__(self, op, arg, line, position=None, old=None, old_end=None):
        self.op, self.arg, self.line, self.position = op, arg, line, position
        self.old, self.old_end = old, old_end
        self.begin, self.units = 0, 1 + (max(arg.bit_length(), 1) - 1) // 8
        self.target, self.sources = None, []
        self.point = None  # the first instruction of the point before it

    @property
    def end(self):
        return self.begin + 2 * self.units

    def jump(self):
        """The argument of a jump, as everything stands now."""
        if self.op in dis.hasjabs:
            return self.target.begin // SCALE
        way = self.target.begin - self.end
        return (-way if goes_back(self.op) else way) // SCALE

    def encoded(self):
        arg = [self.arg >> 8 * n & 0xFF for n in reversed(range(self.units))]
        return bytes(b for a in arg[:-1] for b in (dis.EXTENDED_ARG, a)) + bytes((self.op, arg[-1]))


def goes_back(op):
    return "BACKWARD" in opcode.opname[op]


def lines_begun(code):
    """The lines of a code object's own instructions."""
    if not RUNS:
        return {line for _, _, line in code.co_lines() if line}
    return {line for _, line in dis.findlinestarts(code)}


def with_points(code, points):
    """The code object with points, which are objects by line, and the offsets of these."""
    instructions = decoded(code)
    places = {i.old: i for i in instructions}
    for i in instructions:
        if i.op in dis.hasjabs:
            i.target = places[i.arg * SCALE]
        elif i.op in dis.hasjrel:
            i.target = places[i.old_end + (-i.arg if goes_back(i.op) else i.arg) * SCALE]
        if i.target is not None:
            i.target.sources.append(i)
    handlers = [Handler(places, *h) for h in handlers_of(code)] if TABLED else []
    begun = dict(dis.findlinestarts(code)) if RUNS else {}
    constants = {line: len(code.co_consts) + n for n, line in enumerate(points)}
    made = laid_out(instructions, handlers, begun, constants)
    settle(made)
    told = {
        "co_code": b"".join(i.encoded() for i in made),
        "co_consts": code.co_consts + tuple(points.values()),
        "co_stacksize": code.co_stacksize + 1,
    }
    if TABLED:
        told["co_linetable"] = positions_table(made, code.co_firstlineno)
        told["co_exceptiontable"] = handlers_table(handlers, made[-1].end)
    elif RUNS:
        told["co_lnotab"] = runs_table(instructions, begun, code.co_firstlineno)
    else:
        told["co_linetable"] = lines_table(made, code.co_firstlineno)
    return code.replace(**told), frozenset(i.point.begin for i in instructions if i.point)


def decoded(code):
    found, long, begin, text = [], 0, None, code.co_code
    positions = list(code.co_positions()) if TABLED else None
    lines = lines_at(code)
    for offset in range(0, len(text), 2):
        begin = offset if begin is None else begin
        arg = long | text[offset + 1]
        if text[offset] == dis.EXTENDED_ARG:
            long = arg << 8
            continue
        position = positions[offset // 2] if TABLED else None
        found.append(Instruction(text[offset], arg, lines.get(offset), position, begin, offset + 2))
        long, begin = 0, None
    return found


def lines_at(code):
    """The line of each offset."""
    lines, line = {}, None
    if RUNS:
        begun = dict(dis.findlinestarts(code))
        for offset in range(0, len(code.co_code), 2):
            line = lines[offset] = begun.get(offset, line)
    else:
        for start, end, line in code.co_lines():
            lines.update((offset, line) for offset in range(start, end, 2))
    return lines


# Where points stand.


def laid_out(instructions, handlers, begun, constants):
    """All instructions, in their order: a point stands before the one that it is for. Who
    comes to that from its own line goes past the point."""
    made, before = [], None
    entered = not TABLED  # a tracer is told nothing before RESUME
    for i in instructions:
        if entered and i.line in constants:
            falls = before is not None and before.op not in LEAVING
            arriving = [s for s in i.sources if arrives(s, i, begun)]
            caught = [h for h in handlers if h.target is i and h.arrives(instructions, i.line)]
            begins = begins_after(before, i, begun)
            if begins or arriving or caught:
                point = point_of(constants[i.line], i.line)
                if falls and not begins:
                    past = Instruction(opcode.opmap["JUMP_FORWARD"], 0, i.line)
                    past.target = i
                    made.append(past)
                i.point = point[0]
                made += point
                for s in arriving:
                    s.target = i.point
                for h in caught:
                    h.target = i.point
        made.append(i)
        before = i
        entered = entered or opcode.opname[i.op] == "RESUME"
    return made


def point_of(constant, line):
    asked = Instruction(opcode.opmap["LOAD_CONST"], constant, line)
    again = Instruction(AGAIN, 0, line)
    again.target = asked
    return [asked, again]


def begins_after(before, i, begun):
    """Whether a line begins for who comes from the instruction before."""
    if RUNS:
        return i.old in begun
    return before is None or before.line != i.line or opcode.opname[before.op] == "RESUME" and before.arg == 0


def arrives(source, i, begun):
    """Whether a line begins for who jumps there."""
    if source.old >= i.old:
        return i.op != AWAITING or source.line != i.line
    if RUNS:
        return i.old in begun
    return source.line != i.line or opcode.opname[source.op] in ("SETUP_WITH", "SETUP_ASYNC_WITH")  # from within


class Handler:
    """A row of the table of handlers."""

    def __init__(self, places, start, end, target, rest):
        self.start, self.end, self.target, self.rest = places[start], places.get(end), places[target], rest

    def arrives(self, instructions, line):
        end = self.end.old if self.end else float("inf")
        return any(i.line != line for i in instructions if self.start.old <= i.old < end)


def settle(made):
    """Gives each instruction its place, and each jump its argument: the longer the
    arguments, the further the places."""
    changed = True
    while changed:
        changed, at = False, 0
        for i in made:
            i.begin, at = at, at + 2 * i.units
        for i in made:
            if i.target is not None:
                i.arg = i.jump()
                if i.arg < 0:
                    raise ValueError("a jump would go the other way")
                units = 1 + (max(i.arg.bit_length(), 1) - 1) // 8
                if units > i.units:
                    i.units, changed = units, True


def place(i):
    """Where what stood before an instruction ends now."""
    return (i.point or i).begin


# Tables.


def runs_table(instructions, begun, line):
    """co_lnotab: pairs of what to add to the offset and to the line."""
    table, at = bytearray(), 0
    for i in instructions:
        if i.old not in begun:
            continue
        far, lines = place(i) - at, begun[i.old] - line
        while far > 255:
            table += b"\xff\0"
            far -= 255
        while not -128 <= lines <= 127:
            some = max(-128, min(lines, 127))
            table += bytes((far, some & 0xFF))
            far, lines = 0, lines - some
        table += bytes((far, lines & 0xFF))
        at, line = place(i), begun[i.old]
    return bytes(table)


def lines_table(made, line):
    """co_linetable of Python 3.10: pairs of a length and what to add to the line, -128 for none."""
    table, n = bytearray(), 0
    while n < len(made):
        first, now = made[n], made[n].line
        while n < len(made) and made[n].line == now:
            n += 1
        length = (made[n].begin if n < len(made) else made[-1].end) - first.begin
        lines = -128 if now is None else now - line
        while now is not None and not -127 <= lines <= 127:
            some = max(-127, min(lines, 127))
            table += bytes((0, some & 0xFF))
            lines -= some
        while length > 254:
            table += bytes((254, lines & 0xFF))
            length, lines = length - 254, lines if now is None else 0
        table += bytes((length, lines & 0xFF))
        line = line if now is None else now
    return bytes(table)


def positions_table(made, line):
    """co_linetable of Python 3.11: the position of each instruction, in its long form."""
    table = bytearray()
    for i in made:
        first, last, column, end = i.position or (i.line, i.line, None, None)
        left = i.units
        while left:
            units, left = min(left, 8), max(left - 8, 0)
            if first is None:
                table.append(0x80 | 15 << 3 | units - 1)
                continue
            known = None not in (last, column, end)
            table.append(0x80 | (14 if known else 13) << 3 | units - 1)
            change = first - line
            table += number(-change << 1 | 1 if change < 0 else change << 1)
            if known:
                table += number(last - first) + number(column + 1) + number(end + 1)
            line = first
    return bytes(table)


def number(value):
    """Six bits a byte, the lowest first."""
    text = bytearray()
    while value > 0x3F:
        text.append(0x40 | value & 0x3F)
        value >>= 6
    text.append(value)
    return text


def handlers_of(code):
    """The table of handlers: offsets of start, end and target, and what is told of the stack."""
    numbers, value = [], 0
    for byte in code.co_exceptiontable:
        value = value << 6 | byte & 0x3F
        if not byte & 0x40:
            numbers.append(value)
            value = 0
    return [(2 * a, 2 * (a + b), 2 * c, d) for a, b, c, d in zip(*[iter(numbers)] * 4)]


def handlers_table(handlers, end):
    table = bytearray()
    for h in handlers:
        start = place(h.start)
        length = (place(h.end) if h.end else end) - start
        row = [start // 2, length // 2, h.target.begin // 2, h.rest]
        text = b"".join(map(number_from_top, row))
        table += bytes((text[0] | 0x80,)) + text[1:]
    return bytes(table)


def number_from_top(value):
    """Six bits a byte, the highest first."""
    text = [value & 0x3F]
    while value > 0x3F:
        value >>= 6
        text.append(0x40 | value & 0x3F)
    return bytes(reversed(text))
