"""Which variables of a frame have no value where that stands, by what gdb knows. See aidb.rust.living."""

import gdb

from aidb.rust.living import FAR, IN_PART, NOT_KEPT, NOT_STORED, RED

spanning = {}


def unset(frame, v):
    if not v.placed():
        return ""
    whole = frame
    while whole.type() == gdb.INLINE_FRAME and whole.older() is not None:
        whole = whole.older()
    up = whole.older()
    if up is None or not int(frame.read_register("sp")) - RED <= v.address < int(up.read_register("sp")):
        return IN_PART if in_part(frame, v, v.address) else ""
    if begins(frame):
        return NOT_STORED
    return NOT_KEPT if waits(frame) and spans(frame, v.name) else ""


def in_part(f, v, address):
    """Says that a variable of a closure is the first element of what a function above it has by a reference with a length."""
    if "closure" not in (f.name() or "") or v.type.code in ("record", "union"):
        return False
    for _ in range(FAR):
        f = f.older()
        if f is None:
            return False
        try:
            if int(f.read_var(v.name)["data_ptr"]) == address:
                return True
        except (gdb.error, ValueError, RuntimeError):
            pass
    return False


def begins(f):
    """Says that a function is where it still stores what it was given: before its second line begins."""
    if f != gdb.newest_frame() or f.type() == gdb.INLINE_FRAME or f.function() is None:
        return False
    start, end = function_block(f.block()).start, 0
    sal = gdb.find_pc_line(start)
    if sal.symtab is not None and sal.last:
        end = sal.last + 1
    return start <= f.pc() < end


def function_block(block):
    while block.function is None:
        block = block.superblock
    return block


def waits(f):
    """Says that a function is async. Whether it has waited is not seen: what it keeps has no name in gdb."""
    return gdb.lookup_symbol("_task_context", f.block())[0] is not None


def spans(f, name):
    """Says that the function may wait while a variable is in sight."""
    block = f.block()
    while declared(block, name) is None:
        if block.function is not None:
            return False
        block = block.superblock
    line = declared(block, name)
    key = function_block(block).start, name, line
    if key not in spanning:
        rows = function_block(block).function.symtab.linetable()
        spanning[key] = any(within(gdb.block_for_pc(row.pc), name, line) for row in rows if block.start <= row.pc < block.end)
    return spanning[key]


def declared_in(f, name):
    """The line at which the nearest variable of a name is declared; None where the function has none."""
    try:
        block = f.block()
    except RuntimeError:
        return None
    while block is not None and declared(block, name) is None:
        block = block.superblock if block.function is None else None
    return declared(block, name) if block is not None else None


def declared(block, name):
    """The line at which a block itself has a variable; None where it has none of that name."""
    return next((s.line for s in block if s.name == name), None)


def within(block, name, line):
    """Says that a block waits, and lies in that of a variable."""
    found = False
    while block is not None:
        if found and declared(block, name) == line:
            return True
        found = found or declared(block, "__awaitee") is not None
        block = block.superblock if block.function is None else None
    return False
