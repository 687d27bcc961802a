"""Values and expressions of C and C++ for the recorder in LLDB: those of sessions,
without calls of the program's functions."""

import re

import aidb_cpp
from aidb_cpp_expression import TOKEN, Evaluator
from aidb_cpp_lldb import Value
from aidb_cpp_meaning import truth as true_of
from aidb_cpp_numbers import Foreign, Wrong
from aidb_cpp_values import Nonsense
from aidb_cpp_words import Words

PLACE = re.compile(r"^<user expression \d+>:\d+:\d+: ")


class Names(aidb_cpp.Scope):
    def __init__(self, frame, over=False):
        super().__init__(frame)
        self.over = over

    def variable(self, name):
        found = super().variable(name)
        if found is None and self.over:  # its block has just ended
            for v in self.frame.GetVariables(True, True, False, False):
                if v.GetName() == name:
                    return Value(v)
        return found

    def call(self, of, name, arguments):
        raise Wrong("%s() is a call of the program's, and none are made while it is recorded" % name)


def token():
    return TOKEN


def worked_out(frame, text, pure, over=False):
    try:
        return Evaluator(Names(frame, over), text).whole()
    except Foreign:
        if pure:
            raise Wrong("it is nothing that is read here")
    except (Nonsense, RecursionError) as wrong:
        raise Wrong("a value in it cannot be read: it is not initialized, or damaged (%s)" % wrong)
    options = aidb_cpp.options(aidb_cpp.CALL)
    options.SetAllowJIT(False)
    got = frame.EvaluateExpression(text, options)
    if got.GetError().Fail():
        raise Wrong(PLACE.sub("", aidb_cpp.compiler_words(got.GetError().GetCString() or "it could not be evaluated")))
    return Value(got)


def evaluated(frame, text, pure, over):
    """The value in words, and where it lies: address, size, type."""
    got = worked_out(frame, text, pure, over)
    if isinstance(got, Value):
        at = (got.address, got.type.size, got.type.name) if got.placed() and got.type.size else None
        return words(got), at
    try:
        return words(aidb_cpp.result_of(frame, got)), None
    except Foreign as wrong:
        raise Wrong(str(wrong))


def words(v):
    if not isinstance(v, Value):
        v = Value(v)
    failure = v.failure()
    if failure:
        raise Wrong(failure)
    return Words().of(v)


def truth(frame, text):
    try:
        return true_of(worked_out(frame, text, False))
    except (Foreign, Nonsense) as wrong:
        raise Wrong(str(wrong))
