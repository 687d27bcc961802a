"""Values and expressions of Rust for a recorder: those of sessions, without calls of the
program's functions."""

import re

from aidb.debugger.interface import Nonsense, Value
from aidb.record.common import uncalled
from aidb.record.notes import Said
from aidb.rust import expression, panic
from aidb.rust.expression import TOKEN
from aidb.rust.meaning import Found, Reference, Word, Wrong, plain, shown
from aidb.rust.whole import whole
from aidb.rust.words import Words

OWNED = r"(?:alloc::(?:boxed::Box|rc::Rc|rc::Weak|sync::Arc|sync::Weak)|std::(?:boxed|rc|sync)::\w+)<"
REFERS = re.compile(r"^(?:(?:core|std)::option::Option<)?(?:&|\*(?:const|mut) |%s)" % OWNED)


class Evaluator(expression.Evaluator):
    def call(self, name, _arguments):
        raise Wrong(uncalled(name + "()"))


class Expressions:
    """A debugger gives Frame, a frame of its of which sight says which blocks are looked into,
    and damaged, the errors of reading what is none of the program's values."""

    TOKEN, Wrong, damaged = TOKEN, Wrong, (Nonsense,)

    def worked_out(self, frame, text, sight=None):
        try:
            got = Evaluator(self.Frame(frame, sight), text).whole()
        except self.damaged as wrong:
            raise Wrong("the value cannot be read: it is not initialized, or damaged (%s)" % wrong) from wrong
        return got.whole() if isinstance(got, Found) else got

    def evaluated(self, frame, text, pure, sight=None):
        """The value in words, and where it lies: address, size, type."""
        got = self.worked_out(frame, text, sight)
        if isinstance(got, Reference):
            return self.words(got.value), None
        if isinstance(got, Value):
            at = got.address if got.placed() else None
            return self.words(got), (at, got.type.size, got.type.name) if at is not None and got.type.size else None
        if isinstance(got, Word) and str(got) != "()" and pure:
            raise Wrong("it is no variable")
        return ("()" if got is None else shown(got)), None

    def words(self, v):
        words = Words()
        said = Said(words.of(v))
        said.cut, said.whole, said.refers = words.cut, lambda: whole(v), self.refers(v)
        return said

    def refers(self, v):
        """Where that lies which a reference leads to, or a pointer or what owns by one: its bytes; empty for
        what refers to nothing."""
        try:
            size = v.type.size
            if v.type.code != "pointer" and not REFERS.match(v.type.name) or not v.placed() or not size or size % 8:
                return ""
            data = v.memory(v.address, size)
            words = ["%x" % int.from_bytes(data[i : i + 8], "little") for i in range(0, size, 8)]
            return "" if words[0] == "0" else "-".join(words)
        except (*self.damaged, Wrong, AttributeError, TypeError, ValueError):
            return ""

    def truth(self, frame, text):
        got = plain(self.worked_out(frame, text))
        if not isinstance(got, bool):
            raise Wrong("%s is neither true nor false" % shown(got))
        return got

    @staticmethod
    def panic_words(process, held, table):
        """The words of a panic, of which are known where its payload is and a table of functions."""
        return panic.words(process, held, table)
