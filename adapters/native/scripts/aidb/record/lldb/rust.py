"""Values and expressions of Rust for the recorder in LLDB."""

import re

from aidb.record import rust
from aidb.record.lldb.before import before
from aidb.record.lldb.rows import rows
from aidb.rust.memory import Nonsense

DROPS = re.compile(r"^core::ptr::drop_in_place\b")


class Frame:
    """A frame that sees what a block of its has seen that has just ended."""

    def __init__(self, frame, over):
        self.frame, self.over = frame, over

    def __getattr__(self, name):
        return getattr(self.frame, name)

    def FindVariable(self, name):
        found = self.frame.FindVariable(name)
        return found if found.IsValid() or not self.over else before(self.frame, name) or found


class Expressions(rust.Expressions):
    Frame, damaged = Frame, (Nonsense, ValueError, OverflowError)


expressions = Expressions()


def places(point):
    """Where a breakpoint of a line is set. In an async function LLDB takes the line's lowest address, to
    which the program may come only when it has waited: there each of the line's is taken. What drops the
    function's variables is no pass of their line."""
    locations = [l for l in point if not DROPS.match(l.GetAddress().GetFunction().GetName() or "")] or list(point)
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
