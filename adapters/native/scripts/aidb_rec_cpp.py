"""Values and expressions of C and C++ for a recorder: those of sessions, without calls of
the program's functions. Knows no debugger."""

from aidb_cpp_expression import TOKEN, Evaluator
from aidb_cpp_meaning import truth
from aidb_cpp_numbers import Foreign, Wrong
from aidb_cpp_values import Nonsense
from aidb_cpp_whole import whole
from aidb_cpp_words import Words
from aidb_rec_common import uncalled
from aidb_rec_notes import Said


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
                raise Wrong("it is nothing that is read here")
        except (Nonsense, RecursionError) as wrong:
            raise Wrong("a value in it cannot be read: it is not initialized, or damaged (%s)" % wrong)
        return self.Value(self.compiled(frame, text))

    def evaluated(self, frame, text, pure, sight=None):
        """The value in words, and where it lies: address, size, type."""
        return self.placed(frame, self.worked_out(frame, text, pure, sight))

    def placed(self, frame, got):
        if isinstance(got, self.Value):
            at = (got.address, got.type.size, got.type.name) if got.placed() and got.type.size else None
            return self.words(got), at
        try:
            return self.words(self.native(frame, got)), None
        except (Foreign, *self.unreadable) as wrong:
            raise Wrong(str(wrong))

    def words(self, v):
        if not isinstance(v, self.Value):
            v = self.Value(v)
        failure = v.failure()
        if failure:
            raise Wrong(failure)
        words = Words(ordered=True)
        said = Said(words.of(v))
        said.cut, said.whole = words.cut, lambda: whole(v)
        return said

    def truth(self, frame, text):
        try:
            return truth(self.worked_out(frame, text, False))
        except (Foreign, Nonsense) as wrong:
            raise Wrong(str(wrong))
