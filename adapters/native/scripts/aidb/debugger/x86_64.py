"""What a function gives in registers on x86-64: which part of it is in which. Knows no debugger."""

import re

MOST = 16  # bytes that are given in registers, and parts that are looked at
STACK = 1 << 20  # bytes above the end of a call's stack in which its callers want their results

# What the classes of a record, its bases and its parts declare: nothing that is of interest here, how it is
# copied, how it ends. Those that the library declares to be as they are without it say nothing.
NOTHING, COPIES, ENDS = range(3)
DEFAULTED = re.compile(r"(?:const )?std::(?:__\w+::)?(?:pair|__pair_base|optional|_Optional_\w+|chrono::\w+|basic_string_view|span|reference_wrapper)\b(?!.*>::)")


class Unsure(Exception):
    """It is not known where the whole is."""


def elsewhere(declares, rax, rsp, readable) -> bool:
    """Says that a C++ record which registers have room for lies at the address in rax all the same: its class
    says how it is copied or ends. That may be as it is without it, and then it is in registers; debug information
    does not tell, but no such address is there then."""
    if declares == NOTHING:
        return False
    if on_stack(rax, rsp):
        return True
    if not readable(rax):
        return False
    if declares == COPIES:
        raise Unsure
    return True


def on_stack(rax, rsp) -> bool:
    """Says that in rax is the address of a result of Rust that registers have room for, and that is not given in them, as of
    enums whose cases hold numbers in different ways: no number of a case is such an address."""
    return rsp <= rax < rsp + STACK


class Spread(Exception):
    """It is not known which part is where."""


def given(registers, size: int, found, rust: bool):
    """The bytes of a result that lies in registers as a whole. Found are the numbers and addresses that it
    consists of: where they begin, how long they are, and whether they are floating point."""
    found = sorted(found)
    if size > MOST or not found or any(length > 8 for _, length, _ in found):
        raise Spread
    if rust:
        return of_rust(registers, size, found)
    whole = bytearray(size)
    for start in range(0, size, 8):  # the C ABI goes by words
        word = [p for p in found if start <= p[0] < start + 8]
        put(whole, start, min(8, size - start), registers.next(bool(word) and all(p[2] for p in word)))
    return bytes(whole)


def of_rust(registers, size: int, found):
    """Rust gives two parts in a register each, however short they are, and what has more as one number."""
    whole = bytearray(size)
    if len(found) > 2 or len(found) == 2 and found[0][0] + found[0][1] > found[1][0]:
        if size > 8:
            raise Spread
        found = [(0, size, False)]
    for start, length, floating in found:
        put(whole, start, length, registers.next(floating))
    return bytes(whole)


def put(whole, start, length: int, word) -> None:
    whole[start : start + length] = word[:length]


class Registers:
    """Those in which results are given, in their order. Read and floats tell what is in one of a name: its
    number, its first eight bytes."""

    def __init__(self, read, floats) -> None:
        self.read, self.floats, self.whole, self.floating = read, floats, ["rax", "rdx"], ["xmm0", "xmm1"]

    def next(self, floating):
        if floating:
            return self.floats(self.floating.pop(0))
        return (self.read(self.whole.pop(0)) % (1 << 64)).to_bytes(8, "little")
