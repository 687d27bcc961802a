"""Values and expressions of Rust for a recorder: those of sessions, without calls of the
program's functions. Reads them on LLDB's interface, which gdb has from us."""

import re

from aidb.rust import expression
import lldb
from aidb.record.common import uncalled
from aidb.record.notes import Said
from aidb.rust.expression import TOKEN, Evaluator, Reference, Word, Wrong, shown
from aidb.rust.memory import Nonsense, memory, raw, type_name
from aidb.rust.methods import Found
from aidb.rust.panic import words as panic_words
from aidb.rust.whole import whole
from aidb.rust.words import Words

OWNED = r"(?:alloc::(?:boxed::Box|rc::Rc|rc::Weak|sync::Arc|sync::Weak)|std::(?:boxed|rc|sync)::\w+)<"
REFERS = re.compile(r"^(?:(?:core|std)::option::Option<)?(?:&|\*(?:const|mut) |%s)" % OWNED)


def no_call(_frame, name, _arguments):
    raise Wrong(uncalled(name + "()"))


expression.call = no_call


class Expressions:
    """A debugger gives Frame, a frame of its of which sight says which blocks are looked into,
    and damaged, the errors of reading what is none of the program's values."""

    TOKEN, Wrong, damaged = TOKEN, Wrong, (Nonsense,)

    def worked_out(self, frame, text, sight=None):
        try:
            got = Evaluator(self.Frame(frame, sight), text).whole()
        except self.damaged as wrong:
            raise Wrong("the value cannot be read: it is not initialized, or damaged (%s)" % wrong)
        return got.whole() if isinstance(got, Found) else got

    def evaluated(self, frame, text, pure, sight=None):
        """The value in words, and where it lies: address, size, type."""
        got = self.worked_out(frame, text, sight)
        if isinstance(got, Reference):
            return self.words(got.value), None
        if isinstance(got, lldb.SBValue):
            got = raw(got)
            at, size = got.GetLoadAddress(), got.GetType().GetByteSize()
            return self.words(got), (at, size, type_name(got)) if at != lldb.LLDB_INVALID_ADDRESS and size else None
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
            of, at = v.GetType(), v.GetLoadAddress()
            size = of.GetByteSize()
            if not of.IsPointerType() and not REFERS.match(type_name(v)) or at == lldb.LLDB_INVALID_ADDRESS or not size or size % 8:
                return ""
            data = memory(v, at, size)
            words = ["%x" % int.from_bytes(data[i : i + 8], "little") for i in range(0, size, 8)]
            return "" if words[0] == "0" else "-".join(words)
        except (*self.damaged, Wrong, AttributeError, TypeError, ValueError):
            return ""

    def truth(self, frame, text):
        got = expression.plain(self.worked_out(frame, text))
        if not isinstance(got, bool):
            raise Wrong("%s is neither true nor false" % shown(got))
        return got

    def panic_words(self, process, held, table):
        """The words of a panic, of which are known where its payload is and a table of functions."""
        return panic_words(process or lldb.target, held, table)
