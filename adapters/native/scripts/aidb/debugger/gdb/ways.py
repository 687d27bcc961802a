"""The ways to a line, under gdb: see aidb.ways."""

import json

import gdb

from aidb import ways

flows = {}  # where a function begins: its flow, None where that is not known


def function_of(pc):
    """The block of the function of a place that was not put into another there; None where there is none."""
    block = gdb.block_for_pc(pc)
    while block is not None and block.function is None:
        block = block.superblock
    return block if block is not None and block.superblock is not None and block.superblock.is_static else None


def flow_of(pc):
    """The flow of the function of a place; None where it is not known."""
    block, machine = function_of(pc), gdb.selected_inferior().architecture()
    if block is None or "i386" not in machine.name() or block.end - block.start > ways.MOST:
        return None
    if block.start not in flows:
        code = [(i["addr"], i["asm"]) for i in machine.disassemble(block.start, block.end - 1)]
        try:
            flows[block.start] = ways.Flow(code)
        except ways.Unclear:
            flows[block.start] = None
    return flows[block.start]


def leads(one, other):
    """Says that one place of a function comes before another in a pass of its code, so far as that is known."""
    flow = flow_of(one)
    return flow is None or flow.leads(one, other)


def others(place, chosen):
    """The ways to the line of a place without any of the places that gdb has chosen for it."""
    block = function_of(place.pc)
    if block is None:
        return []
    rows = [e.pc for e in place.symtab.linetable() if e.line == place.line and block.start <= e.pc < block.end and function_of(e.pc) == block]
    flow = flow_of(place.pc) if set(rows) - set(chosen) else None
    return flow.others(rows, chosen) if flow is not None else []


ways_to = []  # for each of ours: the line, the function, and how far into that it is


class Way(gdb.Breakpoint):
    """A breakpoint where the program comes to a line and gdb puts none. Where that is, gdb asks anew (Place) when it
    has read the program again, and when that has come into memory, before which no address is known."""

    def __init__(self, at, line):
        block = function_of(at)
        ways_to.append((line, block.function.linkage_name, at - block.start))
        super().__init__("*$aidb_way(%d)" % (len(ways_to) - 1), internal=True)


class Place(gdb.Function):
    """Where a way is: so far into the function of this name that has code of a line."""

    def invoke(self, number):
        line, name, offset = ways_to[int(number)]
        for place in gdb.decode_line(line)[1]:
            block = function_of(place.pc)
            if block is not None and block.function.linkage_name == name:
                return block.start + offset
        raise gdb.GdbError("the way to %s is not in the program" % line)


Place("aidb_way")


made = {}  # breakpoint on a line: those on its other ways


def added(digits):
    """Has each of these breakpoints on lines stop on all ways to its line; says of which each of ours is a part."""
    points = {p.number: p for p in gdb.breakpoints()}
    for owner in made.keys() - points.keys():
        for part in made.pop(owner):
            part.delete()
    for owner in json.loads(bytes.fromhex(digits)):
        point = points.get(owner)
        if point is None or not point.locations:
            continue
        if owner not in made:
            made[owner] = [Way(at, line) for at, line in of(point)]
        for part in made[owner]:
            part.condition = point.condition
    return [[part.number, owner] for owner, parts in made.items() for part in parts]


def of(point):
    """The ways to the line of a breakpoint that gdb has not chosen for it, and how gdb is told of that line."""
    chosen = [location.address for location in point.locations]
    places = [gdb.find_pc_line(at) for at in chosen]
    return sorted({(way, '"%s":%d' % (p.symtab.fullname().replace('"', '\\"'), p.line)) for p in places for way in others(p, chosen)})
