"""Values and expressions of C and C++ for the recorder in LLDB."""

import re

import aidb_cpp
import lldb
from aidb_cpp_lldb import Value
from aidb_cpp_numbers import Wrong
from aidb_declared_lldb import refuse
import aidb_rec_cpp
from aidb_rec_lldb_before import before

PLACE = re.compile(r"^<user expression \d+>:\d+:\d+: ")


class Names(aidb_rec_cpp.Uncalled, aidb_cpp.Scope):
    def __init__(self, frame, over):
        super().__init__(frame)
        self.over = over

    def variable(self, name):
        if not self.over:
            return super().variable(name)
        found = self.frame.FindVariable(name, lldb.eNoDynamicValues)  # which the statement that has just run may have set
        if found.IsValid():
            return Value(found)
        other = self.other(name)
        gone = before(self.frame, name) if other is None else None  # its block has just ended
        return Value(gone) if gone is not None else other


class Expressions(aidb_rec_cpp.Expressions):
    Value, names = Value, Names

    def compiled(self, frame, text):
        refuse(frame, text)
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
