"""Values and expressions of Rust for the recorder in LLDB."""

import aidb_rec_rust
from aidb_rec_lldb_before import before
from aidb_rust_memory import Nonsense


class Frame:
    """A frame that sees what a block of its has seen that has just ended."""

    def __init__(self, frame, over):
        self.frame, self.over = frame, over

    def __getattr__(self, name):
        return getattr(self.frame, name)

    def FindVariable(self, name):
        found = self.frame.FindVariable(name)
        return found if found.IsValid() or not self.over else before(self.frame, name) or found


class Expressions(aidb_rec_rust.Expressions):
    Frame, damaged = Frame, (Nonsense, ValueError, OverflowError)


expressions = Expressions()
