"""Values and expressions of C and C++ for the recorder in LLDB."""

import re

import aidb_cpp
from aidb_cpp_lldb import Value
from aidb_cpp_numbers import Wrong
import aidb_rec_cpp
from aidb_rec_lldb_before import before

PLACE = re.compile(r"^<user expression \d+>:\d+:\d+: ")


class Names(aidb_rec_cpp.Uncalled, aidb_cpp.Scope):
    def __init__(self, frame, over):
        super().__init__(frame)
        self.over = over

    def variable(self, name):
        found = super().variable(name)
        if found is None and self.over:  # its block has just ended
            gone = before(self.frame, name)
            return Value(gone) if gone is not None else None
        return found


class Expressions(aidb_rec_cpp.Expressions):
    Value, names = Value, Names

    def compiled(self, frame, text):
        options = aidb_cpp.options(aidb_cpp.CALL)
        options.SetAllowJIT(False)
        got = frame.EvaluateExpression(text, options)
        if got.GetError().Fail():
            raise Wrong(PLACE.sub("", aidb_cpp.compiler_words(got.GetError().GetCString() or "it could not be evaluated")))
        return got

    def native(self, frame, got):
        return aidb_cpp.result_of(frame, got)


expressions = Expressions()


def places(point):
    """Where a breakpoint of a line is set."""
    return {location.GetLoadAddress() for location in point}
