"""LLDB's values of Rust programs, as aidb.rust reads them."""

import re
from functools import cached_property

import lldb

from aidb.debugger import interface
from aidb.debugger.interface import Nonsense
from aidb.debugger.lldb import debuginfo, values
from aidb.rust.memory import Misread, Untold, is_unit, last_part

HASH = re.compile(r"::h[0-9a-f]{16}$")


class Type(values.Type, interface.RustType):
    """A type of Rust, which LLDB has as one of C++."""

    def members(self):
        return [self.t.GetFieldAtIndex(i) for i in range(self.t.GetNumberOfFields())]

    @cached_property
    def fields(self):
        return [field.GetName() or "" for field in self.members()]

    @cached_property
    def tagged(self):
        return self.fields[:1] == ["$variants$"]

    def array(self, count):
        return Type(self.t.GetArrayType(count))


class Value(values.Value, interface.RustValue):
    def __init__(self, v, of=None):
        self.v = v.GetNonSyntheticValue()
        if of is not None:
            self.type = of

    @cached_property
    def type(self):
        return Type(self.v.GetType())

    @property
    def process(self):
        return Process(self.v.GetTarget())

    @property
    def count(self):
        return self.v.GetNumChildren()

    def part(self, i):
        found = self.v.GetChildAtIndex(i)
        return Value(found) if found.IsValid() else self.empty(lambda rank, _: rank == i) or Value(found)

    def member(self, name):
        found = self.v.GetChildMemberWithName(name)
        return Value(found) if found.IsValid() else self.empty(lambda _, field: field.GetName() == name)

    def empty(self, meant):
        """A member of the type (), of which LLDB has no value; None where it is of another."""
        for i, field in enumerate(self.type.members()):
            if meant(i, field):
                return self.of_nothing(field.GetName() or "", field.GetType()) if is_unit(Type(field.GetType())) else None
        return None

    def of_nothing(self, name, of):
        return Value(self.v.CreateValueFromData(name, self.v.GetData(), of))

    def named(self, name):
        copy = self.v.Clone(name)
        if is_unit(self.type) and not copy.GetError().Success():  # what has no size is no value any more
            return self.of_nothing(name, self.v.GetType())
        return Value(copy)

    def unsigned(self):
        return self.v.GetValueAsUnsigned()

    def text(self):
        if self.type.code == "char":
            return str(self.integer())
        return self.v.GetValue()

    def contents(self):
        error, data = lldb.SBError(), self.v.GetData()
        got = data.ReadRawData(error, 0, data.GetByteSize()) if data.GetByteSize() else b""
        if got is None or error.Fail():
            raise Nonsense("unreadable")
        return bytes(got)

    def memory(self, address, size):
        return self.process.memory(address, size)

    def at(self, name, address, of):
        self.memory(address, 1 if of.size else 0)
        return Value(self.v.CreateValueFromAddress(name, address, of.t), of)

    def address_of(self):
        return Value(self.v.AddressOf())

    def concrete(self):
        return None

    def variant(self):
        """LLDB names each variant after its discriminant, the one for all other values without a number; where the
        discriminant lies, and its exact value where an impossible value of a field is it, only the debug information says."""
        variants = self.v.GetChildAtIndex(0)  # asked for by its name, LLDB looks into the variants, and may die of one
        every = [Value(variants.GetChildAtIndex(i)) for i in range(variants.GetNumChildren())]
        if not every:
            raise Nonsense("no variants")
        size = self.type.size
        possible = every if len(every) == 1 else [v for v in every if not v.is_sound(size) or not v.holds().is_impossible()]
        found = possible[0] if len(possible) == 1 else every[self.which(every)]
        if not found.is_sound(size):
            raise Misread(last_part(found.type.name).removesuffix("$Variant"))
        held = found.holds()
        if len(possible) == 1:
            return held
        name, of = held.v.GetName() or "value", held.v.GetType()  # each is as long as the enum, and lies where that does
        return Value(self.v.CreateValueFromAddress(name, self.address, of) if self.placed() else self.v.CreateValueFromData(name, self.v.GetData(), of))

    def holds(self):
        """What a variant holds."""
        held = self.member("value")
        if held is None:
            raise Nonsense("value")
        return held

    def is_sound(self, size):
        """Says that a variant's value has the type that it should have, and its enum's length therefore. LLDB
        may take another type of the same name for it, and dies of reading it as one of no length."""
        if not self.type.name.endswith("$Variant"):
            return True
        return all(part.GetType().GetByteSize() == size for part in self.type.members() if part.GetName() == "value")

    def is_impossible(self):
        """Says that a variant holds what has no values, so that there is none of it."""
        return any(self.part(i).type.name in ("core::convert::Infallible", "!") for i in range(self.count))

    def which(self, variants):
        """The number of the variant that an enum holds."""
        data = self.contents()
        said = debuginfo.layout(self.v.GetTarget(), self.type.name, len(data))
        if said is not None and len(said.tags) == len(variants):
            tag = int.from_bytes(data[said.offset:said.offset + said.size], "little")
            others = [i for i, n in enumerate(said.tags) if n is None]
            same = [i for i, n in enumerate(said.tags) if n is not None and n % (1 << 8 * said.size) == tag]
            if len(same) > 1 or not same and not others and said.size > 8:
                raise Untold("variant")  # older compilers cut what their debug information says of a wide tag
            if not same and not others:
                raise Nonsense("discriminant %d" % tag)
            return (same or others)[0]
        tags = [variant.member("$discr$") for variant in variants]
        if len(variants) == 2 and len(data) == 8 and re.match(r"^core::option::Option<(unsafe )?(extern .*)?fn\(", self.type.name):
            return tags.index(None) if any(data) else 1 - tags.index(None)  # LLDB does not find it by its name
        if None in tags or tags[0].type.size > 4:
            raise Untold("variant")  # an impossible value of some field
        size = tags[0].type.size  # a tag of its own comes first
        tag = int.from_bytes(data[:size], "little")
        for i, variant in enumerate(variants):
            if int(variant.name[len("$variant$"):]) % (1 << 8 * size) == tag:
                return i
        raise Nonsense("discriminant %d" % tag)


class Function(interface.Function):
    def __init__(self, target, f):
        self.f, self.name = f, HASH.sub("", f.GetDisplayName().split("(")[0])
        self.address = f.GetStartAddress().GetLoadAddress(target)

    def signature(self):
        of = self.f.GetType()
        takes = of.GetFunctionArgumentTypes()
        return [Type(takes.GetTypeAtIndex(i)) for i in range(takes.GetSize())], Type(of.GetFunctionReturnType())


class Process(interface.Process):
    def __init__(self, target):
        self.target = target

    def memory(self, address, size):
        if size == 0:
            return b""
        error = lldb.SBError()
        data = self.target.GetProcess().ReadMemory(address, size, error)
        if error.Fail() or data is None:  # a core may leave out what is in the program's file
            data = self.target.ReadMemory(lldb.SBAddress(address, self.target), size, error)
        if error.Fail() or data is None:
            raise Nonsense("unreadable")
        return data

    def symbol_at(self, address):
        symbol = lldb.SBAddress(address, self.target).GetSymbol()
        return symbol.GetDisplayName() or "" if symbol.IsValid() else None

    def find_type(self, name):
        found = self.target.FindFirstType(name)
        return Type(found) if found.IsValid() else None

    def global_variable(self, path):
        found = self.target.FindGlobalVariables(path, 1)
        return Value(found.GetValueAtIndex(0)) if found.GetSize() else None

    def functions(self, name):
        for context in self.target.FindFunctions(name, lldb.eFunctionNameTypeBase):
            if context.GetFunction().IsValid():
                yield Function(self.target, context.GetFunction())

    def vtable_name(self, address):
        """There are many tables in a program: all names are read once."""
        place = self.target.ResolveLoadAddress(address)
        if not place.GetModule().IsValid():
            return ""
        key = str(place.GetModule().GetFileSpec()), address - place.GetFileAddress()
        if key not in vtables:
            every = self.target.FindGlobalVariables(r"::\{vtable\}$", 100000, lldb.eMatchTypeRegex)
            vtables[key] = {v.GetLoadAddress(): v.GetName() for v in every}
        return vtables[key].get(address, "")


vtables = {}
