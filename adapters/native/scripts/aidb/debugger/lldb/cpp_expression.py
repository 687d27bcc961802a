"""Expressions of C and C++ under LLDB: ours first, which runs no operator of the
program's, then LLDB's compiler."""

import struct

import lldb

from aidb.cpp.declared import unset
from aidb.cpp.expression import Evaluator, Literal
from aidb.cpp.numbers import Address, Foreign, Int, Real, Wrong
from aidb.cpp.values import Nonsense, Text
from aidb.cpp.words import spending
from aidb.debugger.lldb.declared import plain, refuse, variable
from aidb.debugger.lldb.values import Type, Value, is_empty, made

CALL = 5000000  # microseconds that a function of the program's may take
FINISH = 9000000
MOST = 256  # virtual functions of a class

BASIC = {
    (8, True): lldb.eBasicTypeSignedChar, (8, False): lldb.eBasicTypeUnsignedChar, (16, True): lldb.eBasicTypeShort, (16, False): lldb.eBasicTypeUnsignedShort,
    (32, True): lldb.eBasicTypeInt, (32, False): lldb.eBasicTypeUnsignedInt, (64, True): lldb.eBasicTypeLong, (64, False): lldb.eBasicTypeUnsignedLong,
    (128, True): lldb.eBasicTypeInt128, (128, False): lldb.eBasicTypeUnsignedInt128,
}


def options(limit):
    o = lldb.SBExpressionOptions()
    o.SetLanguage(lldb.eLanguageTypeC_plus_plus)
    o.SetTimeoutInMicroSeconds(limit)
    o.SetIgnoreBreakpoints(True)
    o.SetUnwindOnError(True)
    return o


class Scope:
    """The names that a frame knows."""

    def __init__(self, frame):
        self.frame = frame
        self.target = frame.GetThread().GetProcess().GetTarget()

    def variable(self, name):
        found, later = variable(self.frame, name)
        if found.IsValid():
            return Value(found)
        other = self.other(name)
        if other is None and later:
            raise unset(name, later)
        return other

    def other(self, name):
        """What a name means that no variable of the frame has."""
        this = self.frame.FindVariable("this", lldb.eNoDynamicValues)
        if this.IsValid() and "::" not in name:
            member = Value(this).member(name)
            if member is not None:
                return member
        for kind in (lldb.eValueTypeVariableStatic, lldb.eValueTypeVariableGlobal):
            found = self.frame.FindValue(name, kind)
            if found.IsValid():
                return Value(found)
        found = self.target.FindGlobalVariables(name.lstrip(":"), 2)
        if found.GetSize() == 1:
            return Value(found.GetValueAtIndex(0))
        return self.enumerator(name)

    def enumerator(self, name):
        of, _, last = name.rpartition("::")
        found = self.target.FindFirstType(of) if of else None
        if found is None or not found.IsValid():
            return None
        kind = Type(found)
        value = kind.enumerators().get(last) if kind.code == "enum" else None
        return None if value is None else Int(value, 8 * kind.size, kind.signed, True)

    def call(self, of, name, arguments):
        """Runs a method of the program's by its address, without LLDB's compiler reading the types."""
        if not hasattr(of, "type") or of.type.code != "record":
            raise Foreign("a call of %s" % name)
        function, of, at = self.method(of, name, len(arguments))
        takes = function.GetType().GetFunctionArgumentTypes()
        gives = function.GetType().GetFunctionReturnType()
        kind = Type(gives)
        reference = gives.IsReferenceType()
        if not reference and kind.code not in ("int", "bool", "char", "wide", "float", "pointer", "void"):
            raise Foreign("%s() gives a record" % name)
        passed = [passed_as(Type(takes.GetTypeAtIndex(i)), a) for i, a in enumerate(arguments)]
        result = "void *" if reference or kind.code == "pointer" else kind.name
        types = ", ".join(["void *"] + [p[0] for p in passed])
        text = "((%s (*)(%s))%dUL)(%s)" % (
            result, types, at, ", ".join(["(void *)%dUL" % of.address] + [p[1] for p in passed]))
        got = self.frame.EvaluateExpression(text, options(CALL))
        if kind.code == "void" and not reference:
            return Literal(b"(nothing)")
        if got.GetError().Fail():
            raise Wrong("calling %s failed: %s" % (name, (got.GetError().GetCString() or "").splitlines()[0]))
        if reference:
            pointed = gives.GetDereferencedType()
            return Value(self.target.CreateValueFromAddress(name, lldb.SBAddress(got.GetValueAsUnsigned(), self.target), pointed))
        return Value(got.Cast(gives)) if kind.code == "pointer" else Value(got)

    def method(self, of, name, count):
        """The function that a call means, the part of the object that is its this, and where it begins: by
        the object's table of virtual functions where it is one of these."""
        static = self.candidate(of, name, count)
        if static is None:
            return self.only_virtual(of, name, count)
        function, part = static
        at = function.GetStartAddress().GetLoadAddress(self.target)
        if not self.has_table(part):
            return function, part, at
        known = self.table_of(part.type.name)
        if known is None:
            raise Foreign("%s may be virtual" % name)
        for i, slot in enumerate(known):
            if slot == at:
                at = self.table(part)[i]
                return self.function_at(at) or function, part, at
        return function, part, at

    def only_virtual(self, of, name, count):
        """A function that the class itself only declares: that of the object's table which has its name."""
        found = {}
        for at in self.table(of) if self.has_table(of) else ():
            f = self.function_at(at)
            if f is not None and "::%s(" % name in (f.GetName() or "") and f.GetType().GetFunctionArgumentTypes().GetSize() == count:
                found[at] = f
        if len(found) != 1:
            raise Foreign("there is no method %s" % name)
        at, function = next(iter(found.items()))
        return function, of, at

    @staticmethod
    def has_table(of):
        return of.type.t.IsPolymorphicClass()

    def table(self, of):
        """The virtual functions of a part of an object, as that has them."""
        try:
            return self.slots(of.pointer_at(of.address))
        except Nonsense:
            raise Foreign("its table cannot be read") from None

    def table_of(self, kind):
        """Those of the objects of a class; None where the program has no such table."""
        for found in self.target.FindSymbols("vtable for " + kind):
            at = found.GetSymbol().GetStartAddress().GetLoadAddress(self.target)
            if at != lldb.LLDB_INVALID_ADDRESS:
                return self.slots(at + 16)
        return None

    def slots(self, at):
        """Addresses of code, up to what is none."""
        process, error, out = self.target.GetProcess(), lldb.SBError(), []
        while len(out) < MOST:
            function = process.ReadPointerFromMemory(at + 8 * len(out), error)
            if error.Fail():
                break
            symbol = self.target.ResolveLoadAddress(function).GetSymbol()
            if function and (not symbol.IsValid() or symbol.GetType() != lldb.eSymbolTypeCode):  # an abstract class has none to end it
                break
            out.append(function)
        return out

    def function_at(self, at):
        """The function of an address, or the one that it leads to after having set its this right."""
        place = self.target.ResolveLoadAddress(at)
        name = place.GetSymbol().GetName() or ""
        if "thunk to " in name:
            wanted = name.split("thunk to ", 1)[1]
            found = self.target.FindFunctions(wanted.split("(")[0], lldb.eFunctionNameTypeFull | lldb.eFunctionNameTypeBase | lldb.eFunctionNameTypeMethod)
            return next((c.GetFunction() for c in found if c.GetFunction().IsValid() and c.GetFunction().GetName() == wanted), None)
        return place.GetFunction() if place.GetFunction().IsValid() else None

    def candidate(self, of, name, count):
        """The one method of a class, or of the nearest of its bases, that takes so many arguments, and that part of the object."""
        kind, found = of.type.t, {}
        for context in self.target.FindFunctions(name, lldb.eFunctionNameTypeMethod | lldb.eFunctionNameTypeBase):
            f = context.GetFunction()
            full = (f.GetName() or "") if f.IsValid() else ""
            if full.startswith("%s::%s(" % (kind.GetName(), name)) and f.GetType().GetFunctionArgumentTypes().GetSize() == count:
                found[f.GetStartAddress().GetLoadAddress(self.target)] = f
        if len(found) > 1:
            raise Foreign("%s has several forms" % name)
        if found:
            return next(iter(found.values())), of
        for base in of.bases():
            inherited = self.candidate(base, name, count)
            if inherited is not None:
                return inherited
        return None


def passed_as(kind, argument):
    """The type and the value of an argument as C writes them."""
    if kind.code == "pointer" and isinstance(argument, Address):
        return "void *", "(void *)%dUL" % argument.value
    if kind.code == "bool" and isinstance(argument, bool):
        return "bool", str(argument).lower()
    if kind.code in ("int", "char", "wide", "float", "bool") and isinstance(argument, (bool, Int, Real)):
        value = int(argument) if isinstance(argument, bool) else argument.value
        return kind.name, "(%s)%r" % (kind.name, value)
    raise Foreign("an argument that is more than a number")


def native(frame, text):
    """What LLDB's own compiler makes of an expression."""
    refuse(frame, text)
    got = frame.EvaluateExpression(text, options(FINISH))
    error = got.GetError()
    if error.Fail() and error.GetType() == lldb.eErrorTypeGeneric and not got.IsValid():
        return got
    if error.Fail() and "unknown error" not in (error.GetCString() or ""):
        raise Wrong(compiler_words(error.GetCString() or "it could not be evaluated"))
    return got


def compiler_words(text):
    """The first error of LLDB's compiler, without its place."""
    first = next((row for row in text.splitlines() if "error:" in row), text.strip().splitlines()[0])
    return first.rsplit("error: ", 1)[-1].strip()


def worked_out(frame, text, made_of=None):
    """The value of an expression, as ours or as LLDB's; ours is made into LLDB's by made_of."""
    spending.asked()
    try:
        return (made_of or result_of)(frame, Evaluator(Scope(frame), text).whole())
    except Foreign:
        return native(frame, text)
    except (Nonsense, RecursionError) as wrong:
        raise Wrong("a value in it cannot be read: it is not initialized, or damaged (%s)" % wrong) from wrong


def written(frame, value):
    """What lies in the program, or C++'s words for what an expression has made: LLDB keeps nothing else under a name."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Int):
        if value.bits == 128:
            return "(((__int128)%d) << 64 | (unsigned long)%d)" % (value.value >> 64, value.value & (1 << 64) - 1)
        kind = "char" if value.char and value.bits == 8 else ("signed " if value.signed else "unsigned ") + NAMES[value.bits]
        return "(%s)%dULL" % (kind, value.value & (1 << 64) - 1)
    if isinstance(value, Real):
        if abs(value.value) < 1.8e308:
            return "(%s)%r" % ("float" if value.bits == 32 else "double", value.value)
        return "(double)" + str(value.value).replace("nan", '__builtin_nan("")').replace("inf", "__builtin_inf()")
    if isinstance(value, (Literal, Text)) and value.width == 1:
        return '"%s"' % "".join("\\%03o" % b for b in value.data())
    if isinstance(value, Address):
        if isinstance(value.v, Value) and value.v.placed() and value.v.address == value.value:
            return value.v.v.AddressOf()
        return "(%s *)%dUL" % (value.of.name if value.of is not None and value.of.code in ("int", "char", "float", "bool") else "void", value.value)
    return result_of(frame, value)


NAMES = {8: "char", 16: "short", 32: "int", 64: "long"}


def result_of(frame, value):
    """A value of LLDB's for what an expression has given."""
    target = frame.GetThread().GetProcess().GetTarget()

    def basic(kind):
        return target.GetBasicType(kind)

    if isinstance(value, Value):
        if value.failure():
            raise Wrong(value.failure())
        return value.v
    if isinstance(value, bool):
        return made(target, "result", bytes([value]), basic(lldb.eBasicTypeBool))
    if isinstance(value, Int):
        kind = lldb.eBasicTypeChar if value.char and value.bits == 8 else BASIC[(value.bits, value.signed)]
        return made(target, "result", value.value.to_bytes(value.bits // 8, "little", signed=value.signed), basic(kind))
    if isinstance(value, Real):
        if value.bits not in (32, 64):
            raise Foreign("a long double")
        code, of = ("<f", lldb.eBasicTypeFloat) if value.bits == 32 else ("<d", lldb.eBasicTypeDouble)
        return made(target, "result", struct.pack(code, value.value), basic(of))
    if isinstance(value, Address):
        to = value.of.t if value.of is not None else basic(lldb.eBasicTypeVoid)
        return made(target, "result", value.value.to_bytes(8, "little"), to.GetPointerType())
    if isinstance(value, (Literal, Text)):
        of = {1: lldb.eBasicTypeChar, 2: lldb.eBasicTypeChar16, 4: lldb.eBasicTypeChar32}[value.width]
        data = value.data() + b"\0" * value.width
        return made(target, "result", data, basic(of).GetArrayType(len(data) // value.width))
    if isinstance(value, str):
        return result_of(frame, Literal(value.encode()))
    raise Foreign("it is nothing that can be shown")


def evaluate_hex(digits):
    """The same in the frame that LLDB has chosen; the text in hexadecimal digits, so
    that nothing on its way takes a part of it for its own."""
    return evaluate(lldb.frame, bytes.fromhex(digits).decode("utf-8"))


def evaluate(frame, text):
    """The value of an expression, as the debug adapter shows it."""
    try:
        value = worked_out(frame, text)
    except Wrong as wrong:
        raise Exception(str(wrong)) from None  # whose name is left out
    value.SetPreferSyntheticValue(True)
    return value


def resolve(target, frame, digits):
    """The name under which lldb-dap finds the value of an expression, in a frame that it has numbered."""
    thread, rank = divmod(int(frame), 1 << 19)
    frame = target.GetProcess().GetThreadByIndexID(thread).GetFrameAtIndex(rank)
    text = bytes.fromhex(digits).decode("utf-8")
    path = frame.GetValueForVariablePath(text) if "[" not in text else lldb.SBValue()
    if path.IsValid() and path.GetError().Success() and not is_empty(path.GetType()) and plain(frame, text):
        return {"name": text}
    value = worked_out(frame, text, written)
    if isinstance(value, str):
        return {"name": value}
    kept = value.Persist()
    if not kept.IsValid():
        raise Wrong("LLDB does not keep it: name a part of it")
    return {"name": kept.GetName()}
