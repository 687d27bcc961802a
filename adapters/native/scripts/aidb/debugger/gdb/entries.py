"""Breakpoints on functions whose body begins with a loop, under gdb: the instruction at which the
arguments can be read is reached in every round, and only the first is a call."""

import gdb

from aidb.record.common import jumps


class Entry(gdb.Breakpoint):
    """A breakpoint where the function begins: a call has begun, and has not come to the body."""

    def __init__(self, name, coming):
        super().__init__("*'%s'" % name, internal=True)  # by its name: where it lies is not known before the program runs
        self.coming = coming

    def stop(self):
        self.coming.add((gdb.selected_thread().ptid, int(gdb.newest_frame().read_register("sp")) + 8))
        return False


class Calls(gdb.Breakpoint):
    """A breakpoint on a function that stops at its calls, where a condition holds."""

    def __init__(self, name, functions):
        self.text, self.known, self.coming = None, {}, set()
        self.entries = [Entry(f, self.coming) for f in functions]
        super().__init__(function=name)

    def delete(self):
        for entry in self.entries:
            entry.delete()
        super().delete()

    def stop(self):
        frame = gdb.newest_frame()
        pc = frame.pc()
        if pc not in self.known:
            self.known[pc] = looped(pc)
        if self.known[pc]:
            up = frame.older()
            key = gdb.selected_thread().ptid, int(up.read_register("sp")) if up is not None else 0
            if key not in self.coming:
                return False
            self.coming.remove(key)
        try:
            return not self.text or bool(gdb.parse_and_eval(self.text))
        except gdb.error:
            return True


def on(name):
    """A breakpoint on a function by its name."""
    point = gdb.Breakpoint(function=name)
    functions = {f for f in (looped(place.address) for place in point.locations if place.address) if f}
    if not functions:
        return point
    point.delete()
    return Calls(name, functions)


def looped(at):
    """The name of the function of whose body this is the first instruction, if a loop comes back to it; empty else."""
    block = gdb.block_for_pc(at)
    while block is not None and block.function is None:
        block = block.superblock
    if block is None or block.start == at:
        return ""
    code = gdb.selected_inferior().architecture().disassemble(block.start, block.end - 1)
    comes = any(to == at for _, to in jumps((i["addr"], i["asm"].split("<")[0]) for i in code))
    return block.function.print_name if comes else ""
