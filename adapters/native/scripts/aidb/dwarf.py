"""What a program's debug information says and LLDB does not pass on: how long the
arrays of a union are. GCC gives a union's members no place, from which LLDB
concludes that there is no room for them."""

import re

import lldb

UNION, STRUCT, CLASS, TYPEDEF, MEMBER, SUBRANGE, ARRAY = 0x17, 0x13, 0x02, 0x16, 0x0D, 0x21, 0x01
NAME, SIZE, UPPER, COUNT, OF = 0x03, 0x0B, 0x2F, 0x37, 0x49

FIXED = {0x05: 2, 0x06: 4, 0x07: 8, 0x0B: 1, 0x0C: 1, 0x11: 1, 0x12: 2, 0x13: 4, 0x14: 8, 0x1C: 4, 0x1E: 16, 0x20: 8, 0x24: 8,
         0x25: 1, 0x26: 2, 0x27: 3, 0x28: 4, 0x29: 1, 0x2A: 2, 0x2B: 3, 0x2C: 4}
OFFSETS = (0x0E, 0x10, 0x17, 0x1D, 0x1F, 0x1F20, 0x1F21)  # as wide as the format's
NUMBERS = (0x0F, 0x15, 0x1A, 0x1B, 0x22, 0x23, 0x1F01, 0x1F02)  # of as many bytes as they need
BLOCKS = {0x03: 2, 0x04: 4, 0x0A: 1}
WITHIN_UNIT = (0x11, 0x12, 0x13, 0x14, 0x15)
STRINGS = {0x0E: ".debug_str", 0x1F: ".debug_line_str"}
MOST = 4000  # entries below a type that are looked at


class Reader:
    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def fixed(self, size):
        self.at += size
        return int.from_bytes(self.data[self.at - size:self.at], "little")

    def number(self, signed=False):
        out = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            out |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                return out - (1 << shift) if signed and byte & 0x40 else out

    def text(self):
        end = self.data.index(b"\0", self.at)
        out, self.at = self.data[self.at:end], end + 1
        return out.decode("utf-8", "replace")


class Entry:
    """One entry of the debug information: its tag, its attributes, and whether others are below it."""

    def __init__(self, at, tag, has, attributes):
        self.at, self.tag, self.has, self.attributes = at, tag, has, attributes

    def get(self, attribute):
        return self.attributes.get(attribute)


class Unit:
    def __init__(self, info, start, data):
        self.info, self.start, self.data = info, start, data
        r = Reader(data)
        self.wide = 8 if r.fixed(4) == 0xFFFFFFFF else 4
        if self.wide == 8:
            r.fixed(8)
        self.version = r.fixed(2)
        if self.version >= 5:
            kind, self.address = r.fixed(1), r.fixed(1)
            abbreviations = r.fixed(self.wide)
            r.at += {4: 8, 5: 8, 2: 8 + self.wide, 6: 8 + self.wide}.get(kind, 0)
        else:
            abbreviations, self.address = r.fixed(self.wide), r.fixed(1)
        self.kinds = self.read_kinds(Reader(info.section(".debug_abbrev"), abbreviations))

    @staticmethod
    def read_kinds(r):
        kinds = {}
        while True:
            code = r.number()
            if not code:
                return kinds
            tag, has, forms = r.number(), r.fixed(1), []
            while True:
                attribute, form = r.number(), r.number()
                constant = r.number(True) if form == 0x21 else None
                if not attribute and not form:
                    break
                forms.append((attribute, form, constant))
            kinds[code] = (tag, has, forms)

    def entry(self, r):
        """The entry that a reader stands at; None for the end of a list."""
        at, code = self.start + r.at, r.number()
        if not code:
            return None
        tag, has, forms = self.kinds[code]
        return Entry(at, tag, has, {attribute: self.value(r, form, constant) for attribute, form, constant in forms})

    def value(self, r, form, constant):
        if form == 0x16:
            form = r.number()
        if form in FIXED:
            n = r.fixed(FIXED[form])
            return n + self.start if form in WITHIN_UNIT else n
        if form in OFFSETS:
            n = r.fixed(self.wide)
            return self.info.text(STRINGS[form], n) if form in STRINGS else n
        if form in NUMBERS:
            n = r.number()
            return n + self.start if form in WITHIN_UNIT else n
        if form in BLOCKS or form in (0x09, 0x18):
            r.at += r.fixed(BLOCKS[form]) if form in BLOCKS else r.number()
            return None
        if form == 0x01:
            return r.fixed(self.address)
        if form == 0x08:
            return r.text()
        return {0x0D: lambda: r.number(True), 0x19: lambda: 1, 0x21: lambda: constant}[form]()

    def at(self, offset):
        return self.entry(Reader(self.data, offset - self.start))

    def below(self, entry):
        """The entries directly below one."""
        r = Reader(self.data, entry.at - self.start)
        self.entry(r)
        depth = 1 if entry.has else 0
        for _ in range(MOST):
            if not depth:
                return
            found = self.entry(r)
            if found is None:
                depth -= 1
                continue
            if depth == 1:
                yield found
            depth += found.has


class Info:
    """The debug information of one module."""

    def __init__(self, target, module):
        self.target, self.module, self.kept = target, module, {}

    def raw(self, name):
        found = self.module.FindSection(name)
        return found.GetSectionData() if found.IsValid() else None

    def section(self, name):
        if name not in self.kept:
            data = self.raw(name)
            self.kept[name] = read(data, 0, data.GetByteSize()) if data is not None else b""
        return self.kept[name]

    def text(self, section, offset):
        return Reader(read(self.raw(section), offset, 4096) + b"\0").text()

    def unit(self, offset):
        """The unit that an entry is in."""
        data, at = self.raw(".debug_info"), 0
        while data is not None and at < data.GetByteSize():
            r = Reader(read(data, at, 12))
            size = r.fixed(4)
            size = r.fixed(8) + 12 if size == 0xFFFFFFFF else size + 4
            if offset < at + size:
                return Unit(self, at, read(data, at, size))
            at += size
        raise KeyError("no unit holds %#x" % offset)

    def unions(self, name, below):
        """The unions of a name, or those without one in the records of that name."""
        said = lldb.SBCommandReturnObject()
        self.target.GetDebugger().GetCommandInterpreter().HandleCommand('target modules lookup -t "%s" "%s"' % (name, self.module.GetFileSpec().fullpath), said)
        for found in re.findall(r"\bid = \{(0x[0-9a-f]+)\}", said.GetOutput() or ""):
            offset = int(found, 16)
            unit = self.unit(offset)
            entry = unit.at(offset)
            while entry is not None and entry.tag == TYPEDEF and entry.get(OF):
                entry = unit.at(entry.get(OF))
            if entry is None or entry.tag not in (UNION, STRUCT, CLASS):
                continue
            if below:
                parts = (unit.at(m.get(OF)) for m in unit.below(entry) if m.tag == MEMBER and m.get(OF) is not None)
                yield from ((unit, u) for u in parts if u.tag == UNION and u.get(NAME) is None)
            elif entry.tag == UNION:
                yield unit, entry


def read(data, offset, size):
    size = min(size, data.GetByteSize() - offset)
    return data.ReadRawData(lldb.SBError(), offset, size) if size > 0 else b""


def lengths(v, of):
    """How many elements each array among the members of a union has, of which a value is at hand; none for
    what is not known."""
    target, name = v.GetTarget(), of.GetName()
    outer, unnamed = re.match(r"(.*?)(?:::)?(\((?:unnamed|anonymous) union.*)?$", name).groups()
    outer = holder(v) if outer.startswith("(") or not outer else outer
    key = (str(target.GetExecutable()), outer, name, of.GetByteSize(), tuple(f.GetName() for f in of.fields))
    if key not in known:
        try:
            known[key] = looked_up(target, of, outer, bool(unnamed))
        except (KeyError, IndexError, ValueError, TypeError, AttributeError):
            known[key] = {}
    return known[key]


known = {}


def holder(v):
    """The type of the record that a union without a name is a part of."""
    path = lldb.SBStream()
    v.GetExpressionPath(path)
    text = (path.GetData() or "").rstrip(".")
    while text:
        found = v.GetFrame().GetValueForVariablePath(text).GetType()
        found = (found.GetPointeeType() if found.IsPointerType() or found.IsReferenceType() else found).GetUnqualifiedType()
        if found.IsValid() and not (found.GetName() or "(").startswith("("):
            return found.GetName()
        text = (re.match(r"(.*)(?:\.|->)", text) or [""] * 2)[1]
    return ""


def looked_up(target, of, outer, unnamed):
    members = [f.GetName() for f in of.fields]
    modules = {t.GetModule().GetFileSpec().fullpath: t.GetModule() for t in target.FindTypes(outer)}
    told = []  # by unions of this name, of which a C program may have several
    for unit, union in (u for m in modules.values() for u in Info(target, m).unions(outer, unnamed)):
        parts = [m for m in unit.below(union) if m.tag == MEMBER]
        if union.get(SIZE) == of.GetByteSize() and [m.get(NAME) for m in parts] == members:
            told.append({m.get(NAME): n for m in parts for n in [length(unit, m.get(OF))] if n is not None})
    return told[0] if told and all(t == told[0] for t in told) else {}


def length(unit, offset):
    entry = unit.at(offset)
    for part in unit.below(entry) if entry.tag == ARRAY else ():
        if part.tag == SUBRANGE:
            return part.get(COUNT) if part.get(COUNT) is not None else part.get(UPPER) + 1 if part.get(UPPER) is not None else None
    return None
