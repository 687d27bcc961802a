"""Where an enum of Rust keeps which variant it holds, read from the program's debug
information: LLDB itself forgets the place of it, and cuts its values to 32 bits."""

import re

import lldb

LOOKED_UP = re.compile(r"\bid = \{0x([0-9a-fA-F]+)\}, name = .*?byte-size = (\d+)", re.DOTALL)
VARIANT_PART, VARIANT, MEMBER = 0x33, 0x19, 0x0D
NAME, BYTE_SIZE, DISCR_VALUE, DATA_MEMBER, TYPE, DISCR = 0x03, 0x0B, 0x16, 0x38, 0x49, 0x15

FIXED = {0x01: None, 0x0B: 1, 0x05: 2, 0x06: 4, 0x07: 8, 0x1E: 16, 0x0C: 1, 0x11: 1, 0x12: 2, 0x13: 4, 0x14: 8, 0x19: 0, 0x20: 8,
         0x25: 1, 0x26: 2, 0x27: 3, 0x28: 4, 0x29: 1, 0x2A: 2, 0x2B: 3, 0x2C: 4}
OFFSETS = (0x0E, 0x10, 0x17, 0x1F, 0x1D, 0x1C)  # as long as the unit's own
LEB = (0x0F, 0x15, 0x1A, 0x1B, 0x22, 0x23)
BLOCKS = {0x0A: 1, 0x03: 2, 0x04: 4}


class Unknown(Exception):
    """The debug information does not say it, or not in a way that is known here."""


class Reader:
    """Reads one after the other out of a section."""

    def __init__(self, section, at=0):
        if not section.IsValid():
            raise Unknown("section")
        self.data, self.at, self.error = section.GetSectionData(), at, lldb.SBError()

    def bytes(self, n):
        if n == 0:
            return b""
        got = self.data.ReadRawData(self.error, self.at, n)
        if self.error.Fail() or got is None or len(got) != n:
            raise Unknown("end of section")
        self.at += n
        return bytes(got)

    def number(self, n):
        return int.from_bytes(self.bytes(n), "little")

    def leb(self, signed=False):
        value, shift = 0, 0
        while True:
            byte = self.number(1)
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value - (1 << shift) if signed and byte & 0x40 else value

    def text(self):
        out = b""
        while not out.endswith(b"\0"):
            out += self.bytes(1)
        return out[:-1]


class Unit:
    """A compile unit's header and its abbreviations."""

    def __init__(self, module, begin, length, reader):
        self.module, self.begin, self.end = module, begin, begin + 4 + length
        self.version = reader.number(2)
        if self.version >= 5:
            kind, self.address = reader.number(1), reader.number(1)
            abbrevs = reader.number(4)
            if kind not in (1, 3):
                raise Unknown("a unit of kind %d" % kind)
        else:
            abbrevs, self.address = reader.number(4), reader.number(1)
        self.abbrevs = self.read(Reader(section(module, ".debug_abbrev"), abbrevs))

    def read(self, r):
        table = {}
        while True:
            code = r.leb()
            if code == 0:
                return table
            tag, children, forms = r.leb(), r.number(1), []
            while True:
                name, form = r.leb(), r.leb()
                implicit = r.leb(True) if form == 0x21 else None
                if name == 0 and form == 0:
                    break
                forms.append((name, form, implicit))
            table[code] = (tag, children != 0, forms)

    def die(self, r):
        """The entry at the reader: its offset, tag, whether it has children, attributes;
        None at the end of a list."""
        at = r.at
        code = r.leb()
        if code == 0:
            return None
        if code not in self.abbrevs:
            raise Unknown("abbreviation %d" % code)
        tag, children, forms = self.abbrevs[code]
        return at, tag, children, {name: self.value(r, form, implicit) for name, form, implicit in forms}

    def value(self, r, form, implicit):
        if form == 0x21:
            return implicit
        if form == 0x08:
            return r.text()
        if form == 0x0D:
            return r.leb(True)
        if form in LEB:
            n = r.leb()
            return n + self.begin if form == 0x15 else n
        if form in OFFSETS:
            return r.number(4)
        if form in BLOCKS or form in (0x09, 0x18):
            n = r.number(BLOCKS[form]) if form in BLOCKS else r.leb()
            return int.from_bytes(r.bytes(n), "little")
        if form not in FIXED:
            raise Unknown("form %#x" % form)
        n = r.number(FIXED[form] if FIXED[form] is not None else self.address)
        return n + self.begin if form in (0x11, 0x12, 0x13, 0x14) else n


def section(module, name):
    found = module.FindSection(name)
    if found.IsValid():
        return found
    return module.FindSection("__" + name[1:])  # Apple's


def unit_of(module, offset):
    """The unit that an offset into the debug information lies in."""
    info, at = section(module, ".debug_info"), 0
    while True:
        r = Reader(info, at)
        length = r.number(4)
        if length >= 0xFFFFFFF0:
            raise Unknown("64 bit debug information")
        if at <= offset < at + 4 + length:
            return Unit(module, at, length, r)
        at += 4 + length


def located(target, module, name, size):
    """Offsets of the entries of a type."""
    if '"' in name or "`" in name:
        raise Unknown("name")
    said = lldb.SBCommandReturnObject()
    target.GetDebugger().GetCommandInterpreter().HandleCommand('target modules lookup -t "%s" "%s"' % (name, module.GetFileSpec().fullpath), said)
    return [int(o, 16) for o, s in LOOKED_UP.findall(said.GetOutput() or "") if int(s) == size]


def part(module, offset):
    """The place of the tag, its size, and the value of each variant in order; None for
    the variant of all other values."""
    unit = unit_of(module, offset)
    r = Reader(section(module, ".debug_info"), offset)
    _, _, children, _ = unit.die(r)
    tag, values, depth, discr = None, [], 1 if children else 0, None
    inside = 0  # depth at which the part's own children lie
    while depth:
        entry = unit.die(r)
        if entry is None:
            depth -= 1
            if depth < inside:
                break
            continue
        at, kind, children, said = entry
        if kind == VARIANT_PART and depth == 1:
            discr, inside = said.get(DISCR), 2
        elif inside and depth == inside and kind == MEMBER and at == discr:
            tag = (said.get(DATA_MEMBER, 0), size_of(unit, said.get(TYPE)))
        elif inside and depth == inside and kind == VARIANT:
            values.append(said.get(DISCR_VALUE))
        depth += 1 if children else 0
    if not inside or tag is None and len(values) > 1:
        raise Unknown("no variants")
    return (tag or (0, 0)) + (tuple(values),)


def size_of(unit, offset):
    if offset is None:
        raise Unknown("type")
    _, _, _, said = unit.die(Reader(section(unit.module, ".debug_info"), offset))
    return said.get(BYTE_SIZE) or 0


known = {}


def layout(v, name, size):
    """Offset and size of an enum's tag, and its variants' values; None when the debug
    information does not say it, or says two things."""
    target = v.GetTarget()
    if (name, size) not in known:
        found = set()
        for i in range(target.GetNumModules()):
            module = target.GetModuleAtIndex(i)
            if not section(module, ".debug_info").IsValid():
                continue
            try:
                found |= {part(module, offset) for offset in located(target, module, name, size)[:4]}
            except Unknown:
                continue
            if found:
                break
        known[name, size] = found.pop() if len(found) == 1 else None
    return known[name, size]
