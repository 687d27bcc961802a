"""Values and expressions of C and C++ for the recorder in LLDB."""

import re

import lldb

from aidb.cpp.numbers import Wrong
from aidb.debugger.lldb import cpp_expression
from aidb.debugger.lldb.declared import refuse
from aidb.debugger.lldb.values import Value
from aidb.record import cpp
from aidb.record.lldb.before import before

PLACE = re.compile(r"^<user expression \d+>:\d+:\d+: ")


class Names(cpp.Uncalled, cpp_expression.Scope):
    def __init__(self, frame, over):
        super().__init__(frame)
        self.over = over

    def variable(self, name):
        if not self.over:
            return super().variable(name)
        if self.over is not True:
            gone = before(self.frame, name, self.over)
            return Value(gone) if gone is not None else self.other(name)
        found = self.frame.FindVariable(name, lldb.eNoDynamicValues)  # which the statement that has just run may have set
        if found.IsValid():
            return Value(found)
        other = self.other(name)
        gone = before(self.frame, name) if other is None else None  # its block has just ended
        return Value(gone) if gone is not None else other


class Expressions(cpp.Expressions):
    Value, names = Value, Names

    def compiled(self, frame, text):
        refuse(frame, text)
        options = cpp_expression.options(cpp_expression.CALL)
        options.SetAllowJIT(False)
        got = frame.EvaluateExpression(text, options)
        if got.GetError().Fail():
            raise Wrong(PLACE.sub("", cpp_expression.compiler_words(got.GetError().GetCString() or "it could not be evaluated")))
        return got

    def native(self, frame, got):
        return cpp_expression.result_of(frame, got)


expressions = Expressions()


def places(point):
    """Where a breakpoint of a line is set."""
    return {location.GetLoadAddress() for location in point}
