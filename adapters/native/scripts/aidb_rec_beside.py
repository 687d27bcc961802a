"""Where a program goes on after a breakpoint of the recorder in LLDB. LLDB would take the
breakpoint out, run its instruction by itself, stop again and put the breakpoint back, which
takes as long as all else of a hit. A copy of the instruction in memory of its own, with a
jump to what comes next, needs none of that. Knows no debugger."""

import re

SLOT, ROOM = 32, 1 << 20  # bytes of one copy, and of all
LONGEST = 15

# In AT&T's words: what does the same wherever it stands, and that with registers, with numbers
# and in the frame, where it cannot fail.
ALIKE = re.compile(r"^(?:mov|add|sub|cmp|test|x?or|and|inc|dec|neg|not|sh[lr]|sa[lr]|imul|cltq|cltd|cqto|cwtl|set|push|pop|leave|ret|endbr)")
OPERAND = re.compile(r"^(?:\$-?\w+|%[a-z]\w*|%fs:-?\w+|-?\w*\(%r[bs]p\))$")
IDLE = re.compile(r"^(?:lea|nop)(?!.*%[re]ip)")  # it reads no memory, whatever it names


def beside(pc, words, code):
    """The copy of an instruction, which goes on as the instruction does; None where it is none
    that does the same at another place."""
    mnemonic, _, operands = words.partition(" ")
    if code[:1] in (b"\xeb", b"\xe9"):  # jmp: only where to
        return jump(pc + len(code) + int.from_bytes(code[1:], "little", signed=True))
    alike = ALIKE.match(mnemonic) and all(OPERAND.match(o) for o in operands.strip().split(", ") if o)
    return code + jump(pc + len(code)) if alike or IDLE.match(words) else None


def jump(to):
    return b"\xff\x25\x00\x00\x00\x00" + to.to_bytes(8, "little")
