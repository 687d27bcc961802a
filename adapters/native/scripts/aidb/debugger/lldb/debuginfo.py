"""What a program's debug information says and LLDB does not pass on: where an enum of Rust keeps which variant it
holds, and how long the arrays of a union are. GCC gives a union's members no place, from which LLDB concludes that
there is no room for them."""

import re

import lldb

from aidb import dwarf


class Module:
    """A module of the program, whose types are found by their names."""

    def __init__(self, target, module):
        self.target, self.module, self.info = target, module, dwarf.Info(self.section)

    def section(self, name):
        found = self.module.FindSection(name)
        if not found.IsValid():
            found = self.module.FindSection("__" + name[1:])  # Apple's
        data = found.GetSectionData() if found.IsValid() else None
        return dwarf.Section(data.GetByteSize(), lambda offset, size: read(data, offset, size)) if data is not None else None

    def lookup(self, name):
        """What LLDB says of the types of a name."""
        said = lldb.SBCommandReturnObject()
        command = 'target modules lookup -t "%s" "%s"' % (name, self.module.GetFileSpec().fullpath)
        self.target.GetDebugger().GetCommandInterpreter().HandleCommand(command, said)
        return said.GetOutput() or ""


def read(data, offset, size):
    size = min(size, data.GetByteSize() - offset)
    return data.ReadRawData(lldb.SBError(), offset, size) or b"" if size > 0 else b""


# --- enums of Rust -----------------------------------------------------------

SIZED = re.compile(r"\bid = \{0x([0-9a-fA-F]+)\}, name = .*?byte-size = (\d+)", re.DOTALL)
layouts = {}


def layout(target, name, size):
    """The variants of an enum of Rust; None when the debug information does not say it, or says two things."""
    if (name, size) not in layouts:
        found = set()
        for module in (Module(target, target.GetModuleAtIndex(i)) for i in range(target.GetNumModules())):
            if module.section(".debug_info") is None or '"' in name or "`" in name:
                continue
            try:
                offsets = [int(offset, 16) for offset, of in SIZED.findall(module.lookup(name)) if int(of) == size]
                found |= {dwarf.variants(module.info, offset) for offset in offsets[:4]}
            except dwarf.Unknown:
                continue
            if found:
                break
        layouts[name, size] = found.pop() if len(found) == 1 else None
    return layouts[name, size]


# --- numbers of Rust ---------------------------------------------------------

VARIABLE = re.compile(r'Variable: id = \{0x([0-9a-fA-F]+)\}, name = "([^"]+)", type = "([^"]+)"')
WORDS = re.compile(r"\b[ui]size\b")


def declared(target, frame):
    """The variables of a frame that have a usize or an isize in their types, which LLDB's own types do not tell from numbers
    of 64 bits: name, type, and LLDB's type. None of whose name there are several."""
    found = variables(target, frame)
    names = [name for _, name, _ in found]
    out = []
    for _, name, of in found:
        own = frame.FindVariable(name) if names.count(name) == 1 and WORDS.search(of) else None
        if own is not None and own.IsValid():
            out.append({"name": name, "type": of, "own": own.GetTypeName() or ""})
    return out


def variables(target, frame):
    """The variables of a frame: the entry, the name and the type of each, as the debug information has them."""
    said, at = lldb.SBCommandReturnObject(), frame.GetPC() - (1 if frame.GetFrameID() else 0)
    target.GetDebugger().GetCommandInterpreter().HandleCommand("target modules lookup -v -a %#x" % at, said)
    return VARIABLE.findall(said.GetOutput() or "")


PATH = re.compile(r"([A-Za-z_]\w*)((?:\.\w+|\[\d+\])*)$")


def declared_parts(target, frame, digits):
    """The type of what a path from a variable leads to, and those of its parts, as in dwarf.parts."""
    path = PATH.match(bytes.fromhex(digits).decode("utf-8"))
    entries = [int(at, 16) for at, name, _ in variables(target, frame) if path and name == path.group(1)]
    if len(entries) != 1:
        return {"type": "", "parts": {}}
    info = Module(target, frame.GetModule()).info
    unit = info.unit(entries[0])
    of = dwarf.part(unit, unit.at(unit.at(entries[0]).get(dwarf.OF)), path.group(2))
    return {"type": dwarf.written(unit, of), "parts": dwarf.parts(unit, of)}


# --- unions ------------------------------------------------------------------

EACH = re.compile(r"\bid = \{(0x[0-9a-f]+)\}")
known_lengths = {}


def lengths(v, of):
    """How many elements each array among the members of a union has, of which a value is at hand; none for
    what is not known."""
    target, name = v.GetTarget(), of.GetName()
    outer, unnamed = re.match(r"(.*?)(?:::)?(\((?:unnamed|anonymous) union.*)?$", name).groups()
    outer = holder(v) if outer.startswith("(") or not outer else outer
    key = (str(target.GetExecutable()), outer, name, of.GetByteSize(), tuple(f.GetName() for f in of.fields))
    if key not in known_lengths:
        try:
            known_lengths[key] = lengths_in(target, of, outer, bool(unnamed))
        except (dwarf.Unknown, KeyError, IndexError, ValueError, TypeError, AttributeError):
            known_lengths[key] = {}
    return known_lengths[key]


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


def lengths_in(target, of, outer, unnamed):
    members = [f.GetName() for f in of.fields]
    modules = {t.GetModule().GetFileSpec().fullpath: t.GetModule() for t in target.FindTypes(outer)}
    told = []  # by unions of this name, of which a C program may have several
    for module in (Module(target, m) for m in modules.values()):
        for offset in (int(found, 16) for found in EACH.findall(module.lookup(outer))):
            unit = module.info.unit(offset)
            for union in dwarf.unions(unit, unit.at(offset), unnamed):
                names = [m.get(dwarf.NAME) for m in unit.below(union) if m.tag == dwarf.MEMBER]
                if union.get(dwarf.SIZE) == of.GetByteSize() and names == members:
                    told.append(dwarf.array_lengths(unit, union))
    return told[0] if told and all(t == told[0] for t in told) else {}
