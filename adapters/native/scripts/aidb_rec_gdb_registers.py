"""What a function gives in registers, under gdb on x86-64."""

import aidb_given
import gdb
from aidb_given import MOST, Spread  # noqa: F401

RECORDS = (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION)


def parts(of, at=0):
    """The numbers and addresses that a type consists of, as aidb_given has them. What lies at one place in
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


def given(frame, of, rust):
    """The value of a result that lies in registers as a whole."""
    def floats(name):
        return (int(frame.read_register(name)["uint128"]) % (1 << 64)).to_bytes(8, "little")

    registers = aidb_given.Registers(lambda name: int(frame.read_register(name)), floats)
    return gdb.Value(aidb_given.given(registers, of.sizeof, parts(of), rust), of)
