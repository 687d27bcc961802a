"""As much of LLDB's interface as our reading of Rust programs needs, on gdb's: so
that values and expressions are the same under both. Stands in for the module lldb."""

import re

import gdb

eBasicTypeFloat, eBasicTypeDouble, eBasicTypeOther = range(3)
eTypeClassBuiltin, eTypeClassStruct, eTypeClassUnion, eTypeClassClass, eTypeClassEnumeration, eTypeClassOther = range(6)
eFunctionNameTypeBase = eLanguageTypeC_plus_plus = eValueTypeVariableGlobal = 0

CLASSES = {
    gdb.TYPE_CODE_STRUCT: eTypeClassStruct, gdb.TYPE_CODE_UNION: eTypeClassUnion, gdb.TYPE_CODE_ENUM: eTypeClassEnumeration,
    gdb.TYPE_CODE_INT: eTypeClassBuiltin, gdb.TYPE_CODE_CHAR: eTypeClassBuiltin, gdb.TYPE_CODE_BOOL: eTypeClassBuiltin, gdb.TYPE_CODE_FLT: eTypeClassBuiltin,
}
RECORDS = (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION)
LLDB_INVALID_ADDRESS = (1 << 64) - 1
UNREADABLE = (gdb.error, gdb.MemoryError, RuntimeError, OverflowError, ValueError, UnicodeDecodeError)


def readable(method):
    """What gdb cannot read is no value, as our reading knows it."""

    def guarded(*args):
        try:
            return method(*args)
        except UNREADABLE as wrong:
            raise ValueError(str(wrong))

    return guarded


class SBError:
    failed = ""

    def Fail(self):
        return bool(self.failed)

    def Success(self):
        return not self.failed

    def GetCString(self):
        return self.failed


class SBExpressionOptions:
    def ignore(self, _):
        pass

    SetLanguage = SetTimeoutInMicroSeconds = SetIgnoreBreakpoints = SetUnwindOnError = ignore


class Field:
    def __init__(self, name, of=None, offset=0):
        self.name, self.type, self.offset = name, of, offset

    def GetName(self):
        return self.name

    def GetType(self):
        return self.type

    def GetOffsetInBytes(self):
        return self.offset


def is_enum(t):
    """Says that a type is one of Rust's enums with data, of which gdb shows the variant that is there."""
    return t.code in RECORDS and any(f.artificial and f.name is None for f in t.fields())


def deadly(t, known={}):
    """Says that gdb dies when it reads a value of this type: an enum with a tag of more
    than 64 bits is in it."""
    t = t.strip_typedefs()
    if t.code == gdb.TYPE_CODE_ARRAY:
        return deadly(t.target())
    if t.code not in RECORDS or t.sizeof <= 8:
        return False
    if (str(t), t.sizeof) not in known:
        fields = t.fields()
        known[str(t), t.sizeof] = (any(f.artificial and f.name is None and f.type.sizeof > 8 for f in fields)
                                   or any(deadly(f.type) for f in fields if hasattr(f, "bitpos")))
    return known[str(t), t.sizeof]


class SBType:
    def __init__(self, t):
        self.t = t

    def IsValid(self):
        return self.t is not None

    def GetName(self):
        return {"char": "char32_t", "()": "()"}.get(str(self.t), str(self.t))

    def GetUnqualifiedType(self):
        return SBType(self.t.unqualified())

    def GetCanonicalType(self):
        return SBType(self.t.strip_typedefs())

    def GetTypeClass(self):
        return CLASSES.get(self.t.code, eTypeClassOther)

    def GetBasicType(self):
        return eBasicTypeDouble if self.t.code == gdb.TYPE_CODE_FLT else eBasicTypeOther

    def GetByteSize(self):
        return self.t.sizeof

    def IsPointerType(self):
        return self.t.code == gdb.TYPE_CODE_PTR

    def IsArrayType(self):
        return self.t.code == gdb.TYPE_CODE_ARRAY

    def IsFunctionType(self):
        return self.t.code == gdb.TYPE_CODE_FUNC

    def GetPointeeType(self):
        return SBType(self.t.target())

    GetArrayElementType = GetFunctionReturnType = GetPointeeType

    def GetArrayType(self, length):
        return SBType(self.t.array(length - 1))

    def GetTemplateArgumentType(self, i):
        try:
            return SBType(self.t.template_argument(i))
        except UNREADABLE:
            return SBType(None)

    def fields(self):
        if self.t.code not in RECORDS:
            return []
        if is_enum(self.t):
            return [Field("$variants$")]
        return [Field(f.name, SBType(f.type), f.bitpos // 8) for f in self.t.fields() if hasattr(f, "bitpos")]

    def GetNumberOfFields(self):
        return len(self.fields())

    def GetFieldAtIndex(self, i):
        return self.fields()[i]

    def GetFunctionArgumentTypes(self):
        return Types([SBType(f.type) for f in self.t.fields()])


class Types(list):
    GetSize = list.__len__
    GetTypeAtIndex = list.__getitem__
    GetValueAtIndex = list.__getitem__


class SBValue:
    """A value; without one it is not valid."""

    def __init__(self, v, name="", wrong=""):
        self.v, self.name, self.wrong = v, name, wrong

    def IsValid(self):
        return self.v is not None

    def GetName(self):
        return self.name

    def GetError(self):
        error = SBError()
        error.failed = self.wrong
        return error

    def GetNonSyntheticValue(self):
        return self

    def SetPreferSyntheticValue(self, _):
        pass

    def GetType(self):
        return SBType(self.v.type)

    def GetTarget(self):
        return target

    GetProcess = GetTarget

    def Clone(self, name):
        return SBValue(self.v, name)

    @readable
    def CreateValueFromAddress(self, name, address, of):
        if deadly(of.t):
            return Untold(of.t, name)
        return SBValue(gdb.Value(address).cast(of.t.pointer()).dereference(), name)

    @readable
    def Dereference(self):
        if deadly(self.v.type.strip_typedefs().target()):
            return Untold(self.v.type.strip_typedefs().target(), "*" + self.name)
        return SBValue(self.v.dereference(), "*" + self.name)

    def AddressOf(self):
        return SBValue(self.v.address, "&" + self.name)

    def GetLoadAddress(self):
        return int(self.v.address) if self.v.address is not None else LLDB_INVALID_ADDRESS

    def scalar(self):
        """The number, text or truth that it is; None where it cannot be had."""
        t = self.v.type.strip_typedefs()
        try:
            if t.code == gdb.TYPE_CODE_FLT:
                return float(self.v)
            if t.code == gdb.TYPE_CODE_BOOL:
                return bool(self.v)
            return int(self.v) if t.code not in RECORDS and t.sizeof else None
        except UNREADABLE:
            return None

    def GetValue(self):
        n = self.scalar()
        if isinstance(n, bool):
            return "true" if n else "false"
        if isinstance(n, float) and n != n:
            return "NaN"
        if n is None or self.v.type.strip_typedefs().code in (gdb.TYPE_CODE_FLT, gdb.TYPE_CODE_ENUM):
            try:
                return None if n is None else self.v.format_string()
            except UNREADABLE:
                return None
        return str(n)

    def GetValueAsUnsigned(self, error=None, fallback=0):
        n = self.scalar()
        if n is None:
            if error is not None:
                error.failed = "unreadable"
            return fallback
        return int(n) % (1 << max(8 * self.v.type.sizeof, 64))

    def GetValueAsSigned(self):
        return int(self.scalar() or 0)

    def children(self):
        """Names of members, or numbers of elements."""
        t = self.v.type.strip_typedefs()
        if t.code == gdb.TYPE_CODE_ARRAY:
            low, high = t.range()
            return range(low, high + 1)
        if t.code not in RECORDS:
            return ()
        return ["$variants$"] if is_enum(t) else [f.name for f in t.fields() if hasattr(f, "bitpos")]

    def GetNumChildren(self):
        return len(self.children())

    @readable
    def GetChildAtIndex(self, i):
        known = self.children()
        if not 0 <= i < len(known):
            return SBValue(None)
        if isinstance(known, range):
            of = self.v.type.strip_typedefs().target()
            if not of.sizeof:  # gdb finds no such element
                return self.CreateValueFromAddress("[%d]" % i, self.GetLoadAddress(), SBType(of))
            return SBValue(self.v[known[i]], "[%d]" % i)
        return self.GetChildMemberWithName(known[i])

    def GetChildMemberWithName(self, name):
        if name == "$variants$" and is_enum(self.v.type.strip_typedefs()):
            return Variants(self.v)
        if name not in self.children():
            return SBValue(None)
        try:
            return SBValue(self.v[name], name)
        except UNREADABLE:
            return SBValue(None)

    def GetData(self):
        return self

    def ReadRawData(self, _, offset, size):
        return bytes(int(self.v[i]) % 256 for i in range(offset, offset + size))

    def GetByteSize(self):
        return self.v.type.sizeof


class Untold(SBValue):
    """A value that must not be read. Its type is all that is known."""

    untold = True

    def __init__(self, t, name=""):
        super().__init__(t, name)

    def GetType(self):
        return SBType(self.v)

    def Clone(self, name):
        return Untold(self.v, name)

    def GetLoadAddress(self):
        return LLDB_INVALID_ADDRESS

    def read(self, *_):
        from aidb.rust.memory import Untold as Cannot
        raise Cannot("a tag of more than 64 bits")

    AddressOf = Dereference = CreateValueFromAddress = GetNumChildren = GetChildAtIndex = GetChildMemberWithName = read
    GetValue = GetValueAsUnsigned = GetValueAsSigned = ReadRawData = read


class Variants(SBValue):
    """An enum as LLDB has it: all variants, of which the one that gdb has found is
    told as the one for any discriminant."""

    def GetNumChildren(self):
        return 1

    @readable
    def GetChildAtIndex(self, _):
        held = [f for f in self.v.type.strip_typedefs().fields() if not f.artificial]
        if len(held) > 1:  # it lies nowhere, and gdb looks which is there only when it shows it
            shown = self.v.format_string(max_depth=1)
            held = [f for f in held if re.match(r"%s::%s\b" % (re.escape(str(self.v.type.strip_typedefs())), f.name), shown)]
            if len(held) != 1:
                raise UNREADABLE[0]("it is not seen which variant is there")
        return Variant(self.v[held[0]] if held else None, "$variant$")


class Variant(SBValue):
    def GetChildMemberWithName(self, name):
        return SBValue(self.v, name) if name == "value" else SBValue(None)


class Function:
    """What a function's symbol tells of it; also the context that it is found in."""

    def __init__(self, symbol):
        self.symbol = symbol

    def IsValid(self):
        return True

    def GetFunction(self):
        return self

    def GetDisplayName(self):
        return self.symbol.name

    def GetType(self):
        return SBType(self.symbol.type)

    def GetStartAddress(self):
        return self

    def GetLoadAddress(self, _):
        return int(self.symbol.value().address)


class Place:
    """An address, with the name of what lies there."""

    def __init__(self, address, _=None):
        text = gdb.execute("info symbol %d" % address, to_string=True)
        self.name = text.rsplit(" in section", 1)[0] if " in section" in text else ""

    def GetSymbol(self):
        return self

    def IsValid(self):
        return bool(self.name)

    def GetDisplayName(self):
        return self.name


SBAddress = Place


class Target:
    """The program, which is the process too."""

    def GetTarget(self):
        return self

    def GetAddressByteSize(self):
        return 8

    def ReadMemory(self, address, size, error):
        try:
            return bytes(gdb.selected_inferior().read_memory(address, size))
        except UNREADABLE as wrong:
            error.failed = str(wrong) or "unreadable"
            return None

    def FindFirstType(self, name):
        try:
            found = gdb.lookup_type(name)
        except UNREADABLE:
            return SBType(None)
        if found.code not in CLASSES:  # the mere path of a type, which has the same name
            symbol = gdb.lookup_static_symbol(name)
            found = symbol.type if symbol is not None else found
        return SBType(found if found.code in CLASSES else None)

    def FindGlobalVariables(self, name, _):
        for look in (gdb.lookup_global_symbol, gdb.lookup_static_symbol):
            symbol = look(name)
            if symbol is not None and symbol.is_variable and deadly(symbol.type):
                return Types([Untold(symbol.type, name)])
            if symbol is not None and symbol.is_variable:
                return Types([SBValue(symbol.value(), name)])
        return Types()

    def FindFunctions(self, name, _):
        found = {}
        for row in gdb.execute("info functions -q -n %s$" % re.escape(name), to_string=True).splitlines():
            full = row.split("(", 1)[0].split("fn ", 1)[-1] if "fn " in row else ""
            symbol = full.split("::")[-1] == name and (gdb.lookup_global_symbol(full) or gdb.lookup_static_symbol(full))
            if symbol:
                found[full] = Function(symbol)
        return list(found.values())


target = Target()


class SBFrame:
    def __init__(self, frame):
        self.f = frame

    def FindVariable(self, name):
        try:
            symbol = gdb.lookup_symbol(name, self.f.block())[0]
        except UNREADABLE:  # a frame without debug information
            symbol = None
        known = symbol is not None and (symbol.is_variable or symbol.is_argument)
        if known and deadly(symbol.type):
            return Untold(symbol.type, name)
        return SBValue(symbol.value(self.f) if known else None, name)

    def FindValue(self, _, __):
        return SBValue(None)

    def GetFunctionName(self):
        return self.f.name()

    def GetThread(self):
        return self

    def GetProcess(self):
        return target

    def EvaluateExpression(self, text, _):
        try:
            return SBValue(gdb.parse_and_eval(text))
        except UNREADABLE as wrong:
            return SBValue(None, wrong=str(wrong))
