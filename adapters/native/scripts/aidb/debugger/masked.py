"""Stores of x86-64 that write only some of the bytes which they address: the processor tells of a watched place
in the others, too. Knows no debugger."""

GPR = ("rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", *("r%d" % n for n in range(8, 16)))
LONGEST = 11  # bytes of such an instruction, without prefixes
BEFORE = LONGEST + 5  # and of one that loads its mask from another register
EVEX, VEX2, VEX3 = 0x62, 0xC5, 0xC4
NONE, P66, PF3, PF2 = range(4)  # the prefix that an instruction has within
# By opcode and prefix: the bytes of an element, without and with W.
MOVES = {
    (0x7F, PF2): (1, 2), (0x7F, PF3): (4, 8), (0x7F, P66): (4, 8),
    (0x11, NONE): (4, 4), (0x29, NONE): (4, 4), (0x11, P66): (8, 8), (0x29, P66): (8, 8),
}
MASKED_MOVES = {0x2E: (4, 4), 0x2F: (8, 8), 0x8E: (4, 8)}  # of AVX
# What loads a mask from a register, by its prefix: the bytes.
SIZES_OF_LOADS, SIZES_OF_SHORT_LOADS = {0xFB: 8, 0x7B: 4, 0x78: 2, 0x79: 1}, {0xFB: 4, 0xF8: 2, 0xF9: 1}


class Store:
    """An instruction: where its memory is, as registers; the bytes of an element; which register has the mask."""

    def __init__(self, base, index, scale, displacement, relative, element, length, mask, vector, loaded):
        self.base, self.index, self.scale, self.displacement, self.relative = base, index, scale, displacement, relative
        self.element, self.length, self.mask, self.vector, self.loaded = element, length, mask, vector, loaded

    def bits(self, read):
        """Which elements it writes, lowest first; None where that is not known."""
        count = self.length // self.element
        if self.vector is not None:
            data = read.vector(self.vector)
            return data and [data[n * self.element + self.element - 1] >= 0x80 for n in range(count)]
        mask = read.mask(self.mask)
        if mask is None and self.loaded is not None:
            name, size = self.loaded
            mask = read.general(name) & (1 << 8 * size) - 1
        return None if mask is None else [bool(mask >> n & 1) for n in range(count)]

    def address(self, pc, read):
        at = self.displacement + (pc if self.relative else 0)
        at += read.general(self.base) if self.base else 0
        return (at + (read.general(self.index) * self.scale if self.index else 0)) % (1 << 64)


def store(code):
    """The store with a mask at the end of some code; None where there is none, and True where one is there
    of which it is not known what it writes."""
    for length in range(5, LONGEST + 1):
        text = code[-length:]
        if len(text) < length:
            break
        found = evex(text, code[:-length]) if text[0] == EVEX else vex(text) if text[0] == VEX3 else None
        if found is not None:
            return found
    return None


def evex(text, before):
    p0, p1, p2, opcode = text[1:5]
    if p0 & 0x08 or not p1 & 0x04 or not p2 & 0x07:  # a bit that is set in all, and no mask
        return None
    length = 16 << (p2 >> 5 & 3)
    operand = memory(text[5:], p0 ^ 0xF0, length)
    if operand is None:
        return None
    element = MOVES.get((opcode, p1 & 3)) if p0 & 7 == 1 else None
    if element is None or length > 64:
        return True
    return Store(*operand, element[p1 >> 7], length, p2 & 7, None, loaded(before, p2 & 7))


def vex(text):
    p0, p1, opcode = text[1:4]
    if p0 & 0x1F != 2 or p1 & 3 != P66 or opcode not in MASKED_MOVES:
        return None
    operand = memory(text[4:], p0 ^ 0xE0, 1)
    if operand is None:
        return None
    return Store(*operand, MASKED_MOVES[opcode][p1 >> 7], 32 if p1 & 4 else 16, None, ~(p1 >> 3) & 15, None)


def memory(rest, extended, unit):
    """What an instruction addresses that ends with these bytes; None where they are not its end. Extended has
    the highest bits of the registers' numbers, a short displacement counts units."""
    if not rest or rest[0] >> 6 == 3:
        return None
    mod, low = rest[0] >> 6, rest[0] & 7
    base, index, scale, at = low | (extended >> 5 & 1) << 3, None, 1, 1
    if low == 4:
        if len(rest) < 2:
            return None
        scale, at = 1 << (rest[1] >> 6), 2
        base = rest[1] & 7 | (extended >> 5 & 1) << 3
        number = rest[1] >> 3 & 7 | (extended >> 6 & 1) << 3
        index = None if number == 4 else GPR[number]
    relative = mod == 0 and low == 5
    bare = mod == 0 and (relative or low == 4 and rest[1] & 7 == 5)  # no base
    size = 4 if mod == 2 or bare else mod
    if len(rest) != at + size:
        return None
    displacement = int.from_bytes(rest[at:], "little", signed=True) * (unit if size == 1 else 1)
    return None if bare else GPR[base], index, scale, displacement, relative


def loaded(code, mask):
    """The register from which an instruction at the end of some code loads a mask, and how many bytes of it."""
    text = code[-5:] if code[-5:-4] == bytes([VEX3]) else b"\0" + code[-4:]  # the shorter form has no first byte
    if len(text) < 5 or text[3] != 0x92 or text[4] >> 6 != 3 or text[4] >> 3 & 7 != mask:
        return None
    if text[0] == VEX3:
        size = SIZES_OF_LOADS.get(text[2]) if text[1] & 0x5F == 0x41 else None
    else:
        size = SIZES_OF_SHORT_LOADS.get(text[2]) if text[1] == VEX2 else None
    high = text[0] == VEX3 and not text[1] & 0x20
    return None if size is None else (GPR[text[4] & 7 | high << 3], size)


def wrote(code, pc, read, address, size):
    """Says whether the instruction before pc has written to a place that the processor says was written to;
    None where it may have. Code is what is before pc. Read tells general registers, masks and vectors."""
    found = store(code)
    if found is None:
        return True
    bits = found.bits(read) if found is not True else None
    if bits is None:
        return None
    start = found.address(pc, read)
    return any(bit and start + n * found.element < address + size and address < start + (n + 1) * found.element for n, bit in enumerate(bits))
