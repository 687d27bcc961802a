"""What the linker knows of a program, and what lies in its memory, for the recorder in LLDB."""

import os
from typing import ClassVar, Dict

import lldb

from aidb.record.common import foreign

BASIC = {
    "int": lldb.eBasicTypeInt, "unsigned int": lldb.eBasicTypeUnsignedInt, "long": lldb.eBasicTypeLong, "unsigned long": lldb.eBasicTypeUnsignedLong,
    "short": lldb.eBasicTypeShort, "unsigned short": lldb.eBasicTypeUnsignedShort, "char": lldb.eBasicTypeChar, "signed char": lldb.eBasicTypeSignedChar,
    "unsigned char": lldb.eBasicTypeUnsignedChar, "bool": lldb.eBasicTypeBool, "float": lldb.eBasicTypeFloat, "double": lldb.eBasicTypeDouble,
    "long long": lldb.eBasicTypeLongLong, "unsigned long long": lldb.eBasicTypeUnsignedLongLong,
}

SCALARS = (lldb.eTypeClassBuiltin, lldb.eTypeClassPointer, lldb.eTypeClassEnumeration)
NESTED, MEMBERS = 2, 50  # how deep in a variable a type is looked for, and among how many parts


def members(pointer):
    """The names of what an object holds, the parts of its bases among them."""
    todo, names = [pointer.GetPointeeType().GetCanonicalType()], set()
    while todo:
        of = todo.pop()
        names.update(of.GetFieldAtIndex(i).GetName() for i in range(of.GetNumberOfFields()))
        todo += [of.GetDirectBaseClassAtIndex(i).GetType().GetCanonicalType() for i in range(of.GetNumberOfDirectBaseClasses())]
    return names


def visible(target, places):
    """The names of the variables of a function that can be seen at one of its places, each with the lines in which it
    is declared; none for what is there from the beginning."""
    names, known = {}, set()
    for at in places:
        block = target.ResolveLoadAddress(at).GetBlock()
        while block.IsValid():
            own = block.GetVariables(target, True, True, True)
            key = tuple(block.GetRangeEndAddress(i).GetLoadAddress(target) for i in range(block.GetNumRanges())), tuple(v.GetName() for v in own)
            if key in known:  # a block and the one around it may begin and end alike: what they hold tells them apart
                break
            known.add(key)
            for v in (v for v in own if v.GetName()):  # what a structured binding parts has no name
                given = v.GetValueType() == lldb.eValueTypeVariableArgument
                names.setdefault(v.GetName(), set()).update(() if given else (v.GetDeclaration().GetLine(),))
                names.update({name: set() for name in members(v.GetType())} if v.GetName() == "this" else {})
            block = block.GetParent()
    return names


class Unreadable(Exception):
    """Memory that is not there."""


class Symbols:
    """A debugger gives target and break_address; words, which are those of a value, and Wrong, their error."""

    unreadable = (Unreadable,)
    kinds: ClassVar[Dict[str, lldb.SBType]] = {}  # by their names

    def break_symbol(self, name, call):
        """At the first instruction of a function of a library, by the linker's name; nothing where there is none."""
        found = [c.GetSymbol() for c in self.target.FindSymbols(name, lldb.eSymbolTypeCode)]
        starts = {s.GetStartAddress().GetLoadAddress(self.target) for s in found if s.GetMangledName() == name or s.GetName() == name}
        return [self.break_address(at, call) for at in starts if at != lldb.LLDB_INVALID_ADDRESS]

    def is_global(self, name):
        """Says that a name is a variable's of the program's own as a whole, or of one of its files."""
        found = [v.GetDeclaration() for v in self.target.FindGlobalVariables(name, 10)]
        return "::" in name or any(not foreign(os.path.join(d.GetFileSpec().GetDirectory() or "", d.GetFileSpec().GetFilename() or ""), d.GetLine()) for d in found)

    def memory(self, at, size):
        error = lldb.SBError()
        data = self.target.GetProcess().ReadMemory(at, size, error)
        if error.Fail() or data is None:
            raise Unreadable(error.GetCString())
        return data

    def word(self, at):
        return int.from_bytes(self.memory(at, 8), "little")

    def c_text(self, at, most):
        data = b""
        while len(data) < most and b"\0" not in data:
            data += self.memory(at + len(data), min(64, 4096 - (at + len(data)) % 4096))
        return data.split(b"\0")[0].decode("utf-8", "backslashreplace")

    def symbol_at(self, address):
        """What the linker calls that which lies at an address."""
        found = self.target.ResolveLoadAddress(address).GetSymbol()
        name = (found.GetName() or "") if found.IsValid() else ""
        return self.demangled(name.split("@")[0]) if "@" in name else name  # LLDB reads none with a version

    def demangled(self, name):
        said = lldb.SBCommandReturnObject()
        self.target.GetDebugger().GetCommandInterpreter().HandleCommand("language cplusplus demangle " + name, said)
        return (said.GetOutput() or "").partition("---> ")[2].strip() or name

    def in_image(self, address):
        """Says that an address is that of a variable which the program has from its start."""
        return self.target.ResolveLoadAddress(address).GetSection().IsValid()

    def part_of(self, place, names):
        """Where what the fields of these names lead to lies in a place, and how long it is."""
        of, offset = self.type_in(place.function, place.type), 0
        while True:
            found = next((f for f in (of.GetFieldAtIndex(i) for i in range(of.GetNumberOfFields())) if f.GetName() in names), None)
            if found is None:
                return offset, of.GetByteSize()
            offset, of = offset + found.GetOffsetInBytes(), found.GetType()

    def is_scalar(self, place):
        of = self.type_in(place.function, place.type)
        return of.IsValid() and of.GetCanonicalType().GetTypeClass() in SCALARS

    def type_of(self, name):
        if name not in self.kinds:
            self.kinds[name] = self.found_type(name)
        return self.kinds[name]

    def found_type(self, name):
        if name.endswith("*"):
            inner = self.found_type(name[:-1].strip())
            return inner.GetPointerType() if inner.IsValid() else inner
        if name.endswith("]") and not name.startswith("["):
            name, _, counts = name.partition("[")
            of = self.type_of(name.strip())
            for count in reversed(counts[:-1].split("][")) if of.IsValid() else ():
                of = of.GetArrayType(int(count)) if count.isdigit() else lldb.SBType()
            return of
        if name in BASIC:
            return self.target.GetBasicType(BASIC[name])
        return self.target.FindFirstType(name)

    def type_in(self, function, name):
        """A type by its name, which LLDB finds by no other way where it is an instance of a template: that of a
        variable of a function, or of a part of one."""
        if not self.type_of(name).IsValid():
            for f in self.functions() if function else ():
                if f.name == function and f.function.IsValid():
                    self.learn_block(f.function.GetBlock())
        return self.type_of(name)

    def learn_block(self, block):
        for v in block.GetVariables(self.target, True, True, False):
            self.learn(v.GetType(), 0)
        inner = block.GetFirstChild()
        while inner.IsValid():
            self.learn_block(inner)
            inner = inner.GetSibling()

    def learn(self, of, depth):
        bare = of.GetUnqualifiedType()
        if bare.IsPointerType() or bare.IsReferenceType():
            return self.learn(bare.GetPointeeType(), depth + 1) if depth < NESTED else None
        name = bare.GetName() or ""
        if name and not (name in self.kinds and self.kinds[name].IsValid()):
            self.kinds[name] = bare
        for i in range(min(bare.GetNumberOfFields(), MEMBERS)) if depth < NESTED else ():
            self.learn(bare.GetFieldAtIndex(i).GetType(), depth + 1)

    def words_at(self, address, kind):
        """The words of what lies at an address, of a type by its name; empty where that is not known."""
        of = self.type_of(kind)
        if not of.IsValid():
            return ""
        try:
            return self.words(self.target.CreateValueFromAddress("it", lldb.SBAddress(address, self.target), of))
        except self.Wrong:
            return ""
