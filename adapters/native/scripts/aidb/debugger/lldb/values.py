"""LLDB's values as aidb.cpp.values reads them. Each word with LLDB costs some ten
microseconds, and a stop shows hundreds of values: what was asked once is kept."""

import re
from functools import cached_property

import lldb

from aidb.debugger import interface
from aidb.debugger.interface import Nonsense
from aidb.debugger.lldb import debuginfo
from aidb.debugger.lldb.declared import line_of

RECORDS = (lldb.eTypeClassStruct, lldb.eTypeClassClass)
FLOATS = (lldb.eBasicTypeFloat, lldb.eBasicTypeDouble, lldb.eBasicTypeLongDouble)
WIDE = (
    lldb.eBasicTypeWChar, lldb.eBasicTypeSignedWChar, lldb.eBasicTypeUnsignedWChar, lldb.eBasicTypeChar16, lldb.eBasicTypeChar32,
    getattr(lldb, "eBasicTypeChar8", -1),
)
CHARS = (lldb.eBasicTypeChar, lldb.eBasicTypeSignedChar, lldb.eBasicTypeUnsignedChar)
UNSIGNED = (
    lldb.eBasicTypeUnsignedChar, lldb.eBasicTypeUnsignedShort, lldb.eBasicTypeUnsignedInt, lldb.eBasicTypeUnsignedLong,
    lldb.eBasicTypeUnsignedLongLong, lldb.eBasicTypeUnsignedInt128, lldb.eBasicTypeUnsignedWChar, lldb.eBasicTypeChar16, lldb.eBasicTypeChar32,
)


def made(target, name, data, of):
    """A value that lies nowhere in the program."""
    holder = lldb.SBData()
    holder.SetDataWithOwnership(lldb.SBError(), data, lldb.eByteOrderLittle, target.GetAddressByteSize())
    return target.CreateValueFromData(name, holder, of)


def is_empty(of):
    """Says that a type is an array of no elements, or of nobody knows how many."""
    of = of.GetCanonicalType()
    return of.IsArrayType() and re.match(r"[^\[]*\[0?\]", of.GetName() or "") is not None


class Type(interface.CppType):
    """A type, without const and other names of it."""

    def __init__(self, t):
        self.t = t.GetCanonicalType().GetUnqualifiedType()

    @cached_property
    def name(self):
        return self.t.GetName() or ""

    @cached_property
    def size(self):
        return self.t.GetByteSize()

    @property
    def align(self):
        return self.t.GetByteAlign() if hasattr(self.t, "GetByteAlign") else min(self.size & -self.size or 1, 8)

    @cached_property
    def code(self):
        cls = self.t.GetTypeClass()
        if cls == lldb.eTypeClassBuiltin:
            basic = self.t.GetBasicType()
            if basic == lldb.eBasicTypeBool:
                return "bool"
            if basic in FLOATS:
                return "float"
            if basic == lldb.eBasicTypeVoid:
                return "void"
            return "char" if basic in CHARS else "wide" if basic in WIDE else "int"
        if cls in RECORDS:
            return "record"
        if not self.t.IsValid():
            return "nothing"
        return {
            lldb.eTypeClassUnion: "union", lldb.eTypeClassEnumeration: "enum", lldb.eTypeClassPointer: "pointer",
            lldb.eTypeClassArray: "array", lldb.eTypeClassFunction: "function", lldb.eTypeClassMemberPointer: "member",
        }.get(cls, "other")

    @property
    def signed(self):
        if self.code == "enum":
            return Type(self.t.GetEnumerationIntegerType()).signed if hasattr(self.t, "GetEnumerationIntegerType") else False
        return self.code != "pointer" and self.t.GetBasicType() not in UNSIGNED

    def argument(self, i):
        of = self.t.GetTemplateArgumentType(i)
        return type(self)(of) if of.IsValid() else None

    def pointee(self):
        return type(self)(self.t.GetPointeeType())

    def element(self):
        return type(self)(self.t.GetArrayElementType())

    @property
    def count(self):
        element = self.t.GetArrayElementType().GetByteSize()
        return self.size // element if element else 0

    def enumerators(self):
        return {m.GetName(): m.GetValueAsSigned() for m in self.t.GetEnumMembers()}


SCALARS = ("int", "bool", "char", "wide", "float", "enum")


class Value(interface.CppValue):
    held = None  # what is in it, once that was found out
    record = None  # the type of that of which it is a member, or of a pointer to that

    def __init__(self, v, of=None):
        if of is not None:  # its type is known, and no reference
            self.v, self.type = v if of.code in SCALARS else v.GetNonSyntheticValue(), of
            return
        v = v.GetNonSyntheticValue()
        kind = v.GetType()
        if kind.IsReferenceType():
            v = v.Dereference().GetNonSyntheticValue()
            kind = v.GetType()
        self.v, self.type = v, Type(kind)

    @property
    def word(self):
        return self.v.GetTarget().GetAddressByteSize()

    @property
    def name(self):
        return self.v.GetName() or ""

    @property
    def address(self):
        at = self.v.GetLoadAddress()
        if at == lldb.LLDB_INVALID_ADDRESS:
            raise Nonsense("it does not lie in memory")
        return at

    def failure(self):
        """Why the value cannot be read; empty where it can."""
        error = self.v.GetError()
        return (error.GetCString() or "unreadable") if error.Fail() else ""

    def member(self, name):
        found = self.v.GetChildMemberWithName(name)
        if not found.IsValid() and (self.type.code == "record" or self.type.code == "pointer" and self.type.pointee().code == "record"):
            found = self.v.GetDynamicValue(lldb.eDynamicDontRunTarget).GetNonSyntheticValue().GetChildMemberWithName(name)
        if not found.IsValid() or found.GetName() != name:
            return None
        part = Value(self.mended(found))
        part.record = self.v.GetType()
        return part

    @property
    def bits(self):
        of = self.record.GetCanonicalType() if self.record is not None else None
        of = of.GetPointeeType().GetCanonicalType() if of is not None and of.IsPointerType() else of
        return of is not None and any(f.GetName() == self.name and f.IsBitfield() for f in map(of.GetFieldAtIndex, range(of.GetNumberOfFields())))

    def mended(self, part):
        """A part of a union with the length that it has: LLDB takes the arrays there for empty."""
        if not is_empty(part.GetType()):
            return part
        if self.type.code != "union":  # it may be one of a union without a name
            inner = (c for c in self.children() if c.type.code == "union" and c.unnamed)
            return next((c.mended(part) for c in inner if c.v.GetChildMemberWithName(part.GetName()).IsValid()), part)
        element = part.GetType().GetCanonicalType().GetArrayElementType()
        length = debuginfo.lengths(self.v, self.type.t).get(part.GetName())
        if length is None or not element.GetByteSize():
            return part
        return part.Cast(element.GetArrayType(length))

    @property
    def unnamed(self):
        """Says that this is a base class, or a part without a name."""
        return self.name in ("", self.type.name, self.v.GetTypeName(), self.v.GetDisplayTypeName())

    def children(self, most=1 << 30):
        mend = self.mended if self.type.code == "union" else lambda part: part
        return [Value(mend(self.v.GetChildAtIndex(i))) for i in range(min(self.v.GetNumChildren(), most))]

    def bases(self):
        return [c for c in self.children(self.type.t.GetNumberOfDirectBaseClasses()) if c.unnamed]

    def placed(self):
        return self.v.GetLoadAddress() != lldb.LLDB_INVALID_ADDRESS

    def contents(self):
        data = self.v.GetData()
        return data.ReadRawData(lldb.SBError(), 0, data.GetByteSize()) or b""

    def number(self):
        """The bits of a scalar, without a sign."""
        error = lldb.SBError()
        n = self.v.GetValueAsUnsigned(error, 0)
        if error.Fail():
            raise Nonsense(error.GetCString())
        return n

    def integer(self):
        """A whole number, with its sign."""
        if self.type.size > 8:
            error, data = lldb.SBError(), self.v.GetData()
            return int.from_bytes(data.ReadRawData(error, 0, self.type.size), "little", signed=self.type.signed)
        error = lldb.SBError()
        n = self.v.GetValueAsSigned(error, 0) if self.type.signed else self.v.GetValueAsUnsigned(error, 0)
        if error.Fail():
            raise Nonsense(error.GetCString())
        return n

    def real(self):
        error, data = lldb.SBError(), self.v.GetData()
        size = self.type.size
        n = data.GetFloat(error, 0) if size == 4 else data.GetDouble(error, 0) if size == 8 else float(self.v.GetValue())
        if error.Fail():
            raise Nonsense(error.GetCString())
        return n

    def scalar_words(self):
        words = self.v.GetValue()
        return words if words is not None else "?"

    def member_name(self, far):
        """The member that a pointer to members means, which lies so far in its class."""
        of = re.search(r"([^\s*&(]+)::\*$", self.type.name)
        found = self.v.GetTarget().FindFirstType(of.group(1)) if of else None
        for m in found.fields if found is not None and found.IsValid() else ():
            if m.GetOffsetInBytes() == far:
                return "%s::%s" % (of.group(1), m.GetName())
        return ""

    def symbol(self):
        """What lies at the address of a function pointer."""
        at = self.v.GetTarget().ResolveLoadAddress(self.number()).GetSymbol()
        return at.GetName() or "" if at.IsValid() else ""

    def readable(self, address):
        error = lldb.SBError()
        self.v.GetProcess().ReadMemory(address, 1, error)
        return error.Success()

    def memory(self, address, size):
        error = lldb.SBError()
        data = self.v.GetProcess().ReadMemory(address, size, error) if size else b""
        if error.Fail() or data is None or len(data) < size:
            raise Nonsense("unreadable")
        return data

    def c_text(self, address, most):
        error = lldb.SBError()
        text = self.v.GetProcess().ReadMemory(address, most, error)
        while (error.Fail() or text is None) and most > 1:  # the end of a mapping
            most //= 2
            error = lldb.SBError()
            text = self.v.GetProcess().ReadMemory(address, most, error)
        if error.Fail() or text is None:
            raise Nonsense("unreadable")
        return text

    def pointer_at(self, address):
        error = lldb.SBError()
        at = self.v.GetProcess().ReadPointerFromMemory(address, error)
        if error.Fail():
            raise Nonsense("unreadable")
        return at

    def at(self, name, address, of):
        return Value(self.v.CreateValueFromAddress(name, address, of.t), of)

    def named(self, name):
        return Value(self.v.Clone(name))

    def reach(self):
        frame = self.v.GetFrame()
        thread, first = frame.GetThread(), frame.GetFrameID()
        for i in range(first, min(first + interface.CALLERS, thread.GetNumFrames())) if frame.IsValid() else ():
            of = thread.GetFrameAtIndex(i)
            for v in of.GetVariables(True, True, False, True, lldb.eNoDynamicValues):
                if not line_of(of, v):
                    yield Value(v)

    def boolean(self, name, truth):
        return Value(made(self.v.GetTarget(), name, bytes([truth]), self.v.GetTarget().GetBasicType(lldb.eBasicTypeBool)))

    def deref(self):
        if not self.number():
            raise Nonsense("nullptr")
        pointed = self.v.Dereference()
        if not pointed.IsValid():
            raise Nonsense("unreadable")
        return type(self)(pointed)

    def element(self, i):
        """An element of an array, or behind a pointer."""
        if self.type.code == "array":
            if self.placed():  # what is set there is set in the program
                of = self.type.element()
                return self.at("[%d]" % i, self.address + i * of.size, of)
            return Value(self.v.GetChildAtIndex(i, lldb.eNoDynamicValues, True))
        of = self.type.pointee()
        return self.at("[%d]" % i, self.number() + i * of.size, of)
