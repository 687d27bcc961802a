"""Values and expressions of Rust for the recorder in gdb."""

import gdb

from aidb.debugger.gdb import rust_frames
from aidb.debugger.gdb.registers import Spread, given, rust_elsewhere
from aidb.debugger.gdb.rust_values import UNREADABLE, Value, process
from aidb.record import rust
from aidb.rust.meaning import Wrong


class Frame(rust_frames.Frame):
    """A frame that sees what a block of its own does."""

    def __init__(self, frame, block):
        super().__init__(frame)
        self.block = block

    def variable(self, name):
        found = self.variable_of(self.block, name) if self.block is not None else None
        return found if found is not None and not found.untold else super().variable(name)


class Expressions(rust.Expressions):
    Frame, process = Frame, process

    def worked_out(self, frame, text, block=None):
        try:
            return super().worked_out(frame, text, block)
        except UNREADABLE as wrong:
            raise Wrong(str(wrong) or "it cannot be read") from wrong

    def words(self, v):
        if not isinstance(v, Value):
            v = Value(v)
        try:
            if not v.untold and v.v.is_optimized_out:
                raise Wrong("optimized out")
            return super().words(v)
        except UNREADABLE as wrong:
            raise Wrong(str(wrong)) from wrong


expressions = Expressions()
words = expressions.words


def register_value(frame, of):
    """What a function gives, at the instruction that returns from it."""
    kind = of.strip_typedefs()
    if not kind.sizeof:
        return None
    if rust_elsewhere(frame, kind):
        return words(gdb.Value(int(frame.read_register("rax")) % (1 << 64)).cast(of.pointer()).dereference())
    try:
        return words(given(frame, of, True))
    except Spread:
        raise Wrong("the result is spread over registers") from None


def places(found):
    """Where a breakpoint of a line is set; in an async function at all of the line's code. See the one
    for LLDB."""
    known = [p for p in found if not dropping(p.pc)] or found
    at = {p.pc for p in known}
    for p in known:
        block = function_block(gdb.block_for_pc(p.pc))
        if block is not None and any(s.name == "_task_context" for s in block):
            at |= {row.pc for row in p.symtab.linetable() if row.line == p.line and block.start <= row.pc < block.end}
    return at


def function_block(block):
    while block is not None and block.function is None:
        block = block.superblock
    return block


def dropping(pc):
    """Says that a place is where the variables of a function are dropped that does not go on."""
    block = function_block(gdb.block_for_pc(pc))
    return block is not None and block.function.name.startswith("core::ptr::drop_in_place")
