"""What a function gives in registers, under LLDB on x86-64."""

import lldb

from aidb.debugger import x86_64
from aidb.debugger.x86_64 import MOST, Spread, Unsure  # noqa: F401

FLOATS = (lldb.eBasicTypeFloat, lldb.eBasicTypeDouble)
RECORDS = lldb.eTypeClassStruct | lldb.eTypeClassClass | lldb.eTypeClassUnion


def parts(of, at=0):
    """The numbers and addresses that a type consists of: where they begin, how long they are, and whether they
    are floating point. What lies at one place in different cases is there once for each kind of it."""
    of = of.GetCanonicalType()
    if not of.GetByteSize():
        return set()
    if of.IsArrayType():
        item, found = of.GetArrayElementType(), set()
        for i in range(min(of.GetByteSize() // (item.GetByteSize() or 1), MOST + 1)):
            found |= parts(item, at + i * item.GetByteSize())
        return found
    if of.GetTypeClass() & RECORDS:
        found = set()
        for i in range(of.GetNumberOfDirectBaseClasses()):
            base = of.GetDirectBaseClassAtIndex(i)
            found |= parts(base.GetType(), at + base.GetOffsetInBytes())
        for i in range(of.GetNumberOfFields()):
            field = of.GetFieldAtIndex(i)
            case = field.GetName() == "value" and (of.GetName() or "").endswith("$Variant")  # which LLDB puts behind the number of its case
            found |= parts(field.GetType(), at + (0 if case else field.GetOffsetInBytes()))
        return found
    return {(at, of.GetByteSize(), of.GetBasicType() in FLOATS)}


def declares(of):
    """What the classes say that a record consists of, as x86_64 has it."""
    of = of.GetCanonicalType()
    while of.IsArrayType():
        of = of.GetArrayElementType().GetCanonicalType()
    if not of.GetTypeClass() & RECORDS:
        return x86_64.NOTHING
    if of.IsPolymorphicClass():
        return x86_64.ENDS
    inner = [of.GetDirectBaseClassAtIndex(i).GetType() for i in range(of.GetNumberOfDirectBaseClasses())]
    inner += [of.GetFieldAtIndex(i).GetType() for i in range(of.GetNumberOfFields())]
    found = max(map(declares, inner), default=x86_64.NOTHING)
    if x86_64.DEFAULTED.match(of.GetName() or ""):
        return found
    for i in range(of.GetNumberOfMemberFunctions()):
        m = of.GetMemberFunctionAtIndex(i)
        if m.GetKind() == lldb.eMemberFunctionKindDestructor:
            return x86_64.ENDS
        if m.GetKind() == lldb.eMemberFunctionKindConstructor and m.GetNumberOfArguments() == 1:
            like = m.GetArgumentTypeAtIndex(0)
            if like.IsReferenceType() and like.GetDereferencedType().GetUnqualifiedType().GetName() == of.GetUnqualifiedType().GetName():
                found = max(found, x86_64.COPIES)
    return found


def elsewhere(frame, of):
    """Says that a C++ record does not lie in registers, but at the address in rax."""
    def readable(address):
        error = lldb.SBError()
        frame.GetThread().GetProcess().ReadMemory(address, 1, error)
        return error.Success()

    rax, rsp = (frame.FindRegister(name).GetValueAsUnsigned() for name in ("rax", "rsp"))
    return of.GetByteSize() > MOST or x86_64.elsewhere(declares(of), rax, rsp, readable)


def begins_with_address(of):
    """Says that the first bytes of a type may be an address."""
    of = of.GetCanonicalType()
    if of.IsArrayType():
        return begins_with_address(of.GetArrayElementType())
    if not of.GetTypeClass() & RECORDS:
        return of.IsPointerType()
    fields = [of.GetFieldAtIndex(i) for i in range(of.GetNumberOfFields())]
    variant = (of.GetName() or "").endswith("$Variant")
    return any(begins_with_address(f.GetType()) for f in fields if f.GetOffsetInBytes() == 0 or variant and f.GetName() == "value")


def rust_elsewhere(frame, of):
    """Says that a value of Rust does not lie in registers, but at the address in rax."""
    rax, rsp = (frame.FindRegister(name).GetValueAsUnsigned() for name in ("rax", "rsp"))
    return of.GetByteSize() > MOST or of.GetByteSize() > 8 and x86_64.on_stack(rax, rsp) and not begins_with_address(of)


class Read:
    """The registers of a frame, as the stores with a mask want them."""

    def __init__(self, frame):
        self.frame = frame

    def general(self, name):
        return self.frame.FindRegister(name).GetValueAsUnsigned()

    def mask(self, number):
        found = self.frame.FindRegister("k%d" % number)  # LLDB 20 knows none of them
        return found.GetValueAsUnsigned() if found.IsValid() else None

    def vector(self, number):
        found = self.frame.FindRegister("ymm%d" % number)
        return found.GetData().ReadRawData(lldb.SBError(), 0, 32) if found.IsValid() else None


def given(frame, of, rust):
    """The bytes of a result that lies in registers as a whole."""
    def floats(name):
        return frame.FindRegister(name).GetData().ReadRawData(lldb.SBError(), 0, 8)

    registers = x86_64.Registers(lambda name: frame.FindRegister(name).GetValueAsUnsigned(), floats)
    return x86_64.given(registers, of.GetByteSize(), parts(of), rust)
