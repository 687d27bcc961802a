"""Where a program goes on after a breakpoint of the recorder in LLDB. LLDB would take the
breakpoint out, run its instruction by itself, stop again and put the breakpoint back, which
takes as long as all else of a hit. A copy of the instruction in memory of its own, with a
jump to what comes next, needs none of that. Knows no debugger."""

import re

SLOT, ROOM = 48, 1 << 20  # bytes of one copy, and of all

# In AT&T's words: what does the same wherever it stands, and that with registers, with numbers,
# in the frame and with what the program has by name, where it cannot fail.
ALIKE = re.compile(r"^(?:mov|add|sub|cmp|test|x?or|and|inc|dec|neg|not|sh[lr]|sa[lr]|imul|cltq|cltd|cqto|cwtl|set|push|pop|leave|ret|endbr)")
OPERAND = re.compile(r"^(?:\$-?\w+|%[a-z]\w*|%fs:-?\w+|-?\w*\(%r[bs]p\)|-?\w+\(%rip\))$")
IDLE = re.compile(r"^(?:lea|nop)")  # it reads no memory, whatever it names
FROM_HERE = re.compile(r"(-?\w+)\(%rip\)")


def beside(pc, words, code, at):
    """The copy at another address of the instruction at pc, which goes on as the instruction
    does; None where there is none."""
    end = pc + len(code)
    if code[:1] in (b"\xeb", b"\xe9"):  # jmp
        return jump(end + offset(code[1:]))
    if code[0] & 0xF0 == 0x70 or code[0] == 0x0F and code[1] & 0xF0 == 0x80:  # a jump on a condition
        near = code[:1] if len(code) == 2 else code[1:2]
        return bytes([0x70 | near[0] & 0xF, len(jump(0))]) + jump(end) + jump(end + offset(code[len(code) // 6 + 1 :]))
    if code[0] == 0xE8 and len(code) == 5:  # call: it is to return to the program
        return push(end) + jump(end + offset(code[1:]))
    code = alike(pc, words, code, at)
    return None if code is None else code + jump(end)


def alike(pc, words, code, at):
    """The copy of an instruction that does the same there, and goes on behind itself or returns; None where there is none."""
    mnemonic, _, operands = words.partition(" ")
    if not IDLE.match(words) and not (ALIKE.match(mnemonic) and all(OPERAND.match(o) for o in operands.strip().split(", ") if o)):
        return None
    return moved(code, operands, pc - at) if "%rip" in operands else code


def offset(code):
    return int.from_bytes(code, "little", signed=True)


def jump(to):
    return b"\xff\x25\x00\x00\x00\x00" + to.to_bytes(8, "little")


def push(address: int):
    """Pushes an address, and leaves the flags alone."""
    low, high = (address & 0xFFFFFFFF).to_bytes(4, "little"), (address >> 32).to_bytes(4, "little")
    return b"\x48\x8d\x64\x24\xf8" + b"\xc7\x04\x24" + low + b"\xc7\x44\x24\x04" + high


def moved(code, operands, by):
    """An instruction that names a place by how far away it is, with the distance from its copy."""
    said = FROM_HERE.search(operands)
    if said is None:
        return None
    far = int(said.group(1), 0)
    old = far.to_bytes(4, "little", signed=True)
    if sum(code.startswith(old, i) for i in range(len(code))) != 1 or not -(1 << 31) <= far + by < 1 << 31:
        return None
    return code.replace(old, (far + by).to_bytes(4, "little", signed=True))
