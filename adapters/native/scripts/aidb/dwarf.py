"""Reads a program's debug information (DWARF 2 to 5): its units, and their entries with what these say of themselves.
Knows no debugger: a section is anything with a size that can be read."""

import re
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Tuple

ARRAY, CLASS, MEMBER, POINTER, STRUCT, TYPEDEF, UNION, VARIANT, SUBRANGE, TYPE_ARGUMENT, VARIANT_PART = 0x01, 0x02, 0x0D, 0x0F, 0x13, 0x16, 0x17, 0x19, 0x21, 0x2F, 0x33
NAME, SIZE, DISCR, DISCR_VALUE, UPPER, COUNT, PLACE, OF = 0x03, 0x0B, 0x15, 0x16, 0x2F, 0x37, 0x38, 0x49

FIXED = {0x05: 2, 0x06: 4, 0x07: 8, 0x0B: 1, 0x0C: 1, 0x11: 1, 0x12: 2, 0x13: 4, 0x14: 8, 0x1C: 4, 0x1E: 16, 0x20: 8, 0x24: 8,
         0x25: 1, 0x26: 2, 0x27: 3, 0x28: 4, 0x29: 1, 0x2A: 2, 0x2B: 3, 0x2C: 4}
OFFSETS = (0x0E, 0x10, 0x17, 0x1D, 0x1F, 0x1F20, 0x1F21)  # as wide as the format's
NUMBERS = (0x0F, 0x15, 0x1A, 0x1B, 0x22, 0x23, 0x1F01, 0x1F02)  # of as many bytes as they need
BLOCKS = {0x03: 2, 0x04: 4, 0x0A: 1}
WITHIN_UNIT = (0x11, 0x12, 0x13, 0x14, 0x15)
STRINGS = {0x0E: ".debug_str", 0x1F: ".debug_line_str"}
ADDRESS, STRING, BLOCK, SIGNED, EXPRESSION, INDIRECT, PRESENT, CONSTANT = 0x01, 0x08, 0x09, 0x0D, 0x18, 0x16, 0x19, 0x21
CHUNK = 4096  # bytes that are read at once


class Unknown(Exception):
    """The debug information does not say it, or not in a way that is known here."""


class Section(NamedTuple):
    """A section of a program: how long it is, and what reads of it as many bytes as there are from an offset on."""

    size: int
    read: Callable[[int, int], bytes]


class Reader:
    """Reads one after the other out of a section."""

    def __init__(self, section: Section, at: int = 0) -> None:
        self.section, self.at, self.base, self.held = section, at, 0, b""

    def take(self, size: int) -> bytes:
        begin = self.at - self.base
        if begin < 0 or begin + size > len(self.held):
            self.base, self.held, begin = self.at, self.section.read(self.at, max(size, CHUNK)), 0
            if len(self.held) < size:
                raise Unknown("the section ends")
        self.at += size
        return self.held[begin:begin + size]

    def fixed(self, size: int) -> int:
        return int.from_bytes(self.take(size), "little")

    def number(self, signed: bool = False) -> int:
        """A number of as many bytes as it needs (LEB128)."""
        out = shift = 0
        while True:
            byte = self.take(1)[0]
            out |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                return out - (1 << shift) if signed and byte & 0x40 else out

    def text(self) -> str:
        out = bytearray()
        while True:
            byte = self.take(1)[0]
            if not byte:
                return out.decode("utf-8", "replace")
            out.append(byte)


class Entry(NamedTuple):
    """One entry: where it is, its tag, whether others are below it, and its attributes."""

    at: int
    tag: int
    has_children: bool
    attributes: Dict[int, Any]

    def get(self, attribute: int) -> Any:
        value = self.attributes.get(attribute)
        return value() if callable(value) else value


Kind = Tuple[int, bool, List[Tuple[int, int, Optional[int]]]]


class Unit:
    """A compile unit: from where to where it goes, and what kinds of entries it has."""

    def __init__(self, info: "Info", start: int) -> None:
        self.info, self.start = info, start
        r = Reader(info.section(".debug_info"), start)
        size, self.wide = r.fixed(4), 4
        if size == 0xFFFFFFFF:
            size, self.wide = r.fixed(8), 8
        elif size >= 0xFFFFFFF0:
            raise Unknown("a unit of length %#x" % size)
        self.end = r.at + size
        self.header = r
        self.kinds: Dict[int, Kind] = {}

    def read(self) -> "Unit":
        """Reads its header, and the kinds of its entries."""
        if not self.kinds:
            r = self.header
            if r.fixed(2) >= 5:
                r.fixed(1)
                self.address = r.fixed(1)
                abbreviations = r.fixed(self.wide)
            else:
                abbreviations = r.fixed(self.wide)
                self.address = r.fixed(1)
            self.kinds = read_kinds(Reader(self.info.section(".debug_abbrev"), abbreviations))
        return self

    def entry(self, r: Reader) -> Optional[Entry]:
        """The entry that a reader stands at; None for the end of a list."""
        at, code = r.at, r.number()
        if not code:
            return None
        if code not in self.kinds:
            raise Unknown("abbreviation %d" % code)
        tag, has_children, forms = self.kinds[code]
        return Entry(at, tag, has_children, {attribute: self.value(r, form, constant) for attribute, form, constant in forms})

    def value(self, r: Reader, form: int, constant: Optional[int]) -> Any:
        if form == INDIRECT:
            form = r.number()
        if form in FIXED:
            n = r.fixed(FIXED[form])
            return n + self.start if form in WITHIN_UNIT else n
        if form in OFFSETS:
            n = r.fixed(self.wide)
            return (lambda: self.info.text(STRINGS[form], n)) if form in STRINGS else n
        if form in NUMBERS:
            n = r.number()
            return n + self.start if form in WITHIN_UNIT else n
        if form in BLOCKS or form in (BLOCK, EXPRESSION):
            return r.take(r.fixed(BLOCKS[form]) if form in BLOCKS else r.number())
        if form == ADDRESS:
            return r.fixed(self.address)
        if form == STRING:
            return r.text()
        if form == SIGNED:
            return r.number(True)
        if form in (PRESENT, CONSTANT):
            return 1 if form == PRESENT else constant
        raise Unknown("form %#x" % form)

    def at(self, offset: int) -> Entry:
        found = self.entry(self.reader(offset))
        if found is None:
            raise Unknown("no entry at %#x" % offset)
        return found

    def reader(self, offset: int) -> Reader:
        return Reader(self.info.section(".debug_info"), offset)

    def below(self, entry: Entry, most: int = 4000) -> Iterator[Entry]:
        """The entries directly below one, of which so many with all below them are looked at."""
        r = self.reader(entry.at)
        self.entry(r)
        depth = 1 if entry.has_children else 0
        for _ in range(most):
            if not depth:
                return
            found = self.entry(r)
            if found is None:
                depth -= 1
                continue
            if depth == 1:
                yield found
            depth += found.has_children


def read_kinds(r: Reader) -> Dict[int, Kind]:
    kinds: Dict[int, Kind] = {}
    while True:
        code = r.number()
        if not code:
            return kinds
        tag, has_children, forms = r.number(), bool(r.fixed(1)), []
        while True:
            attribute, form = r.number(), r.number()
            constant = r.number(True) if form == CONSTANT else None
            if not attribute and not form:
                break
            forms.append((attribute, form, constant))
        kinds[code] = (tag, has_children, forms)


class Info:
    """The debug information of one module, of which find gives a section by its name."""

    def __init__(self, find: Callable[[str], Optional[Section]]) -> None:
        self.find = find
        self.sections: Dict[str, Optional[Section]] = {}
        self.units: List[Unit] = []

    def section(self, name: str) -> Section:
        if name not in self.sections:
            self.sections[name] = self.find(name)
        found = self.sections[name]
        if found is None:
            raise Unknown("section " + name)
        return found

    def text(self, section: str, offset: int) -> str:
        return Reader(self.section(section), offset).text()

    def unit(self, offset: int) -> Unit:
        """The unit that an entry is in."""
        for unit in self.units:
            if unit.start <= offset < unit.end:
                return unit.read()
        at = self.units[-1].end if self.units else 0
        while at < self.section(".debug_info").size:
            self.units.append(Unit(self, at))
            at = self.units[-1].end
            if offset < at:
                return self.units[-1].read()
        raise Unknown("no unit holds %#x" % offset)


class Variants(NamedTuple):
    """Where an enum of Rust keeps which variant it holds: offset and size of that tag, and the tag of each variant in
    their order; None for the variant of all other tags."""

    offset: int
    size: int
    tags: Tuple[Optional[int], ...]


def variants(info: Info, offset: int) -> Variants:
    """What the entry of an enum says of its variants."""
    unit = info.unit(offset)
    part = next((entry for entry in unit.below(unit.at(offset)) if entry.tag == VARIANT_PART), None)
    if part is None:
        raise Unknown("no variants")
    where: Optional[Tuple[int, int]] = None
    tags: List[Optional[int]] = []
    for entry in unit.below(part, 1 << 20):
        if entry.tag == MEMBER and entry.at == part.get(DISCR):
            place = entry.get(PLACE)
            where = place if isinstance(place, int) else 0, unit.at(entry.get(OF)).get(SIZE) or 0
        elif entry.tag == VARIANT:
            tag = entry.get(DISCR_VALUE)
            tags.append(int.from_bytes(tag, "little") if isinstance(tag, bytes) else tag)  # one of 128 bits
    if where is None and len(tags) > 1:
        raise Unknown("no tag")
    offset, size = where or (0, 0)
    return Variants(offset, size, tuple(tags))


def array_lengths(unit: Unit, entry: Entry) -> Dict[str, int]:
    """How many elements each array among the members of a record has, where that is said."""
    members = ((m, unit.at(m.get(OF))) for m in unit.below(entry) if m.tag == MEMBER and m.get(OF) is not None)
    found = {m.get(NAME): array_length(unit, of) for m, of in members if of.tag == ARRAY}
    return {name: n for name, n in found.items() if n is not None}


def array_length(unit: Unit, array: Entry) -> Optional[int]:
    for part in unit.below(array):
        if part.tag == SUBRANGE:
            count, upper = part.get(COUNT), part.get(UPPER)
            return count if isinstance(count, int) else upper + 1 if isinstance(upper, int) else None
    return None


def unions(unit: Unit, entry: Optional[Entry], inner: bool) -> Iterator[Entry]:
    """The union that an entry is, through other names of it; or, where inner ones are wanted, those without a name
    among the members of the record that it is."""
    while entry is not None and entry.tag == TYPEDEF and entry.get(OF):
        entry = unit.at(entry.get(OF))
    if entry is None or entry.tag not in (UNION, STRUCT, CLASS):
        return
    if inner:
        parts = (unit.at(m.get(OF)) for m in unit.below(entry) if m.tag == MEMBER and m.get(OF) is not None)
        yield from (u for u in parts if u.tag == UNION and u.get(NAME) is None)
    elif entry.tag == UNION:
        yield entry


STEP = re.compile(r"\.(\w+)|\[\d+\]")


def part(unit: Unit, of: Entry, path: str) -> Entry:
    """The type of a part of a value of Rust, by the way to that from one of a type: fields, and elements of a list."""
    while path:
        step = STEP.match(path)
        if step is None:
            raise Unknown(path)
        of, path = behind(unit, of), path[step.end():]
        if step.group(1) is None:
            of = element(unit, of)
            continue
        fields = {m.get(NAME): m.get(OF) for m in unit.below(of) if m.tag == MEMBER}
        at = fields.get(step.group(1)) or fields.get("__" + step.group(1))  # of a tuple
        if at is None:
            raise Unknown(step.group())
        of = unit.at(at)
    return of


def behind(unit: Unit, of: Entry) -> Entry:
    """What a reference leads to."""
    while of.tag == POINTER and of.get(OF):
        of = unit.at(of.get(OF))
    return of


ELEMENTS = ((("Vec<", "VecDeque<"), "T"), (("HashMap<", "BTreeMap<"), "V"))  # the arguments of these types that are those of what they hold


def element(unit: Unit, of: Entry) -> Entry:
    """The type of the elements of an array, a slice or a Vec, or of what a map has under its keys."""
    if of.tag == ARRAY:
        return unit.at(of.get(OF))
    argument = next((name for kinds, name in ELEMENTS if (of.get(NAME) or "").startswith(kinds)), None)
    for below in unit.below(of):
        if below.tag == MEMBER and below.get(NAME) == "data_ptr":
            return behind(unit, unit.at(below.get(OF)))
        if below.tag == TYPE_ARGUMENT and below.get(NAME) == argument:
            return unit.at(below.get(OF))
    raise Unknown("no elements")


def written(unit: Unit, of: Entry) -> str:
    """A type as Rust writes it, which has no name where it is an array."""
    if of.tag == ARRAY:
        return "[%s; %d]" % (written(unit, unit.at(of.get(OF))), array_length(unit, of) or 0)
    return of.get(NAME) or ""


def parts(unit: Unit, of: Entry) -> Dict[str, str]:
    """The types of the fields of a value, or of any element, which has no name."""
    of = behind(unit, of)
    try:
        return {"": written(unit, element(unit, of))}
    except Unknown:
        return {m.get(NAME): written(unit, unit.at(m.get(OF))) for m in unit.below(of) if m.tag == MEMBER and m.get(NAME) and m.get(OF)}
