# Notes writes of plain statements in a small part of the time that Writes takes for them, where
# only rows are wanted of them (recording.Writes: Ends) and many were noted already. It takes
# upon itself only what Writes would note in the same way: statements in one line with one
# target, that call nothing; what is there before and behind are numbers and short texts, and
# nothing else that they name can have changed of what is asked about. All others are Writes'.
import types

from . import notes as n
from .places import MISSING, is_body
from .private import mangled
from .statements import ast
from .watch import RESTING

FIXED = frozenset((int, float, bool, type(None), str))
PLAIN = frozenset((int, float, complex, str, bytes, bool, type(None), list, tuple, dict, set, frozenset, range))  # have no members of a name
CALLING = (ast.Call, ast.Await, ast.Yield, ast.YieldFrom, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
LONGEST = 60  # letters of a text
WIDEST = 1 << 62
MOST = 1000  # objects and calls of which a place is remembered
UNCOUNTED = False  # in place of a number: there are too many places
OTHERS, NOTHING, CHANGING = object(), object(), object()  # in place of a Plain: it is Writes'; nothing is to be done; the same while nothing is known by several names


class Plain:
    """A statement of which that is known."""

    __slots__ = ("statement", "line", "target", "name", "base", "others")

    def __init__(self, statement, target):
        self.statement, self.line, self.target = statement, statement.first, target
        self.name, self.base = (target.id, None) if isinstance(target, ast.Name) else (target.attr, target.value.id)
        own = {ast.dump(x) for x in (target, loaded(target))}
        self.others = [x for x in statement.bases if ast.dump(x) not in own and not (isinstance(x, ast.Name) and x.id == self.base)]


def loaded(target):
    """The same where it is read."""
    if isinstance(target, ast.Name):
        return ast.Name(id=target.id, ctx=ast.Load())
    return ast.Attribute(value=target.value, attr=target.attr, ctx=ast.Load())


class Cell:
    """A place, what was written there last, and how often."""

    __slots__ = ("owner", "kind", "entry", "name", "place", "json", "value", "number", "last")

    def __init__(self, owner, entry, name, place):
        self.owner, self.kind, self.entry, self.name, self.place = owner, type(owner), entry, name, place
        self.json, self.value, self.number = n.quote(place).encode("ascii"), MISSING, 0
        self.last = 0  # which of all writes it was


class Running:
    """What is known of a frame, and the statement of ours that runs in it."""

    __slots__ = ("frame", "lines", "plain", "before", "cell", "row", "own", "was", "began", "raised")

    def __init__(self, frame, lines):
        self.frame, self.lines, self.plain, self.before, self.cell = frame, lines, None, None, None


class Quick:
    def __init__(self, recorder, writes, first):
        self.recorder, self.writes, self.notes, self.first = recorder, writes, recorder.notes, first
        self.codes = {}  # id of a code object: {line: Plain or what stands in its place}
        self.cells = {}  # id of an object, of a frame or of a module's variables: Cell
        self.running = {}  # id of a frame: Running
        self.stale = {}  # place: Cell, where Writes does not know yet what was written last
        self.note = self.noter()

    # What is plain.

    def lines(self, code):
        found = self.codes[id(code)] = {}
        ours = not code.co_flags & RESTING and not is_body(code)
        hits = self.recorder.hits.get(id(code), ())
        for line, s in self.writes.statements(code).items():
            found[line] = self.kind(s, code) if ours and line not in hits else OTHERS
        return found

    def kind(self, s, code):
        w = self.writes
        if s is w.standing or s.returns or s.last != s.first:
            return OTHERS
        asked = [t for t in s.targets if w.asked(t, code)]
        if not asked:
            return OTHERS if w.aside(s) or w.holds(s) or w.named(s) else CHANGING if s.changing else NOTHING
        t = asked[0]
        if len(s.targets) > 1 or s.body is not None or s.callees or s.by_name or getattr(t, "doubtful", False) or s.node is None or any(isinstance(x, CALLING) for x in ast.walk(s.node)):
            return OTHERS
        if isinstance(t, ast.Name):
            certain = w.wanted[0] != "." and t.id not in code.co_cellvars + code.co_freevars
        else:
            certain = isinstance(t, ast.Attribute) and isinstance(t.value, ast.Name) and not mangled(t.attr)
        return Plain(s, t) if certain and isinstance(s.node, (ast.Assign, ast.AugAssign)) else OTHERS

    # What happens.

    def liner(self):
        """What is asked of each line that begins whether it is ours."""
        writes, running, busy, late, note = self.writes, self.running, self.notes.busy, self.recorder.late, self.note
        collections, begins, begin = writes.held_by.values, self.begins, self.begin

        def line(frame, line):
            r = running.get(id(frame))
            if r is None:
                return not busy and begins(frame, line)
            if busy or r.plain is not None and not note(r, line):
                return False
            plain = r.lines.get(line, NOTHING)
            if plain is NOTHING or plain is CHANGING and not collections:
                return id(frame) not in writes.pending
            return plain is not OTHERS and plain is not CHANGING and not late and id(frame) not in writes.pending and begin(r, frame, plain)

        return line

    def noter(self):
        """What notes that a statement of ours is over, and what it has written, unless it was no plain one
        after all: then it is Writes'. It answers whether it is noted."""
        notes, writes = self.notes, self.writes
        add, collections, stale = notes.add, writes.held_by.values, self.stale

        def note(r, line):
            cell, was = r.cell, r.was
            now = (r.frame.f_locals if r.own is None else r.own).get(cell.name, MISSING)
            short = type(now) is int and type(was) is int and -WIDEST < now < WIDEST
            if r.raised or line == r.plain.line or r.began != writes.count or collections and cell.place in collections or not short and not is_fixed(now):
                self.give(r)
                return False
            r.plain = None
            with notes.lock:
                writes.count = count = writes.count + 1
                if cell.place not in stale:
                    stale[cell.place] = cell
                    cell.number = writes.number(cell.place)
                cell.value, cell.last = now, count
                if cell.number is not UNCOUNTED:
                    cell.number += 1
                if short:
                    add(b'{"n":%d,%b,"v":[{"v":"%d"},{"v":"%d"}],"h":%d,"g":%d}\n' % (notes.seq + 1, r.row, was, now, cell.number, count))
                else:
                    add(b'{"n":%d,%b,"v":[%b,%b],"h":%d,"g":%d}\n' % (notes.seq + 1, r.row, text(was), text(now), cell.number, count))
            if cell.entry is not None:
                cell.entry[2][cell.name] = now
            return True

        return note

    def begins(self, frame, line):
        """The same in a frame of which nothing is known yet."""
        if self.writes.count < self.first or self.notes.off or self.recorder.late or id(frame) in self.writes.pending:
            return False
        lines = self.codes.get(id(frame.f_code))
        if lines is None:
            lines = self.lines(frame.f_code)
        plain = lines.get(line, NOTHING)
        if plain is OTHERS or plain is CHANGING and self.writes.held_by.values:
            return False
        if plain is NOTHING or plain is CHANGING:
            return True
        r = Running(frame, lines)
        if not self.begin(r, frame, plain):
            return False
        self.running[id(frame)] = r
        return True

    def begin(self, r, frame, plain):
        """A plain statement begins, if it is one now."""
        scope = frame.f_locals
        if plain.base is None:
            owner = frame if plain.name in frame.f_code.co_varnames else frame.f_globals
        else:
            owner = scope.get(plain.base, MISSING)
            if owner is MISSING:
                owner = frame.f_globals.get(plain.base, MISSING)
        cell = r.cell
        if cell is None or cell.owner is not owner or plain is not r.before:
            cell = self.cells.get(id(owner))
            if cell is None or cell.owner is not owner:
                cell = self.cell(plain, owner, frame)
                if cell is None:
                    return False
            r.cell, r.before = cell, plain
            r.row = ('"k":"write",%s,"o":' % self.notes.where(frame, plain.line)).encode("ascii") + cell.json
        entry = cell.entry
        if entry is None:
            r.own = owner if type(owner) is dict else None
            was = (owner if type(owner) is dict else scope).get(plain.name, MISSING)
        else:
            r.own = own = object.__getattribute__(owner, "__dict__")
            was = own.get(plain.name, MISSING)
            if type(owner) is not cell.kind or entry[2] is None or entry[2].get(plain.name, MISSING) is not was or self.writes.places.known.get(id(owner)) is not entry:
                return False  # it does not hold what Writes knows
        if was is not cell.value and not is_fixed(was) and not (was is MISSING and entry is None):
            return False
        for node in plain.others:
            if isinstance(node, ast.Name):
                value = scope.get(node.id, MISSING)
                if value is MISSING:
                    value = frame.f_globals.get(node.id, MISSING)
            else:
                value = (self.writes.places.find(node, frame) or (None, MISSING))[1]
            if type(value) not in PLAIN:
                return False
        r.plain, r.was, r.began, r.raised = plain, was, self.writes.count, False
        return True

    def cell(self, plain, owner, frame):
        """What is remembered of a place, None where it is not plain."""
        w, entry = self.writes, None
        if plain.base is None:
            place = w.places.variable(plain.name, frame)[0]
            if w.elsewhere(frame.f_code, place):
                return None
        else:
            entry = w.places.known.get(id(owner))
            if entry is None or entry[0] is not owner or not isinstance(entry[2], dict) or not is_plain(type(owner), plain.name):
                return None
            place = "%s.%s" % (entry[1], plain.name)
        if place in w.held_by.values:
            return None
        if len(self.cells) >= MOST:
            self.tell()
            self.cells.clear()
        found = self.cells[id(owner)] = Cell(owner, entry, plain.name, place)
        return found

    def ends(self, frame, following):
        """A statement of ours that has run in a frame is over."""
        r = self.running.get(id(frame))
        if r is not None and r.plain is not None:
            self.note(r, following)

    # What Writes is told.

    def give(self, r):
        """A statement that runs is Writes' from now on."""
        self.tell()
        plain, cell, r.plain = r.plain, r.cell, None
        base = r.frame if cell.entry is None else cell.owner
        self.writes.takes(r.frame, plain.statement, (plain.target, (base, cell.place, r.was, plain.name)), () if cell.entry is None else [base], r.began, r.raised)

    def tell(self):
        """Writes is told what was written last."""
        for place, cell in list(self.stale.items()):
            self.writes.told(place, cell.number, cell.last, n.json.loads(text(cell.value)))
        self.stale.clear()

    def raised(self, frame):
        r = self.running.get(id(frame))
        if r is not None:
            r.raised = True

    def left(self, frame):
        """A call has ended."""
        self.running.pop(id(frame), None)
        cell = self.cells.get(id(frame))
        if cell is not None and cell.owner is frame:
            del self.cells[id(frame)]


def is_fixed(value):
    kind = type(value)
    return kind in FIXED and (kind is not int or -WIDEST < value < WIDEST) and (kind is not str or len(value) <= LONGEST)


def text(value):
    """A value as an event has it."""
    if type(value) is int:
        return b'{"v":"%d"}' % value
    return b"{}" if value is MISSING else b'{"v":%b}' % n.quote(repr(value)).encode("ascii")


def is_plain(kind, name):
    """Whether objects of a class hold a member in their dict, and nothing is called for that."""
    if type(kind).__getattribute__ is not type.__getattribute__ or issubclass(kind, (type, types.ModuleType)) or not kind.__dictoffset__:
        return False
    members = [k.__dict__ for k in kind.__mro__ if k is not object]
    return not any("__setattr__" in m or "__getattribute__" in m or name in m and hasattr(type(m[name]), "__get__") for m in members)
