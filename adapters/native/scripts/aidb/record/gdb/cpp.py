"""Values and expressions of C and C++ for the recorder in gdb."""

import re

import gdb

from aidb.cpp.numbers import Wrong
from aidb.debugger.gdb import declared
from aidb.debugger.gdb.cpp import Scope, native
from aidb.debugger.gdb.registers import Spread, Unsure, elsewhere, given
from aidb.debugger.gdb.values import UNREADABLE, Value
from aidb.record import cpp

NAME = re.compile(r"^[A-Za-z_]\w*$")


class Names(cpp.Uncalled, Scope):
    def __init__(self, frame, block):
        self.frame, self.block = frame, block

    def variable(self, name):
        if NAME.match(name):
            try:
                nearer = declared.variable(self.frame, name) if self.block is None else None
                if nearer is not None:
                    return Value(nearer, name)
                found = self.of_block(name) if self.block is not None else self.frame.read_var(name)
                return Value(found, name) if found.type.code != gdb.TYPE_CODE_FUNC else None
            except (ValueError, *UNREADABLE):
                pass
        return super().variable(name)

    def of_block(self, name):
        """The variable of a name that the block has, or one around it. The frame may be past its end."""
        block = self.block
        while block is not None and not block.is_global and not block.is_static:
            for s in block:
                if s.name == name and (s.is_variable or s.is_argument):
                    return s.value(self.frame)
            block = None if block.function is not None else block.superblock
        return self.frame.read_var(name)


class Expressions(cpp.Expressions):
    Value, unreadable, names = Value, UNREADABLE, Names

    def evaluated(self, frame, text, pure, block=None):
        if not NAME.match(text):
            return super().evaluated(frame, text, pure, block)
        got = Names(frame, block).variable(text)
        if got is None:
            raise Wrong('No symbol "%s" in current context.' % text)
        return self.placed(frame, got)

    def compiled(self, frame, text):
        declared.refuse(frame, text)
        try:
            return gdb.parse_and_eval(text)
        except UNREADABLE as wrong:
            raise Wrong(str(wrong)) from wrong

    def native(self, _frame, got):
        return native(got)


expressions = Expressions()
words = expressions.words


def register_value(frame, of):
    """What a function gives, at the instruction that returns from it, as the System V ABI has it."""
    of = of.strip_typedefs()
    if of.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
        target = of.target()
        return words(gdb.Value(int(frame.read_register("rax")) % (1 << 64)).cast(target.pointer()).dereference())
    if of.code == gdb.TYPE_CODE_FLT and of.sizeof > 8:
        raise Wrong("the result is in a register of its own")
    try:
        if elsewhere(frame, of):
            return words(gdb.Value(int(frame.read_register("rax")) % (1 << 64)).cast(of.pointer()).dereference())
        return words(given(frame, of, False))
    except Spread:
        raise Wrong("the result is spread over registers") from None
    except Unsure:
        raise Wrong("it is not known where the result lies") from None


def places(found):
    """Where a breakpoint of a line is set."""
    return {p.pc for p in found}
