"""Values and expressions of Rust for the recorder in LLDB: those of sessions, without
calls of the program's functions."""

import aidb_rust_expression as expression
import lldb
from aidb_rust_expression import TOKEN, Evaluator, Reference, Word, Wrong, shown
from aidb_rust_memory import Nonsense, raw, type_name
from aidb_rust_methods import Found
from aidb_rust_words import Words


def no_call(_frame, name, _arguments):
    raise Wrong("%s() is a call of the program's, and none are made while it is recorded" % name)


expression.call = no_call


def token():
    return TOKEN


class Frame:
    """A frame that sees what a block of its has seen that has just ended."""

    def __init__(self, frame, over):
        self.frame, self.over = frame, over

    def __getattr__(self, name):
        return getattr(self.frame, name)

    def FindVariable(self, name):
        found = self.frame.FindVariable(name)
        if not found.IsValid() and self.over:
            for v in self.frame.GetVariables(True, True, False, False):
                if v.GetName() == name:
                    return v
        return found


def worked_out(frame, text, over=False):
    try:
        got = Evaluator(Frame(frame, over), text).whole()
    except (Nonsense, ValueError, OverflowError) as wrong:
        raise Wrong("the value cannot be read: it is not initialized, or damaged (%s)" % wrong)
    return got.whole() if isinstance(got, Found) else got


def evaluated(frame, text, pure, over):
    got = worked_out(frame, text, over)
    if isinstance(got, Reference):
        return words(got.value), None
    if isinstance(got, lldb.SBValue):
        got = raw(got)
        at, size = got.GetLoadAddress(), got.GetType().GetByteSize()
        return words(got), (at, size, type_name(got)) if at != lldb.LLDB_INVALID_ADDRESS and size else None
    if isinstance(got, Word) and str(got) != "()" and pure:
        raise Wrong("it is no variable")
    return ("()" if got is None else shown(got)), None


def words(v):
    return Words().of(v)


def truth(frame, text):
    got = expression.plain(worked_out(frame, text))
    if not isinstance(got, bool):
        raise Wrong("%s is neither true nor false" % shown(got))
    return got
