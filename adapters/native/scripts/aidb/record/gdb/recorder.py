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

from aidb.debugger.gdb import declared as declared_gdb
from aidb.debugger.gdb import forks, registers
from aidb.debugger.gdb import functions as gdb_functions
from aidb.names import plain
from aidb.record.common import FATAL, FOREIGN, STORES, end, foreign, joined, jumps, kills, rounds, settled, told, wanted
from aidb.record.gdb.symbols import Symbols, type_of, visible
from aidb.record.notes import Notes
from aidb.record.recorder import Recorder

RUST = os.environ.get("AIDB_RECORD_LANGUAGE") == "rust"
if RUST:
    from aidb.record.gdb.rust import expressions, places, register_value
else:
    from aidb.record.gdb.cpp import expressions, places, register_value

GIVEN = {"i386:x86-64": ("rdi", "rsi"), "aarch64": ("x0", "x1")}
LAMBDA = re.compile(r"\{lambda\([^{}]*\)#\d+\}")
UNWRITTEN = ("__in_chrg", "__vtt_parm", "__for_")  # beginnings of names that the compiler has given
names = {}  # start of a function, or its name as gdb has it: its name
named = {}  # full path as gdb has it: where the file is
CWD = os.getcwd()


def located(path, name):
    """Where a source is that was compiled in a directory without a name: where the program runs."""
    here = os.path.normpath(os.path.join(CWD, name))
    return here if path == os.path.normpath("/" + name) and not os.path.exists(path) and os.path.exists(here) else path


def function_name(frame):
    f = frame.function()
    if not RUST or f is None:
        return cpp_name((frame.name() or "?").split("@")[0])
    start = f.value().address
    found = names.get(int(start)) if start is not None else None
    if found is None:
        text = gdb.execute("info symbol %d" % int(start), to_string=True).split(" in section")[0]
        found = names[int(start)] = joined(plain(text)) or frame.name()
    return found


def cpp_name(name):
    """A name as stacks have it: without template arguments and anonymous namespaces."""
    if name not in names:
        names[name] = joined(LAMBDA.sub("{lambda}", name)) or name
    return names[name]


class Frame:
    Wrong = expressions.Wrong

    def __init__(self, f):
        self.f, self._cfa, self._sal, self.block = f, None, None, None

    def pc(self):
        return self.f.pc()

    def sp(self):
        return int(self.f.read_register("sp"))

    def older(self):
        try:
            up = self.f.older()
        except gdb.error:
            return None
        return Frame(up) if up is not None else None

    def cfa(self):
        if self._cfa is None:
            f = self.f
            while f.type() == gdb.INLINE_FRAME and f.older() is not None:
                f = f.older()
            try:
                up = f.older()
                self._cfa = int(up.read_register("sp")) if up is not None else (1 << 64) - 1
            except gdb.error:
                self._cfa = (1 << 64) - 1
        return self._cfa

    def cfa_at_return(self):
        return self.sp() + 8

    def inlined(self):
        return self.f.type() == gdb.INLINE_FRAME

    def owner(self):
        """What function the place is of, copies of inlined ones told apart."""
        return function_start(self.f.pc())

    def resumes(self):
        """Says that the function is one that is left and come back to, as Rust's async ones are."""
        return RUST and gdb.lookup_symbol("_task_context", self.f.block())[0] is not None

    def given(self, n):
        """What the function was given, at its first instruction: the first words."""
        return int(self.f.read_register(GIVEN[self.f.architecture().name()][n])) & (1 << 64) - 1

    def key(self):
        return gdb.selected_thread().ptid

    def thread(self):
        t = gdb.selected_thread()
        return "" if t is None or t.num == 1 else str(t.num)

    def function(self):
        return function_name(self.f)

    def sal(self):
        if self._sal is None:
            self._sal = self.f.find_sal()
        return self._sal

    @staticmethod
    def place(sal):
        if sal.symtab is None:
            return ("", 0)
        name = sal.symtab.fullname()  # many crates have a src/lib.rs
        if name not in named:
            named[name] = located(os.path.normpath(name), sal.symtab.filename)
        return named[name], sal.line

    def at(self):
        return self.place(self.sal())

    at_caller = at

    def at_written(self):
        """The line of the instruction that has just run."""
        newest = gdb.newest_frame()
        return self.place(gdb.find_pc_line(self.f.pc() - 1)) if self.f == newest else self.at()

    @staticmethod
    def column():
        return 0  # of which gdb keeps nothing

    column_written = column

    def just_ran(self):
        """What is read is what the instruction that has just run could see: it may have been the last of its block."""
        if self.f == gdb.newest_frame():
            self.block = gdb.block_for_pc(self.f.pc() - 1)

    def library(self):
        file, line = self.at()
        return foreign(file, line)

    def on_stack(self, address):
        sp = int(gdb.newest_frame().read_register("sp"))
        return sp - 4096 <= address < sp + (64 << 20) and self.maps(address)

    @staticmethod
    def maps(address):
        """Says that an address is not the heap's or the image's: it lies near a stack pointer."""
        return address - int(gdb.newest_frame().read_register("sp")) < 8 << 20

    @staticmethod
    def newest():
        """The newest frame of each thread; None where they are not looked at: gdb would have to choose each thread for it."""
        return None

    def select(self):
        if gdb.selected_frame() != self.f:
            self.f.select()

    def evaluate(self, text, pure=False):
        self.select()
        return expressions.evaluated(self.f, text, pure, self.block)

    def truth(self, text):
        self.select()
        return expressions.truth(self.f, text)

    def symbols(self):
        seen = set()
        for s in declared_gdb.symbols(self.f):
            if (s.is_variable or s.is_argument) and not s.name.startswith(UNWRITTEN) and s.name not in seen and s.addr_class != gdb.SYMBOL_LOC_STATIC:
                seen.add(s.name)
                yield s

    def names(self):
        waiting = {} if RUST else declared_gdb.unset_in(self.f)
        return [s.name for s in self.symbols() if s.name not in waiting]

    def declared(self):
        """The lines of the variables' declarations, where they are known."""
        return {s.name: s.line for s in self.symbols() if s.line}

    def arguments(self):
        return [s.name for s in self.symbols() if s.is_argument]

    def variable(self, name):
        self.select()
        return expressions.evaluated(self.f, name, True)[0]

    def address_of(self, name):
        try:
            return int(self.f.read_var(name).address)
        except (gdb.error, ValueError, TypeError):
            return None

    def in_prologue(self):
        start = function_start(self.f.pc() - 1)
        return start is not None and self.f.pc() <= body_of(start)

    def stored(self):
        """Says that the instruction that has just run writes to memory: watched reads do not."""
        pc = self.f.pc()
        first = gdb.find_pc_line(pc - 1).pc or function_start(pc - 1)
        if not first or pc - first > 4096:
            return True
        last = self.f.architecture().disassemble(first, pc - 1)[-1]["asm"].split("#")[0].split("<")[0].strip()
        return STORES.search(last) is not None

    def registers(self):
        return registers.Read(self.f)

    def result(self, f):
        of = f.symbol.type.target() if f.symbol is not None else None
        if of is None or of.code == gdb.TYPE_CODE_VOID:
            return None
        return register_value(self.f, of)


def function_start(pc):
    block = gdb.block_for_pc(pc)
    while block is not None and block.function is None:
        block = block.superblock
    return block.start if block is not None else None


def function_block(pc):
    """The block of the function whose code a place is in, and not of one that was put into it."""
    block, found = gdb.block_for_pc(pc), None
    while block is not None:
        if block.function is not None and block.start <= pc < block.end:  # one in which a function is only written has code elsewhere
            found = block
        block = block.superblock
    return found


bodies = {}


def body_of(start):
    """Where a function's arguments are in place: where its second line begins."""
    if start not in bodies:
        block = function_block(start)
        table = block.function.symtab.linetable() if block is not None and block.function.symtab else None
        rows = sorted({e.pc for e in table if block.start <= e.pc < block.end and e.line}) if table else []
        bodies[start] = rows[1] if len(rows) > 1 else start
    return bodies[start]


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
        return False


class Debugger(Symbols):
    all, PANICS, words, Wrong = None, RUST, staticmethod(expressions.words), expressions.Wrong

    def token(self):
        return expressions.TOKEN

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
        return min(p.line for p in found)

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

    def start_of(self, function):
        for f in self.functions():
            if f.name == function or function_of(f) == function:
                return f.start
        return None

    def watch(self, p, call, reads):
        spec = "*(unsigned char (*)[%d])%#x" % (p.size, p.address)
        if p.size in SCALARS:
            spec = "*(%s *)%#x" % (SCALARS[p.size], p.address)
        language = gdb.parameter("language")
        gdb.execute("set language c")
        try:
            Point(spec, call, type=gdb.BP_WATCHPOINT, wp_class=gdb.WP_ACCESS if reads else gdb.WP_WRITE)
        finally:
            gdb.execute("set language %s" % language)

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
