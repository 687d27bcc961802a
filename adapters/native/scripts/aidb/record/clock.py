"""A clock of the program's own for a run that is made again: it counts how often some of its instructions run, and
stops the program at a count, for some nanoseconds each time. In their place stands a jump to a copy of them, with what
counts in front. Knows no debugger."""

import re

from aidb.record.beside import alike, jump
from aidb.record.common import LEAVES, STORES, jumps

NEAR_JUMP = 5  # bytes
REGION, STUB = 1 << 16, 1 << 12  # bytes of the memory for it: the number is behind the code
COMMA = re.compile(r",\s*(?![^(]*\))")
ANYWHERE = re.compile(r"^(?:notrack |bnd )*jmp\w*\s+\*")  # a jump to what only the run knows
KEEP = b"\x48\x8d\x64\x24\x80\x9c"  # leaves alone what lies below the stack pointer, and keeps the flags
GIVE_BACK = b"\x9d\x48\x8d\xa4\x24\x80\x00\x00\x00"


class Instruction:
    def __init__(self, at, code, words):
        self.at, self.code = at, code
        mnemonic, _, operands = words.partition(" ")
        self.words = "%s %s" % (mnemonic, ", ".join(COMMA.split(operands.split("#")[0].strip())))
        self.end = at + len(code)


def replaceable(code, pc, barred):
    """Instructions beside pc that run whenever that does, and in whose place a jump can stand: none of those that are barred,
    none to which a jump leads but to the first, none that writes to memory, which may be watched, none that does something else
    where it is copied."""
    if any(ANYWHERE.match(i.words) for i in code):
        return None
    entered = {to for _, to in jumps([(i.at, i.words) for i in code])}
    around, here = [], False
    for i in code:
        if i.at in entered:
            if here:
                break
            around = []
        around.append(i)
        here = here or i.at <= pc < i.end
        if LEAVES.match(i.words) and not i.words.startswith("call"):
            if here:
                break
            around = []
    if not here:
        return None
    for n in range(len(around)):
        found = []
        for i in around[n:]:
            if any(i.at <= at < i.end for at in barred) or LEAVES.match(i.words) or STORES.search(i.words) or alike(i.at, i.words, i.code, i.at) is None:
                break
            found.append(i)
            if i.end - found[0].at >= NEAR_JUMP:
                return found
    return None


def counting(instructions, region):
    """The code at the beginning of a region that counts down to nought and then does what the instructions do, and where a
    breakpoint stands when it has come there; None where some of them cannot be copied."""
    count = KEEP + b"\xf0\x48\xff\x0d" + (STUB - len(KEEP) - 8).to_bytes(4, "little", signed=True)
    text = count + b"\x75\x01\x90" + GIVE_BACK
    for i in instructions:
        copy = alike(i.at, i.words, i.code, region + len(text))
        if copy is None:
            return None
        text += copy
    return text + jump(instructions[-1].end), region + len(count) + 2


def led_to(instructions, region):
    """What stands in the place of the instructions."""
    start, end = instructions[0].at, instructions[-1].end
    by = region - start - NEAR_JUMP
    return None if not -(1 << 31) <= by < 1 << 31 else b"\xe9" + by.to_bytes(4, "little", signed=True) + b"\x90" * (end - start - NEAR_JUMP)
