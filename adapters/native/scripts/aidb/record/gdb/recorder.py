"""The recorder in gdb: gdb -batch -nx -ex "python ...begin()" --args PROGRAM ARGUMENT...
The program has its own streams (see the adapter), and gdb ends as the program did."""

import contextlib
import functools
import json
import os
import re
import signal
import sys
from typing import ClassVar, List

import gdb

from aidb.debugger.gdb import forks
from aidb.debugger.gdb import functions as gdb_functions
from aidb.debugger.gdb.ways import leads, others
from aidb.names import means, plain
from aidb.record.common import FATAL, FOREIGN, end, foreign, joined, jumps, kills, rounds, settled, told, wanted
from aidb.record.gdb.clock import Clock
from aidb.record.gdb.frames import CWD, RUST, Frame, body_of, expressions, function_block, function_start, in_c
from aidb.record.gdb.symbols import Symbols, type_of, visible
from aidb.record.notes import Notes
from aidb.record.recorder import Recorder

if RUST:
    from aidb.record.gdb.rust import places
else:
    from aidb.record.gdb.cpp import places

class Function:
    """A function of the program."""

    def __init__(self, start, name):
        self.start, self.name, self.known = start, name, None
        sal = gdb.find_pc_line(start)
        self.file, self.first = Frame.place(sal)
        self.library = foreign(self.file, self.first)

    def block(self):
        if self.known is None:
            self.known = function_block(self.start)
        return self.known

    @property
    def symbol(self):
        return self.block().function if self.block() is not None else None

    @property
    def line(self):
        """Where it is declared: what begins its code may have been put into it from another."""
        s = self.symbol
        return s.line if s is not None and s.line and s.symtab is not None and os.path.basename(s.symtab.filename) == os.path.basename(self.file) else self.first

    @property
    def body(self):
        return body_of(self.start)

    def rets(self):
        return [at for at, text in self.code() if re.match(r"(repz? |bnd )?ret", text)]

    def code(self):
        """Its instructions, each with its place."""
        if self.block() is None:
            return []
        code = gdb.selected_inferior().architecture().disassemble(self.block().start, self.block().end - 1)
        return [(i["addr"], i["asm"].split("<")[0]) for i in code]

    def held(self):
        """The names of the functions whose code the compiler has put into it."""
        names = set()
        for at in {at for _, at in self.lines()}:
            block = gdb.block_for_pc(at)
            while block is not None and (block.function is None or block.function != self.symbol):
                names.update({block.function.name} if block.function is not None and block.function.name else ())
                block = block.superblock
        return names

    def jumps(self):
        return jumps(self.code())

    @functools.cached_property
    def visible(self):
        """The names of all variables that it has in any of its lines, with the lines of their declarations."""
        return visible(self.block(), [self.start] + [at for _, at in self.lines()])

    def lines(self):
        block = self.block()
        table = block.function.symtab.linetable() if block is not None else ()
        return [(e.line, e.pc) for e in table if block.start <= e.pc < block.end and e.line and e.pc > self.start and getattr(e, "is_stmt", True)]


class Point(gdb.Breakpoint):
    """A breakpoint that calls and never stops."""

    made: ClassVar[List["Point"]] = []

    def __init__(self, spec, call, **more):
        self.call = call
        super().__init__(spec, internal=True, **more)
        self.made.append(self)

    def stop(self):
        try:
            self.call(Frame(gdb.newest_frame()))
        except Exception as wrong:
            notes.failed(wrong)
        return bool(Debugger.waiting)


class Debugger(Symbols):
    UNWRITTEN = "nothing of this owner that was seen"
    watchpoints: ClassVar[dict] = {}  # by place
    waiting: ClassVar[list] = []  # what is to be done when the program has stopped, for a breakpoint's call may not
    all, PANICS, words, Wrong = None, RUST, staticmethod(expressions.words), expressions.Wrong

    def later(self, what):
        """Has something done that takes a stop, before the program goes on."""
        self.waiting.append(what)

    def do_waiting(self):
        while self.waiting:
            try:
                self.waiting.pop(0)()
            except Exception as wrong:
                notes.failed(wrong)

    @functools.cache  # noqa: B019 - there is one for each run
    def clock(self):
        clock = Clock(os.path.join(records, "clock"))
        return clock if clock.possible else None

    @staticmethod
    def stops_at():
        """Where breakpoints stand."""
        return {place.address for point in Point.made if point.is_valid() for place in getattr(point, "locations", ()) or ()}

    @staticmethod
    def newest():
        return Frame(gdb.newest_frame())

    def token(self):
        return expressions.TOKEN

    def function_around(self, frame):
        """The function that a frame is in, where its jumps can be read."""
        start = frame.owner() if "i386" in gdb.selected_inferior().architecture().name() else 0
        return Function(start, "") if start else None

    def break_line(self, file, line, call):
        spec = '-source "%s" -line %d' % (file.replace('"', '\\"'), line)
        try:
            found = gdb.decode_line('"%s":%d' % (file.replace('"', '\\"'), line))[1] or ()
        except gdb.error:
            return None
        found = [p for p in found if p.symtab is not None and p.pc]
        if not found:
            return None
        starts = {settled(self, at) for at in places(found)}
        if starts == {p.pc for p in found}:
            Point(spec, call)
        else:
            for start in starts:
                self.break_address(start, call)
        for way in {way for p in found for way in others(p, [f.pc for f in found])}:
            self.break_address(way, call)
        return min(p.line for p in found)

    leads = staticmethod(functools.cache(leads))

    def begun(self, file, line):
        """The functions that have code of a line, and where that begins."""
        try:
            found = gdb.decode_line('"%s":%d' % (file.replace('"', '\\"'), line))[1] or ()
        except gdb.error:
            return []
        starts = [(function_start(p.pc), p.pc) for p in found if p.symtab is not None and p.pc]
        return [(Function(start, ""), at) for start, at in starts if start]

    def rounds(self, file, line):
        """The loops that lie within a line whole."""
        try:
            places = gdb.decode_line('"%s":%d' % (file.replace('"', '\\"'), line))[1] or ()
        except gdb.error:
            return []
        found = []
        for p in places if not RUST else ():
            whole = Function(p.pc, "") if p.symtab is not None and p.pc else None
            if whole is None or whole.block() is None:
                continue
            block = whole.block()
            rows = sorted((e.pc, e.line) for e in p.symtab.linetable() if block.start <= e.pc < block.end)
            ranges = [(at, end) for (at, of), (end, _) in zip(rows, rows[1:] + [(block.end, 0)]) if of == line]
            found += [r for r in rounds(ranges, whole.code()) if r[0] != p.pc and r not in found]
        return found

    @staticmethod
    def row(pc):
        """The line of an instruction, and where the line table has the next one."""
        sal = gdb.find_pc_line(pc)
        return (sal.line, sal.last + 1) if sal.symtab is not None and sal.last else (0, 0)

    @staticmethod
    def instructions(start, end):
        return [i["asm"].split("#")[0].split("<")[0].strip() for i in gdb.selected_inferior().architecture().disassemble(start, end - 1)]

    def break_panic(self, call):
        Point("-function std::panicking::rust_panic", call)

    def break_residual(self, call):
        """gdb finds no generic function by the beginning of its name."""

    def panic_words(self, frame):
        return expressions.panic_words(expressions.process, frame.given(0), frame.given(1))

    def break_main(self, call):
        Point("-function main", call)

    def break_address(self, address, call, enabled=True):
        p = Point("*%#x" % address, call)
        if not enabled:
            p.enabled = False
        return p

    def enable(self, point, on):
        point.enabled = on

    def functions(self):
        if self.all is None:
            self.all = []
            for address, known in gdb_functions.symbols():
                name = joined(known[-2] if len(known) > 2 else known[0])
                if name and not name.startswith(FOREIGN):
                    self.all.append(Function(address, name))
            self.all = list(filter(wanted, self.all))
        return self.all

    def copied(self, name):
        """The functions into which the compiler has put the code of another: nothing calls it there."""
        return sorted({f.name for f in self.functions() if not f.library and any(means(name, plain(held)) for held in f.held())})

    def start_of(self, function):
        for f in self.functions():
            if f.name == function or function_of(f) == function:
                return f.start
        return None

    def watch(self, p, call, reads):
        spec = "*(unsigned char (*)[%d])%#x" % (p.length, p.low)
        if p.length in SCALARS:
            spec = "*(%s *)%#x" % (SCALARS[p.length], p.low)
        with in_c():
            self.watchpoints[p] = Point(spec, call, type=gdb.BP_WATCHPOINT, wp_class=gdb.WP_ACCESS if reads else gdb.WP_WRITE)

    def watches(self, p, on):
        """Watches a place from here on or not, at a stop."""
        with in_c():
            self.watchpoints[p].enabled = on
        if self.watchpoints[p].enabled != on:
            raise gdb.error("the watchpoint of %s cannot be changed" % p.text)

    def words_of(self, p):
        try:
            of = type_of(p.type)
        except gdb.error:  # a type without a name: its bytes say whether it has changed
            return "0x" + self.memory(p.address, p.size)[::-1].hex()
        try:
            return expressions.words(gdb.Value(p.address).cast(of.pointer()).dereference())
        except (gdb.error, gdb.MemoryError) as wrong:
            return "<%s>" % wrong


SCALARS = {1: "unsigned char", 2: "unsigned short", 4: "unsigned int", 8: "unsigned long"}

def function_of(f):
    return f.symbol.name.split("(")[0] if f.symbol is not None else ""


def arrange():
    for command in (
        "set pagination off", "set confirm off", "set style enabled off", "set breakpoint pending on", "set print thread-events off",
        "set print inferior-events off", "set debuginfod enabled off", "set may-call-functions off", "set width 0", "set height 0",
        "set backtrace past-main on", "set backtrace past-entry on", "set detach-on-fork on", "set follow-fork-mode parent",
        "handle all nostop noprint pass", "handle %s stop print pass" % " ".join(FATAL), "set language %s" % ("rust" if RUST else "auto"),
    ):
        with contextlib.suppress(gdb.error):  # not in this version
            gdb.execute(command, to_string=True)
    gdb.execute("set cwd %s" % CWD, to_string=True)
    gdb.execute("cd /", to_string=True)  # where gdb would look for the sources of libraries, and take ours for them
    gdb.execute("set exec-wrapper /bin/sh %s" % os.path.join(records, "start.sh"), to_string=True)


def entry():
    """Runs to the program's first instruction of its own: libraries are loaded then."""
    gdb.execute("starti", to_string=True)
    found = re.search(r"Entry point: (0x[0-9a-f]+)", gdb.execute("info files", to_string=True))
    if found:
        point = gdb.Breakpoint("*" + found.group(1), internal=True)
        gdb.execute("continue", to_string=True)
        point.delete()


ending = {}


def signalled(event):
    """A signal that kills the program: where it stood."""
    name = getattr(event, "stop_signal", None)
    if name not in FATAL or recorder is None:
        return
    try:
        if kills(gdb.selected_inferior().pid, int(getattr(signal, name))):
            recorder.fate.died(Frame(gdb.newest_frame()), name)
    except Exception as wrong:
        notes.failed(wrong)


def exited(event):
    ending["code"] = getattr(event, "exit_code", None)
    if ending["code"] is None:
        number = gdb.convenience_variable("_exitsignal")
        ending["signal"] = int(number) if number is not None else None


def finish():
    if recorder is not None:
        recorder.ended()
        notes.forked(forks.Fork.made)
    sys.stdout.flush()
    end(ending.get("code"), ending.get("signal"))


recorder = records = notes = wish = None


def main():
    global recorder
    arrange()
    gdb.events.exited.connect(exited)
    entry()
    if "code" in ending or not gdb.selected_inferior().pid:
        finish()
    recorder = Recorder(Debugger(), notes, wish)
    if not recorder.possible():
        gdb.execute("kill", to_string=True)
        os._exit(0)
    forks.watch()
    gdb.events.stop.connect(signalled)
    gdb.execute("set breakpoint always-inserted on", to_string=True)
    while gdb.selected_inferior().pid and not ending:
        gdb.execute("continue", to_string=True)
        recorder.debugger.do_waiting()
    finish()


def begin():
    global records, notes, wish
    records = os.environ["AIDB_RECORD"]
    del os.environ["AIDB_RECORD"]
    with open(os.path.join(records, "wish.json"), encoding="utf-8") as f:
        wish = json.load(f)
    notes = Notes(records, wish["text"])
    try:
        main()
    except Exception as wrong:
        notes.write({"k": "refused", "m": "gdb cannot run the program: %s" % told(wrong), "a": ["target"]})
        with contextlib.suppress(gdb.error):
            gdb.execute("kill", to_string=True)
        os._exit(1)
