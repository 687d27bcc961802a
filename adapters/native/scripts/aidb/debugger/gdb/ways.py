"""The ways to a line, under gdb: see aidb.ways."""

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
