"""Frames of Rust programs under LLDB, as aidb.rust reads them."""

import lldb

from aidb.debugger import interface
from aidb.debugger.interface import Nonsense
from aidb.debugger.lldb import rust_living
from aidb.debugger.lldb.rust_values import Process, Value
from aidb.rust import moved
from aidb.rust.memory import is_unit


class Frame(interface.Frame):
    def __init__(self, f):
        self.f = f

    @property
    def function(self):
        return self.f.GetFunctionName() or ""

    @property
    def process(self):
        return Process(self.f.GetThread().GetProcess().GetTarget())

    def variable(self, name):
        found = self.f.FindVariable(name)
        return Value(found) if found.IsValid() else None

    def static(self, name):
        found = self.f.FindValue(name, lldb.eValueTypeVariableGlobal)
        return Value(found) if found.IsValid() else None

    def unset(self, value):
        return rust_living.unset(self.f, value)

    def moved(self, value):
        entry, of = self.f.GetLineEntry(), value.v.GetDeclaration()
        if not entry.IsValid() or not of.IsValid():
            return {}
        return moved.gone(value, (entry.GetFileSpec().fullpath, entry.GetLine()), (of.GetFileSpec().fullpath, of.GetLine()))

    def call(self, function, arguments):
        """Calls it by its address, in C++'s words."""
        takes, gives = function.signature()
        types = ", ".join("void *" if of.code == "pointer" else of.name for of in takes)
        words = ", ".join(written(argument, of) for argument, of in zip(arguments, takes))
        options = lldb.SBExpressionOptions()
        options.SetLanguage(lldb.eLanguageTypeC_plus_plus)
        options.SetTimeoutInMicroSeconds(5000000)
        options.SetIgnoreBreakpoints(True)
        options.SetUnwindOnError(True)
        text = "((%s (*)(%s))%dUL)(%s)" % ("void" if is_unit(gives) else gives.name, types, function.address, words)
        value = self.f.EvaluateExpression(text, options)
        if value.GetError().Fail() and not is_unit(gives):  # LLDB calls it an error that nothing is given
            raise Nonsense((value.GetError().GetCString() or "").splitlines()[0])
        return Value(value)


def written(n, of):
    """A number as C++ writes it."""
    if of.code == "pointer":
        return "(void *)%dUL" % n
    return ("true" if n else "false") if isinstance(n, bool) else repr(n)


def wide_number(target, n):
    """A number that does not fit what Python hands over: of 64 bits if it can be, else of 128."""
    unsigned = n >= 0
    bits = 64 if unsigned and n < 1 << 64 else 128
    if not -(1 << 127) <= n < 1 << 128:
        raise Nonsense("%d does not fit 128 bits" % n)
    basic = {(64, True): lldb.eBasicTypeUnsignedLongLong, (128, True): lldb.eBasicTypeUnsignedInt128, (128, False): lldb.eBasicTypeInt128}[bits, unsigned]
    if bits == 128 and n < 1 << 127:
        basic = lldb.eBasicTypeInt128
    words = [n >> 64 * i & (1 << 64) - 1 for i in range(bits // 64)]
    data = lldb.SBData.CreateDataFromUInt64Array(target.GetByteOrder(), target.GetAddressByteSize(), words)
    return target.CreateValueFromData("n", data, target.GetBasicType(basic))
