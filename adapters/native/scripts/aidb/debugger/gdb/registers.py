"""What a function gives in registers, under gdb on x86-64."""

import re

import gdb

from aidb.debugger import x86_64
from aidb.debugger.x86_64 import MOST, Spread, Unsure  # noqa: F401

RECORDS = (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION)


def parts(of, at=0):
    """The numbers and addresses that a type consists of, as x86_64 has them. What lies at one place in
    different cases, of which gdb has each as a field, is there once for each kind of it."""
    of = of.strip_typedefs()
    if not of.sizeof:
        return set()
    found = set()
    if of.code == gdb.TYPE_CODE_COMPLEX:
        found |= {(at, of.sizeof // 2, True), (at + of.sizeof // 2, of.sizeof // 2, True)}
    elif of.code == gdb.TYPE_CODE_ARRAY and "vector_size" not in str(of):
        item = of.target()
        for i in range(min(of.sizeof // (item.sizeof or 1), MOST + 1)):
            found |= parts(item, at + i * item.sizeof)
    elif of.code in RECORDS:
        for field in of.fields():
            if hasattr(field, "bitpos"):
                found |= parts(field.type, at + field.bitpos // 8)
    else:
        found.add((at, of.sizeof, of.code == gdb.TYPE_CODE_FLT))
    return found


def begins_with_address(of):
    """Says that the first bytes of a type may be an address."""
    of = of.strip_typedefs()
    if of.code == gdb.TYPE_CODE_ARRAY:
        return begins_with_address(of.target())
    if of.code not in RECORDS:
        return of.code == gdb.TYPE_CODE_PTR
    return any(begins_with_address(f.type) for f in of.fields() if getattr(f, "bitpos", 1) == 0)


def rust_elsewhere(frame, of):
    """Says that a value of Rust does not lie in registers, but at the address in rax."""
    rax, rsp = (int(frame.read_register(name)) % (1 << 64) for name in ("rax", "rsp"))
    return of.sizeof > MOST or of.sizeof > 8 and x86_64.on_stack(rax, rsp) and not begins_with_address(of)


DESTROYS = re.compile(r"^\s*(?:virtual )?~\w+\(", re.M)
COPIES = re.compile(r"^\s*(\w+)\((?:const )?(?:[\w:]*::)?\1(?:<.*>)?(?: const)? ?&&?\);", re.M)
declared = {}  # by a type's name


def declares(of):
    """What the classes say that a record consists of, as x86_64 has it."""
    of = of.strip_typedefs()
    while of.code == gdb.TYPE_CODE_ARRAY:
        of = of.target().strip_typedefs()
    if of.code not in RECORDS:
        return x86_64.NOTHING
    if of.dynamic:
        return x86_64.ENDS
    return max([declares(f.type) for f in of.fields() if hasattr(f, "bitpos")] + [declares_itself(of)])


def declares_itself(of):
    name = str(of.unqualified())
    if x86_64.DEFAULTED.match(name):
        return x86_64.NOTHING
    if name not in declared:
        try:
            text = gdb.execute("ptype " + name, to_string=True)  # gdb's types tell no methods
        except gdb.error:
            text = ""
        declared[name] = x86_64.ENDS if DESTROYS.search(text) else x86_64.COPIES if COPIES.search(text) else x86_64.NOTHING
    return declared[name]


def elsewhere(frame, of):
    """Says that a C++ record does not lie in registers, but at the address in rax."""
    def readable(address):
        try:
            gdb.selected_inferior().read_memory(address, 1)
        except gdb.MemoryError:
            return False
        return True

    rax, rsp = (int(frame.read_register(name)) % (1 << 64) for name in ("rax", "rsp"))
    return of.sizeof > MOST or x86_64.elsewhere(declares(of), rax, rsp, readable)


class Read:
    """The registers of a frame, as the stores with a mask want them."""

    def __init__(self, frame):
        self.frame = frame

    def general(self, name):
        return int(self.frame.read_register(name)) % (1 << 64)

    def mask(self, number):
        try:
            return int(self.frame.read_register("k%d" % number)) % (1 << 64)
        except (ValueError, gdb.error):
            return None

    def vector(self, number):
        try:
            items = self.frame.read_register("ymm%d" % number)["v32_int8"]
            return bytes(int(items[n]) & 0xFF for n in range(32))
        except (ValueError, gdb.error):
            return None


def given(frame, of, rust):
    """The value of a result that lies in registers as a whole."""
    def floats(name):
        return (int(frame.read_register(name)["uint128"]) % (1 << 64)).to_bytes(8, "little")

    registers = x86_64.Registers(lambda name: int(frame.read_register(name)), floats)
    return gdb.Value(x86_64.given(registers, of.sizeof, parts(of), rust), of)
