"""Values and expressions of Rust for the recorder in LLDB."""

import re

from aidb.debugger.interface import Nonsense
from aidb.debugger.lldb import rust_frames
from aidb.debugger.lldb.rust_values import Process, Value
from aidb.record import rust
from aidb.record.lldb.before import before
from aidb.record.lldb.rows import rows

DROPS = re.compile(r"^core::ptr::drop_in_place\b")


class Frame(rust_frames.Frame):
    """A frame that sees what a block of its has seen that has just ended."""

    def __init__(self, frame, over):
        super().__init__(frame)
        self.over = over

    def variable(self, name):
        found = super().variable(name)
        if found is not None or not self.over:
            return found
        found = before(self.f, name)
        return Value(found) if found is not None else None


class Expressions(rust.Expressions):
    Frame, damaged = Frame, (Nonsense, ValueError, OverflowError)

    @staticmethod
    def panic_words(process, held, table):
        return rust.Expressions.panic_words(Process(process.GetTarget()), held, table)

    def words(self, v):
        return super().words(v if isinstance(v, Value) else Value(v))


expressions = Expressions()


def places(point):
    """Where a breakpoint of a line is set. In an async function LLDB takes the line's lowest address, to
    which the program may come only when it has waited: there each of the line's is taken. What drops the
    function's variables is no pass of their line."""
    locations = [place for place in point if not DROPS.match(place.GetAddress().GetFunction().GetName() or "")] or list(point)
    found = set()
    for location in locations:
        place, target = location.GetAddress(), point.GetTarget()
        function, line = place.GetFunction(), place.GetLineEntry().GetLine()
        own = function.GetBlock().GetVariables(target, True, True, False) if function.IsValid() else ()
        found.add(location.GetLoadAddress())
        if any(v.GetName() == "_task_context" for v in own):
            found.update(beginnings(place, line, target))
    return found


def beginnings(place, line, target):
    """Where in the function of a place the code of a line begins."""
    function = place.GetFunction()
    for row in rows(target, function.GetStartAddress().GetLoadAddress(target), function.GetEndAddress().GetLoadAddress(target)):
        if row.GetLine() == line and row.GetFileSpec() == place.GetLineEntry().GetFileSpec():
            yield row.GetStartAddress().GetLoadAddress(target)
