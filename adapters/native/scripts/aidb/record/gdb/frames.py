"""The frames of a program that gdb records: where they are, and what is seen in them."""

import contextlib
import os
import re

import gdb

from aidb.debugger.gdb import declared as declared_gdb
from aidb.debugger.gdb import registers
from aidb.names import plain
from aidb.record.common import STORES, foreign, joined

RUST = os.environ.get("AIDB_RECORD_LANGUAGE") == "rust"
if RUST:
    from aidb.record.gdb.rust import expressions, register_value
else:
    from aidb.record.gdb.cpp import expressions, register_value

GIVEN = {"i386:x86-64": ("rdi", "rsi"), "aarch64": ("x0", "x1")}
LAMBDA = re.compile(r"\{lambda\([^{}]*\)#\d+\}")
UNWRITTEN = ("__in_chrg", "__vtt_parm", "__for_")  # beginnings of names that the compiler has given
names = {}  # start of a function, or its name as gdb has it: its name
named = {}  # full path as gdb has it: where the file is
CWD = os.getcwd()


@contextlib.contextmanager
def in_c():
    """What is given to gdb meanwhile is in C's words."""
    language = gdb.parameter("language")
    gdb.execute("set language c")
    try:
        yield
    finally:
        gdb.execute("set language %s" % language)


def located(path, name):
    """Where a source is that was compiled in a directory without a name: where the program runs."""
    here = os.path.normpath(os.path.join(CWD, name))
    return here if path == os.path.normpath("/" + name) and not os.path.exists(path) and os.path.exists(here) else path


def function_name(frame):
    f = frame.function()
    if not RUST or f is None:
        return cpp_name((frame.name() or "?").split("@")[0])
    if frame.type() == gdb.INLINE_FRAME:  # what lies there is the function that it was put into
        return joined(plain(f.name)) or frame.name()
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

    def goes_on_from(self, pc):
        """Says that no row of the line table begins between an instruction and the later one that has just run."""
        return 0 < gdb.find_pc_line(self.f.pc() - 1).pc < pc < self.f.pc()

    def just_ran(self):
        """What is read is what the instruction that has just run could see: it may have been the last of its block."""
        if self.f == gdb.newest_frame():
            self.block = gdb.block_for_pc(self.f.pc() - 1)

    def ran_at(self, pc):
        """What is read is what an earlier instruction of the call could see; of none: what the frame can."""
        self.block = gdb.block_for_pc(pc) if pc else None

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
