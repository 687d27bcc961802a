"""Breakpoints where the program comes to a line and LLDB puts none: see aidb.ways."""

import json
import os

import lldb

from aidb import ways

X86 = os.uname().machine == "x86_64"


def where(target, address):
    """In memory, or in its file before the program has begun; as LLDB writes it in the operand of a jump."""
    loaded = address.GetLoadAddress(target)
    return address.GetFileAddress() if loaded == lldb.LLDB_INVALID_ADDRESS else loaded


def others(target, locations):
    """The addresses of the ways to a line without any of the places that LLDB has chosen for it."""
    functions, found = {}, []
    for at in locations:
        if at.GetFunction().IsValid() and not at.GetBlock().GetContainingInlinedBlock().IsValid():
            functions.setdefault(where(target, at.GetFunction().GetStartAddress()), []).append(at)
    for chosen in functions.values():
        entry = chosen[0].GetLineEntry()
        rows, known = {where(target, at): at for at in rows_of(chosen[0].GetFunction(), entry)}, [where(target, c) for c in chosen]
        flow = flow_of(target, chosen[0]) if set(rows) - set(known) else None
        if flow is not None:
            found += [rows[way] for way in flow.others(rows, known)]
    return found


flows = {}  # where a function begins: its flow, None where that is not known


def flow_of(target, at):
    """The flow of the function of an address; None where it is not known."""
    function = at.GetFunction()
    key = where(target, function.GetStartAddress())
    if function.GetEndAddress().GetOffset() - function.GetStartAddress().GetOffset() > ways.MOST or not X86:
        return None
    if key not in flows:
        code = [(where(target, i.GetAddress()), text_of(i, target)) for i in function.GetInstructions(target)]
        if not code:  # while the program runs
            return None
        try:
            flows[key] = ways.Flow(code)
        except ways.Unclear:
            flows[key] = None
    return flows[key]


def leads(target, one, other):
    """Says that one address of a function comes before another in a pass of its code, so far as that is known."""
    flow = flow_of(target, one)
    return flow is None or flow.leads(where(target, one), where(target, other))


def text_of(instruction, target):
    text = "%s %s" % (instruction.GetMnemonic(target), instruction.GetOperands(target))
    return "%s %s" % (text, instruction.GetComment(target)) if text.startswith("call") else text


def rows_of(function, entry):
    """Where the line of an entry begins in a function, but for what was put into that from others."""
    at, end = function.GetStartAddress(), function.GetEndAddress().GetOffset()
    while at.IsValid() and at.GetOffset() < end:
        row = at.GetLineEntry()
        if not row.IsValid() or row.GetEndAddress().GetOffset() <= at.GetOffset():
            return
        if row.GetLine() == entry.GetLine() and row.GetFileSpec() == entry.GetFileSpec() and not at.GetBlock().GetContainingInlinedBlock().IsValid():
            yield at
        at = row.GetEndAddress()


made = {}  # breakpoint on a line: those on its other ways


def added(target, digits):
    """Has each of these breakpoints on lines stop on all ways to its line; says of which each of ours is a part."""
    for owner in [o for o in made if not target.FindBreakpointByID(o).IsValid()]:
        for part in made.pop(owner):
            target.BreakpointDelete(part)
    for owner in json.loads(bytes.fromhex(digits)):
        point = target.FindBreakpointByID(owner)
        if not point.IsValid() or not point.GetNumLocations():
            continue
        if owner not in made:
            made[owner] = [target.BreakpointCreateBySBAddress(at).GetID() for at in others(target, [loc.GetAddress() for loc in point])]
        for part in made[owner]:
            target.FindBreakpointByID(part).SetCondition(point.GetCondition())
    return [[part, owner] for owner, parts in made.items() for part in parts]
