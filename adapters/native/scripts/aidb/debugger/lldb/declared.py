"""The same under LLDB, and which arguments a function has not stored yet."""

import lldb

from aidb.cpp.declared import ahead, named, unset
from aidb.cpp.numbers import Wrong

RED = 128  # bytes below the stack pointer that a function which calls none may use
NOT_STORED = "not readable here: the function has not stored its arguments yet, which its next instructions do"


def line_of(frame, v):
    """The line in which a variable is declared that is not set yet in a frame; 0 for others."""
    if v.GetValueType() != lldb.eValueTypeVariableLocal:
        return 0
    entry, of = frame.GetLineEntry(), v.GetDeclaration()
    if not entry.IsValid() or not of.IsValid():
        return 0
    at = entry.GetFileSpec().fullpath or "", entry.GetLine(), entry.GetColumn()
    return of.GetLine() if ahead(at, (of.GetFileSpec().fullpath or "", of.GetLine(), of.GetColumn()), v.GetName()) else 0


def begins(frame):
    """Says that a function is where it still stores what it was given, of which LLDB sees nothing in one of a single line."""
    function = frame.GetFunction()
    if frame.GetFrameID() != 0 or frame.IsInlined() or not function.IsValid() or function.GetPrologueByteSize():
        return False
    start, target = function.GetStartAddress(), frame.GetThread().GetProcess().GetTarget()
    return frame.GetPC() < start.GetLineEntry().GetEndAddress().GetLoadAddress(target)


def stored(frame, v):
    """Says that an argument lies where it is looked for."""
    at = v.GetLoadAddress()
    within = v.GetValueType() == lldb.eValueTypeVariableArgument and at != lldb.LLDB_INVALID_ADDRESS and frame.GetSP() - RED <= at < frame.GetCFA()
    return not within or not begins(frame)


def of_frame(frame, arguments=False, statics=False):
    return frame.GetVariables(arguments, True, statics, True, lldb.eNoDynamicValues)


def unset_in(frame):
    """The names of the variables that are not set yet in a frame, each with its line; those that have the name of one that is set aside."""
    if frame.GuessLanguage() == lldb.eLanguageTypeRust:
        return {}
    found = [(v.GetName(), line_of(frame, v)) for v in of_frame(frame, arguments=True)]
    known = {name for name, line in found if not line}
    return {name: line for name, line in found if line and name not in known}


def listed(frame):
    """What a list of the frame's variables has that is not theirs yet: of which variable, why where it is to be shown as
    that, and whether one that is set has the same name."""
    out, lasting = [], set()
    if frame.GuessLanguage() == lldb.eLanguageTypeRust:
        return out
    for v in of_frame(frame, arguments=True):
        line = line_of(frame, v)
        if not line:
            lasting.add(v.GetName())
        if line:
            out.append({"name": v.GetName(), "label": "%s @ %s:%d" % (v.GetName(), v.GetDeclaration().GetFileSpec().GetFilename(), line), "why": ""})
        elif not stored(frame, v):
            out.append({"name": v.GetName(), "label": "", "why": NOT_STORED})
    return [{**o, "shadows": not o["why"] and o["name"] in lasting} for o in out]


def variable(frame, name):
    """The variable that a name means in a frame, and the line of the one that it would mean further on."""
    found = frame.FindVariable(name, lldb.eNoDynamicValues)
    line = line_of(frame, found) if found.IsValid() else 0
    if line:
        found = next((v for v in of_frame(frame, arguments=True, statics=True) if v.GetName() == name and not line_of(frame, v)), lldb.SBValue())
    if found.IsValid() and not stored(frame, found):
        raise Wrong("%s is %s" % (name, NOT_STORED))
    return found, line


def refuse(frame, text):
    """Refuses what LLDB's own compiler would read of a variable that is not set yet."""
    for name in named(text):
        found = frame.FindVariable(name, lldb.eNoDynamicValues)
        line = line_of(frame, found) if found.IsValid() else 0
        if line:
            raise unset(name, line)
        if found.IsValid() and not stored(frame, found):
            raise Wrong("%s is %s" % (name, NOT_STORED))


def plain(frame, text):
    """Says that LLDB's own way through the variables leads to what is set."""
    return all(not found.IsValid() or not line_of(frame, found) and stored(frame, found)
               for found in (frame.FindVariable(name, lldb.eNoDynamicValues) for name in named(text)))
