"""Writes to places that a run before has told, by hardware watchpoints."""

import os
import re

from aidb.debugger import masked
from aidb.record import source
from aidb.record.common import callers, foreign
from aidb.record.notes import Refused
from aidb.record.parts import Write, changed
from aidb.record.thin import Thin
from aidb.rust.memory import MAP

# What gives memory to a new owner, or takes it from one.
ALLOCATOR = re.compile(r"^(_*(libc_)?(malloc|free|calloc|cfree|memalign|posix_memalign|aligned_alloc)|_int_(malloc|free|memalign)|tcache_\w+|unlink_chunk.*|"
                       r"malloc_consolidate|sysmalloc|operator (new|delete)(\[\])?|_*rust_(alloc|dealloc|alloc_zeroed)|_*rdl_(alloc|dealloc).*)$")
CONSTRUCTOR = re.compile(r"(?:^|::)(\w+)(?:<.*>)?::\1$|construct|__uninitialized|relocate|::(write|insert|push|from_elem|extend)\w*$|emplace|realloc|mem(cpy|move|set)")
# What puts a new entry where another one was, which has moved.
INSERTED = re.compile(r"slice_insert|insert_fit|VacantEntry|emplace|construct|relocate")
REALLOCATOR = re.compile(r"^_*(libc_)?realloc(array)?$")
# What tells of a panic, in memory that others had before.
PANICKING = re.compile(r"^(?:std|core)::(?:panicking|backtrace)::")
X86 = os.uname().machine == "x86_64"
DEEP = 100
WORD = 8  # bytes of a number or a pointer
RED = 128  # bytes below the stack pointer that a function which calls none may use
REGISTERS = 4  # of eight bytes each
OTHERS = 20
NAME = re.compile(r"^[A-Za-z_]\w*$")
IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
# What holds its entries elsewhere in memory.
HOLDS = re.compile(r"\b(?:Vec|VecDeque|String|BTree(?:Map|Set)|Hash(?:Map|Set)|BinaryHeap|LinkedList)\b|"
                   r"\bstd::(?:\w+::)?(?:vector|(?:unordered_)?(?:multi)?(?:map|set)|deque|list|basic_string|string)\b")


IMPLICIT = re.compile(r"(?:^|::)(\w+)(?:<.*>)?::~?\1$|::operator=$")


def implicit(frame):
    """Says that a compiler has made a function by itself: it stands where its class begins."""
    return IMPLICIT.search(frame.function()) is not None and source.line(*frame.at()).startswith(("struct ", "class ", "union "))


def own(frame):
    """Says that a frame is the user's code: what has just written may be the last of its statement, before code that
    the compiler has made for no line."""
    return not frame.library() or not frame.at()[1] and not foreign(*frame.at_written())


class Place:
    def __init__(self, text):
        self.text = text
        parts = text.split("|")
        self.address, self.size, self.type = int(parts[0], 0), int(parts[1]), parts[2]
        self.function, self.cfa = (parts[3], int(parts[4], 0)) if len(parts) > 4 else ("", 0)
        self.shown, self.count = None, 0  # what is there, as a value of an event
        self.scalar = None  # whether it is written whole; not known yet
        self.bytes, self.write = None, None  # the same as bytes, and the write that may go on
        self.watch, self.entered, self.rests = None, False, False  # entered: it is told when the function is called
        self.others = 0  # writes of others, one after the other
        self.watched = []  # where the processor watches: addresses and sizes
        self.low, self.length = self.address, self.size  # what of it is watched
        self.stops, self.rested, self.since = 0, False, False  # rested: it is not watched for a while; since: it was not
        self.begin = None  # the breakpoint at its function

    def pieces(self):
        """What the processor watches one by one, each where its size divides its address: nothing beside it is told."""
        found, at, end = [], self.low, self.low + self.length
        while at < end:
            size = next(n for n in (8, 4, 2, 1) if at % n == 0 and n <= end - at)
            found.append((at, size))
            at += size
        return found

    def around(self):
        """The same in as few as there can be, with what lies beside it in them."""
        first = self.low - self.low % 8
        return [(at, 8) for at in range(first, self.low + self.length, 8)]

    def narrow(self, debugger):
        """A hash table of Rust is watched where it counts its entries and has their place: the seed of its hashes stays."""
        if len(self.around()) > REGISTERS and MAP.search(self.type):
            offset, self.length = debugger.part_of(self, ("base", "map", "table"))
            self.low += offset


class Writes:
    def __init__(self, recorder, wish):
        self.recorder, self.debugger, self.notes = recorder, recorder.debugger, recorder.notes
        self.places, room, self.told = [], REGISTERS, set()
        self.name = (IDENTIFIER.findall(wish.get("expression") or "") or [""])[-1]
        self.keepers = self.kept(wish)
        self.resumed = any("_task_context" in f.visible for f in self.debugger.functions() if f.start in self.keepers)
        self.backs = {}  # by places in the user's code to which what writes there returns: a breakpoint
        for text in wish["watch"]:
            p = Place(text)
            if p.size == 0:
                raise Refused("it has no bytes of its own", "expression")
            p.narrow(self.debugger)
            if len(p.around()) > REGISTERS:
                raise Refused("it is too large to be watched, which the processor does for 32 bytes at most", "expression", part=True)
            p.watched = p.pieces() if len(p.pieces()) <= room else p.around()
            room -= len(p.watched)
            if room < 0:
                self.notes.remark("not all places could be watched: the processor has four registers for that")
                break
            self.places.append(p)
        for p in self.places:
            p.watch = self.debugger.watch(p, lambda frame, p=p: self.written(p, frame), wish.get("equal", False))
            if not p.function and self.debugger.in_image(p.address):  # a global variable: it has had this from the start
                p.shown = self.notes.value(self.debugger.words_of(p))
        for p in self.places:
            start = self.debugger.start_of(p.function) if p.function else None
            if start:
                p.entered = True
                p.begin = self.debugger.break_address(start, lambda frame, p=p: self.begins(p, frame))
        self.thin = Thin(self, wish["clocked"]) if wish.get("clocked") and self.debugger.clock() is not None else None

    def begins(self, p, frame):
        """A call of the function whose variable is watched: what was there belonged to another."""
        if self.thin is not None:
            self.thin.stopped(p, frame.pc())
        if frame.cfa_at_return() == p.cfa:
            self.over(p)
            p.others = 0
            self.rest(p, False)
            p.shown, p.bytes = None, self.debugger.memory(p.address, p.size)  # which says what of it is written first
            self.notes.write(self.recorder.event("fresh", frame, o=p.text, m="call"))

    def written(self, p, frame):
        if self.thin is not None:
            self.thin.stopped(p, frame.pc() - 1)
        before, p.bytes = p.bytes, self.debugger.memory(p.address, p.size)
        was, p.shown = p.shown, self.notes.value(self.debugger.words_of(p))
        if was == p.shown and not frame.stored():
            return
        if not self.written_to(p, frame, before):
            p.shown = was
            return
        if p.cfa and frame.on_stack(p.address):
            if frame.sp() - RED > p.address or not self.alive(p, frame):
                p.shown = None  # another call's, in the same thread
                self.strange(p)
                return
        elif p.cfa and not self.lives(p, frame.newest()):
            self.strange(p)
            return  # of another thread, whose call is over
        if self.moves(p, frame):
            p.shown = None
            return
        p.others = 0
        user, made, moved, allocated, inner = frame, False, False, False, True
        for _ in range(DEEP):
            name = user.function()
            # What has a value there has another owner's from then on: it was moved away.
            allocated = allocated or ALLOCATOR.match(name) is not None or was is not None and REALLOCATOR.match(name) is not None
            if own(user) and not implicit(user):
                break
            if PANICKING.match(name):
                p.shown = None
                return
            made = made or CONSTRUCTOR.search(name) is not None
            moved = moved or INSERTED.search(name) is not None
            user, inner = user.older(), False
            if user is None:
                break
        else:
            return  # so deep in a library that whoever has called it is not known
        if allocated:
            self.over(p)
            self.notes.write(self.recorder.event("fresh", user or frame, o=p.text, m="allocation"))
            p.shown = None
            return
        if user is None:
            return  # before the program's own code, or in a thread that has none
        parts = changed(before, p.bytes)
        passed = inner and p.cfa and frame.cfa() == p.cfa and frame.in_prologue()
        if p.write is not None and self.goes_on(p, frame, user, inner, parts, before):
            p.write.goes(frame, user, parts, p.shown)
            self.undivided(user)
            self.awaits(p.write, frame, user)
            return
        for other in self.places:
            self.over(other)
        p.count += 1
        if p.count == 2 and HOLDS.search(p.type):
            self.notes.remark("what it holds lies elsewhere in memory: a change of that where it lies is no row, and of it 'was' says "
                              "what the row before saw; ask for an entry by its own name")
        events = self.passed(p, frame) if passed else self.assigned(p, user, was, made, moved)
        if inner:
            self.otherwise(p, user)
        p.write = Write(p, frame, user, parts, events)
        if not self.at_once(p):
            self.awaits(p.write, frame, user)

    def written_to(self, p, frame, before):
        """Says that the instruction which was told has written to a place, and not only to bytes beside it."""
        wrote, pc = (True if self.exact(p) else None), frame.pc()
        if X86 and wrote:
            wrote = masked.wrote(self.debugger.memory(pc - masked.BEFORE, masked.BEFORE), pc, frame.registers(), p.address, p.size)
        if wrote is None and before in (None, p.bytes) and "masked" not in self.told:
            self.told.add("masked")
            self.notes.remark("an instruction in %s has written there or beside it, which the processor does not tell apart, and left it as it was: "
                              "it is no row" % frame.function())
        return before not in (None, p.bytes) if wrote is None else wrote

    @staticmethod
    def exact(p):
        """Says that nothing beside a place is watched with it."""
        return sum(size for _, size in p.watched) == p.size

    def strange(self, p):
        """Others have written where a variable was: from many on its place is watched only from where its function
        is called, for each such write costs the program a stop."""
        p.others += 1
        if p.others > OTHERS and p.entered and p.watch is not None:  # gdb takes no such change at a stop
            self.rest(p, True)

    def rest(self, p, rests):
        if p.watch is not None and p.rests != rests:
            p.rests = rests
            self.debugger.enable(p.watch, not rests)

    def moves(self, p, frame):
        """Says that a variable of an async function of Rust, which lies in what is left and come back to, is written
        to by nobody who runs in that function: all of it is moved, perhaps before the variable was set."""
        if not self.keepers or self.debugger.in_image(p.address):
            return False
        if p.cfa and (p.function in self.keepers.values() or not self.resumed):
            return False  # a variable that lies in its own frame, or one of another that a closure refers to
        for _ in range(DEEP):
            if frame is None:
                return True
            if frame.owner() in self.keepers:
                return False
            frame = frame.older()
        return False

    def kept(self, wish):
        """Where the functions begin at a line of Rust whose variable is asked about by its name: what a macro has put
        around an async function has its lines too, and not its variables."""
        name = wish.get("expression") or ""
        if not self.debugger.PANICS or not wish.get("file") or not NAME.match(name) or self.debugger.is_global(name):
            return {}
        return {f.start: f.name for f in self.debugger.functions() if f.file == wish["file"] and any(n == wish["line"] for n, _ in f.lines()) and name in f.visible}

    def awaits(self, write, frame, user):
        """What the user's code has called goes on after it has written: what it writes elsewhere may be
        part of the value, which is the one that stands there when it has returned."""
        if user.cfa() == frame.cfa():
            return
        at, write.awaited = user.pc(), True
        if at in self.backs:
            self.debugger.enable(self.backs[at], True)
        else:
            self.backs[at] = self.debugger.break_address(at, lambda back: self.back(at, back))

    def back(self, at, frame):
        """A call has returned, perhaps that in which a place was written to."""
        for p in self.places:
            if p.write is not None and p.write.returned_to(at, frame):
                p.shown = self.notes.value(self.debugger.words_of(p))
                p.write.becomes(p.shown)
        if not any(p.write is not None and p.write.awaited and p.write.pc == at for p in self.places):
            self.debugger.enable(self.backs[at], False)

    def goes_on(self, p, frame, user, inner, parts, before):
        """Says that what was just written belongs to the write of before."""
        if self.at_once(p) and inner:
            return p.write.on_the_way(frame, user)
        if self.at_once(p) and parts:  # the parts of what memset writes overlap
            return False
        return p.write.goes_on(frame, user, inner, parts, before)

    def at_once(self, p):
        """Says that a place holds a number or an address, which one instruction writes whole: each is a write."""
        if p.scalar is None:
            p.scalar = p.size <= 8 and self.debugger.is_scalar(p)
        return p.scalar

    def undivided(self, user):
        """What the statements of a line write is one row, where the line table does not tell them apart."""
        file, line = user.at_written()
        if not user.column_written() and (file, line) not in self.told and source.several(file, line):
            self.told.add((file, line))
            self.notes.remark("%s:%d has several statements, which the debugger does not tell apart: what they write one after the other may be one row"
                              % (os.path.basename(file), line))

    def otherwise(self, p, user):
        """Tells of a statement that has written to memory of the heap by another name: who owned that then is not known."""
        file, line = user.at_written()
        if not self.name or p.cfa or "owner" in self.told or self.debugger.in_image(p.address) or self.name in IDENTIFIER.findall(source.statement(file, line)):
            return
        self.told.add("owner")
        self.notes.remark("%s:%d writes to that memory, and does not name %s: it has a pointer to it, or the memory belonged to something else then"
                          % (os.path.basename(file), line, self.name))

    def over(self, p):
        """Notes a write whose statement is over."""
        if p.write is not None:
            write, p.write = p.write, None
            for e in write.events:
                self.notes.write(e)

    def number(self, p):
        """Which write to a place it is; of those since it was not watched for a while, less than nought."""
        return -p.count if p.since else p.count

    def happens(self, frame):
        """Something else is noted: what was written before that comes first."""
        for p in self.places:
            if p.write is not None and not p.write.under_way(frame):
                self.over(p)
        if self.thin is not None:
            self.thin.happens()

    def ended(self):
        for p in self.places:
            self.over(p)
        if self.thin is not None:
            self.thin.happens()

    @staticmethod
    def alive(p, frame):
        """Says whether the call whose variable it is is under way."""
        while frame is not None and frame.cfa() <= p.cfa:
            if frame.cfa() == p.cfa and frame.function() == p.function:
                return True
            frame = frame.older()
        return False

    def lives(self, p, threads):
        return threads is None or any(self.alive(p, newest) for newest in threads)

    def passed(self, p, frame):
        caller, events = frame.older(), []
        while caller is not None and caller.library():
            caller = caller.older()
        name = next((n for n in frame.arguments() if frame.address_of(n) == p.address), "")
        if caller is not None:
            text = source.statement(*caller.at_caller())
            names, values = self.recorder.read(caller, source.given(text, frame.function()))
            use = self.recorder.describe("use", caller, a=names, v=values)
            use["at"] = "%s:%d" % caller.at_caller()
            events.append(use)
        return events + [self.recorder.describe("enter", frame, a=[name], h=self.number(p), v=[{**p.shown, "o": p.text}], s=callers(caller))]

    def lies_in(self, p, frame, name):
        """Says that a place is a variable's, or a part of it."""
        at = self.recorder.shown(frame, name, True, True).get("o", "").split("|")
        return len(at) > 1 and 0 <= p.address - int(at[0], 16) < int(at[1])

    def assigned(self, p, user, was, made, moved):
        at = user.at_written()
        user.just_ran()
        text = source.statement(*at)
        left, both, right = source.parts(text)
        for name, value in source.declarators(text):
            if self.lies_in(p, user, name):
                left, both, right, text = name, False, value, value
        names, values = self.recorder.read(user, left + " " + right if both else right or text, p.text, (was or {}).get("v", ""), left)
        if not names and not both and [right] == source.operands(right) and "*" in p.type:  # all of it was given
            names, values = [right], [{k: v for k, v in p.shown.items() if k != "o"}]
        use = self.recorder.describe("use", user, a=names, v=values, l=source.called(right or text))
        write = self.recorder.describe("write", user, o=p.text, h=self.number(p), v=[was or {"e": self.debugger.UNWRITTEN}, p.shown], s=callers(user.older()))
        if made and (was is None or moved and p.size <= WORD):  # else it is changed, by what its own methods call as constructors do
            write["m"] = "made"
        for e in (use, write):
            e["at"] = "%s:%d" % at
        return [use, write]
