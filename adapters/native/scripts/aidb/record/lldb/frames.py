"""The frames of a program that LLDB records: where they are, and what is seen in them."""

import os

import lldb

from aidb.debugger.lldb import registers
from aidb.debugger.lldb.declared import unset_in
from aidb.names import plain
from aidb.record.common import foreign, joined
from aidb.record.lldb.places import called_at, place

RUST = os.environ.get("AIDB_RECORD_LANGUAGE") == "rust"
if RUST:
    from aidb.record.lldb.rust import expressions
else:
    from aidb.record.lldb.cpp import expressions

GIVEN = (("rdi", "x0"), ("rsi", "x1"))
state = {}  # of the run: debugger, target, notes, copies, the thread that is looked at


class Frame:
    Wrong = expressions.Wrong

    def __init__(self, f):
        self.f, self.over = f, False

    def pc(self):
        return self.f.GetPC()

    def sp(self):
        return self.f.GetSP()

    def older(self):
        up = self.f.GetThread().GetFrameAtIndex(self.f.GetFrameID() + 1)
        return Frame(up) if up.IsValid() else None

    def cfa(self):
        return self.f.GetCFA()

    def cfa_at_return(self):
        return self.sp() + 8

    def inlined(self):
        return self.f.IsInlined()

    def owner(self):
        """What function the place is of, copies of inlined ones told apart."""
        block = self.f.GetBlock().GetContainingInlinedBlock()
        return loaded(block.GetRangeStartAddress(0)) if block.IsValid() else loaded(self.f.GetFunction().GetStartAddress())

    def resumes(self):
        """Says that the function is one that is left and come back to, as Rust's async ones are."""
        return RUST and self.f.FindVariable("_task_context", lldb.eNoDynamicValues).IsValid()

    def given(self, n):
        """What the function was given, at its first instruction: the first words."""
        register = next(r for r in map(self.f.FindRegister, GIVEN[n]) if r.IsValid())
        return register.GetValueAsUnsigned()

    def key(self):
        return self.f.GetThread().GetThreadID()

    def thread(self):
        n = self.f.GetThread().GetIndexID()
        return "" if n == 1 else str(n)

    def function(self):
        name = self.f.GetFunctionName() or ""
        if name.startswith("operator()"):  # a lambda's, whose own name only the symbol has
            name = self.f.GetSymbol().GetName() or name
        return joined(plain(name)) or "?"

    def at(self):
        return place(self.f.GetLineEntry())

    at_caller = at

    def at_written(self):
        """The line of the instruction that has just run; where that was put into the function from a library, the
        line that calls it."""
        if self.f.GetFrameID() != 0:
            return self.at()
        at = place(line_at(self.pc() - 1))
        return called_at(state["target"].ResolveLoadAddress(self.pc() - 1)) or self.at() if foreign(*at) else at

    def column(self):
        return self.f.GetLineEntry().GetColumn()

    def column_written(self):
        return line_at(self.pc() - 1).GetColumn() if self.f.GetFrameID() == 0 else self.column()

    def goes_on_from(self, pc):
        """Says that no row of the line table begins between an instruction and the later one that has just run."""
        row = line_at(self.pc() - 1)
        return row.IsValid() and loaded(row.GetStartAddress()) < pc < self.pc()

    def just_ran(self):
        self.over = True

    def ran_at(self, pc):
        """What is read is what an earlier instruction of the call could see; of none: what the frame can."""
        self.over = pc or False

    def library(self):
        return foreign(*self.at())

    def on_stack(self, address):
        sp = self.f.GetThread().GetFrameAtIndex(0).GetSP()
        return sp - 4096 <= address < sp + (8 << 20)

    def newest(self):
        """The newest frame of each thread."""
        return (Frame(t.GetFrameAtIndex(0)) for t in self.f.GetThread().GetProcess() if t.GetNumFrames())

    def evaluate(self, text, pure=False):
        return expressions.evaluated(self.f, text, pure, self.over)

    def truth(self, text):
        return expressions.truth(self.f, text)

    def names(self):
        waiting = {} if RUST else unset_in(self.f)
        return list(dict.fromkeys(v.GetName() for v in self.f.GetVariables(True, True, False, True) if v.GetName() and v.GetName() not in waiting))

    def declared(self):
        """The lines of the variables' declarations, where they are known; of several of a name that of the nearest."""
        names = {v.GetName() for v in self.f.GetVariables(True, True, False, True) if v.GetName()}
        nearest = {name: self.f.FindVariable(name, lldb.eNoDynamicValues).GetDeclaration() for name in names}
        return {name: at.GetLine() for name, at in nearest.items() if at.IsValid()}

    def arguments(self):
        return [v.GetName() for v in self.f.GetVariables(True, False, False, True) if v.GetName()]

    def variable(self, name):
        return expressions.evaluated(self.f, name, True, False)[0]

    def address_of(self, name):
        return self.f.FindVariable(name, lldb.eNoDynamicValues).GetLoadAddress()

    def in_prologue(self):
        f = self.f.GetFunction()
        return f.IsValid() and self.pc() <= body_of(loaded(f.GetStartAddress()), f)

    def stored(self):
        return True

    def registers(self):
        return registers.Read(self.f)

    def result(self, f):
        return register_value(self.f, f.kind)


class Hit(Frame):
    """The frame in which a breakpoint is hit: where that is does not change."""

    def __init__(self, f, seen):
        super().__init__(f)
        self.seen = seen

    def at(self):
        if "at" not in self.seen:
            self.seen["at"] = super().at()
        return self.seen["at"]

    def function(self):
        if "function" not in self.seen:
            self.seen["function"] = super().function()
        return self.seen["function"]


def register_value(frame, of):
    """What a function gives, at the instruction that returns from it."""
    if of is None or not of.IsValid() or of.GetCanonicalType().GetBasicType() == lldb.eBasicTypeVoid or not of.GetByteSize() or of.GetName() == "()":
        return None
    target, size, bare = state["target"], of.GetByteSize(), of.GetCanonicalType()
    rax = frame.FindRegister("rax").GetValueAsUnsigned()
    if bare.IsReferenceType():
        return expressions.words(target.CreateValueFromAddress("result", lldb.SBAddress(rax, target), bare.GetDereferencedType()))
    try:
        if size > 16 or (registers.rust_elsewhere if RUST else registers.elsewhere)(frame, bare):
            return expressions.words(target.CreateValueFromAddress("result", lldb.SBAddress(rax, target), of))
        raw = registers.given(frame, bare, RUST)
    except registers.Spread:
        raise expressions.Wrong("the result is spread over registers") from None
    except registers.Unsure:
        raise expressions.Wrong("it is not known where the result lies") from None
    holder = lldb.SBData()
    holder.SetDataWithOwnership(lldb.SBError(), raw, lldb.eByteOrderLittle, 8)
    return expressions.words(target.CreateValueFromData("result", holder, of))


def loaded(address):
    return address.GetLoadAddress(state["target"])


def body_of(start, function):
    """Where a function's arguments are in place: where LLDB sees the prologue's end. In one of a single line it
    sees none, and in one of GCC's whose first statement stands in the line of its head it sees it behind that:
    there it is where the line table has its second row."""
    if not function.IsValid():
        return start
    size, (line, second) = function.GetPrologueByteSize(), row(start)
    if not RUST and size and start < second < start + size and row(second)[0] == line:
        return second
    return start + size if size else max(start, second)


def stored(at):
    """Where a function has its arguments in place, of the place where it begins; any other place as it is."""
    function = state["target"].ResolveLoadAddress(at).GetFunction()
    return body_of(at, function) if not RUST and function.IsValid() and loaded(function.GetStartAddress()) == at else at


def line_at(pc):
    return state["target"].ResolveLoadAddress(pc).GetLineEntry()


def row(pc):
    """The line of an instruction, and where the line table has the next one."""
    entry = line_at(pc)
    return (entry.GetLine(), loaded(entry.GetEndAddress())) if entry.IsValid() else (0, 0)
