"""Values and expressions of C and C++ for a recorder: those of sessions, without calls of
the program's functions. Knows no debugger."""

from aidb.cpp.expression import TOKEN, Evaluator
from aidb.cpp.iterators import ITERATORS, iterator
from aidb.cpp.meaning import truth
from aidb.cpp.numbers import Foreign, Wrong
from aidb.cpp.values import Held, Nonsense
from aidb.cpp.whole import whole
from aidb.cpp.words import Words
from aidb.record.common import uncalled
from aidb.record.notes import OWNER, Said


class Uncalled:
    """Goes before a debugger's scope, which would run the program's methods."""

    def call(self, _of, name, _arguments):
        raise Wrong(uncalled(name + "()"))


class Expressions:
    """A debugger gives Value and unreadable, its class of values and its errors of reading them;
    names, what a frame knows by name, where sight is which of its blocks are looked into;
    compiled, what it makes of an expression itself; native, its value for one of ours."""

    TOKEN, Wrong, unreadable = TOKEN, Wrong, ()

    def worked_out(self, frame, text, pure, sight=None):
        try:
            return Evaluator(self.names(frame, sight), text).whole()
        except Foreign:
            if pure:
                raise Wrong("it is nothing that is read here") from None
        except (Nonsense, RecursionError) as wrong:
            raise Wrong("a value in it cannot be read: it is not initialized, or damaged (%s)" % wrong) from wrong
        return self.Value(self.compiled(frame, text))

    def evaluated(self, frame, text, pure, sight=None):
        """The value in words, and where it lies: address, size, type; or in words why it has no place."""
        return self.placed(frame, self.worked_out(frame, text, pure, sight))

    def placed(self, frame, got):
        if isinstance(got, self.Value):
            size = got.type.size or (got.word if OWNER.match(got.type.name) else 0)
            if got.bits:
                return self.words(got), "it is a bit field, and the processor watches whole bytes: trace lines shows what changes it, or name what holds it"
            at = (got.address, size, got.type.name) if got.placed() and size else None
            return self.words(got), at
        try:
            return self.words(self.native(frame, got)), None
        except (Foreign, *self.unreadable) as wrong:
            raise Wrong(str(wrong)) from wrong

    def words(self, v):
        if not isinstance(v, self.Value):
            v = self.Value(v)
        failure = v.failure()
        if failure:
            raise Wrong(failure)
        words = Words(ordered=True)
        said = Said(words.of(v))
        said.cut, said.whole, said.refers = words.cut, lambda: whole(v), self.refers(v)
        return said

    def refers(self, v):
        """Where that lies which a pointer leads to, a smart one or an iterator; empty for what refers to nothing."""
        try:
            if v.type.code == "pointer":
                return "%x" % v.number() if v.number() else ""
            held = v.held if isinstance(v.held, Held) else iterator(v) if v.type.code == "record" and ITERATORS.match(v.type.name) else None
            if held is None or held.value is None or not held.value.placed():
                return ""
            within = v.placed() and v.address <= held.value.address < v.address + v.type.size
            return "" if within else "%x" % held.value.address
        except (Nonsense, Wrong, AttributeError, TypeError, ValueError, *self.unreadable):
            return ""

    def truth(self, frame, text):
        try:
            return truth(self.worked_out(frame, text, False))
        except (Foreign, Nonsense) as wrong:
            raise Wrong(str(wrong)) from wrong
