"""What a function gives in registers, under LLDB on x86-64: which part of it is in which."""

import lldb

FLOATS = (lldb.eBasicTypeFloat, lldb.eBasicTypeDouble)
RECORDS = lldb.eTypeClassStruct | lldb.eTypeClassClass | lldb.eTypeClassUnion
MOST = 16  # bytes that are given in registers, and parts that are looked at


class Spread(Exception):
    """It is not known which part is where."""


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


def given(frame, of, rust):
    """The bytes of a result that lies in registers as a whole."""
    size, found = of.GetByteSize(), sorted(parts(of))
    if size > MOST or not found or any(length > 8 for _, length, _ in found):
        raise Spread
    if rust:
        return of_rust(Registers(frame), size, found)
    whole, registers = bytearray(size), Registers(frame)
    for start in range(0, size, 8):  # the C ABI goes by words
        word = [p for p in found if start <= p[0] < start + 8]
        put(whole, start, min(8, size - start), registers.next(bool(word) and all(p[2] for p in word)))
    return bytes(whole)


def of_rust(registers, size, found):
    """Rust gives two parts in a register each, however short they are, and what has more as one number."""
    whole = bytearray(size)
    if len(found) > 2 or len(found) == 2 and found[0][0] + found[0][1] > found[1][0]:
        if size > 8:
            raise Spread
        found = [(0, size, False)]
    for start, length, floating in found:
        put(whole, start, length, registers.next(floating))
    return bytes(whole)


def put(whole, start, length, word):
    whole[start : start + length] = word[:length]


class Registers:
    """Those in which results are given, in their order."""

    def __init__(self, frame):
        self.frame, self.whole, self.floating = frame, ["rax", "rdx"], ["xmm0", "xmm1"]

    def next(self, floating):
        name = (self.floating if floating else self.whole).pop(0)
        register = self.frame.FindRegister(name)
        if floating:
            return register.GetData().ReadRawData(lldb.SBError(), 0, 8)
        return register.GetValueAsUnsigned().to_bytes(8, "little")
