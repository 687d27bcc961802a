"""The same under gdb, which knows no columns."""

import gdb

from aidb.cpp.declared import ahead, named, unset


def line_of(frame, symbol):
    """The line in which a variable is declared that is not set yet in a frame; 0 for others."""
    if not symbol.is_variable or symbol.is_argument or symbol.addr_class == gdb.SYMBOL_LOC_STATIC or not symbol.needs_frame:
        return 0
    sal = frame.find_sal()
    if sal.symtab is None or symbol.symtab is None:
        return 0
    at, of = (sal.symtab.fullname(), sal.line, 0), (symbol.symtab.fullname(), symbol.line, 0)
    waiting = ahead(at, of, symbol.name) or at[:2] == of[:2] and begins(frame)
    return symbol.line if waiting and not lost(frame, symbol) else 0


def begins(frame):
    """Says that a frame stands where the code of its line begins: nothing that is declared there is set."""
    pc, sal = frame.pc(), frame.find_sal()
    if sal.pc != pc:
        return False
    try:
        block = frame.block()
    except RuntimeError:
        return False
    while block.function is None and block.superblock is not None:
        block = block.superblock
    return pc == min((e.pc for e in sal.symtab.linetable() if e.line == sal.line and block.start <= e.pc < block.end), default=0)


def sure(frame, line):
    """Says that nothing of a line has run that declares something."""
    return frame.find_sal().line != line or begins(frame)


def lost(frame, symbol):
    """Says that the compiler has kept nothing of it, at this place or at any."""
    try:
        return symbol.value(frame).is_optimized_out
    except gdb.error:
        return False


def symbols(frame):
    try:
        block = frame.block()
    except RuntimeError:
        return
    while block is not None and not block.is_global and not block.is_static:
        yield from block
        if block.function is not None:
            return
        block = block.superblock


def unset_in(frame):
    """The names of the variables that are not set yet in a frame, each with its line; those that have the name of one that is set aside."""
    found = [(s.name, line_of(frame, s)) for s in symbols(frame) if s.is_variable or s.is_argument]
    known = {name for name, line in found if not line}
    return {name: line for name, line in found if line and name not in known}


def listed(frame):
    """What a list of the frame's variables has that is not theirs yet, and whether one that is set has the same name."""
    waiting = unset_in(frame)
    own = {s.name for s in symbols(frame) if s.is_variable and line_of(frame, s)}
    return [{"name": name, "label": "", "why": "", "shadows": name not in waiting} for name in sorted(own)]


def variable(frame, name):
    """Of the variables of a name the one that is meant in a frame, where the nearest is not set yet; None where it is."""
    own = [s for s in symbols(frame) if s.name == name and (s.is_variable or s.is_argument)]
    line = line_of(frame, own[0]) if own else 0
    if not line:
        return None
    for s in own[1:]:
        if not line_of(frame, s):
            return s.value(frame)
    found = gdb.lookup_global_symbol(name) or gdb.lookup_static_symbol(name)
    if found is not None and found.is_variable:
        return found.value()
    raise unset(name, line, sure(frame, line))


def refuse(frame, text):
    """Refuses what gdb itself would read of a variable that is not set yet."""
    for name in named(text):
        own = next((s for s in symbols(frame) if s.name == name and (s.is_variable or s.is_argument)), None)
        line = line_of(frame, own) if own is not None else 0
        if line:
            raise unset(name, line, sure(frame, line))
