"""What a Rust program panics with."""

import re
from typing import NamedTuple

from aidb.debugger.interface import Nonsense, Process
from aidb.names import library
from aidb.rust.expected import expected_text
from aidb.rust.words import UNREADABLE, Words

CATCH = re.compile(r"^std::panic::catch_unwind\b|^std::panicking::(catch_unwind|try)\b")
HARNESS = re.compile(r"^test::(__rust_begin_short_backtrace|run_test)")
LIBRARY = re.compile(r"^/rustc/|/rustc-[0-9][^/]*/(library|vendor)/|/rustlib/src/rust/|/\.cargo/(registry|git)/|^library/")
RESIDUAL = re.compile(r"\bfrom_residual\b")
CLOSURE = re.compile(r"::(\{[^{}]*\}|\{\{closure\}\}|_\$u7b\$[\w$]*)$")
HASH = re.compile(r"::h[0-9a-f]{16}$")
FRAMES = 400  # that are looked at
NEAR = 30  # in which an assertion stands below its panic
ASSERTS = re.compile(r"^core::panicking::assert_failed(?:::<|<|$)")


class Place(NamedTuple):
    """Where a frame is; without a file where that is not known."""

    name: str
    file: str
    line: int

    def users(self):
        """Says that it is of the user's own code."""
        return bool(self.file) and not library(self.file, LIBRARY)


def meaning(places):
    """Who is above a panic, nearest first: whether the user's code catches it, and the
    test that it is of, if Rust's own harness runs it in this thread."""
    caught, inner, outermost = False, False, None
    for place in places:
        catches, users = bool(CATCH.match(place.name)), place.users()
        caught = caught or inner and not catches and users
        inner = catches
        if users:
            outermost = place
        elif HARNESS.match(place.name):
            return {"caught": caught, "test": outermost and {**outermost._asdict(), "expects": expected_text(*outermost)}}
    return {"caught": caught}


def fails(places, awaits) -> bool:
    """Says that the test is left with an error by a ? of its own: all that is between
    the harness and where ? stands is the test, and what macros have made around it."""
    at = next(places)
    test = HASH.sub("", at.name)
    test = CLOSURE.sub("", test) if awaits else test
    between = False
    for place in places:
        if HARNESS.match(place.name) and not place.users():
            return at.users()
        if place.users() and (not place.name.startswith(test) or between and not awaits):
            return False
        between = between or not place.users()
    return False


def compared(frame):
    """The two values that an assertion was given in whose function a frame stands."""
    found = [frame.variable(name) for name in ("left", "right")]
    if None in found:
        return {}
    left, right = (Words().of(v) for v in found)
    if UNREADABLE in (left, right):
        return {}
    return {"left": left, "right": right}


def words(process: Process, held, table):
    """The words of a payload, of which are known where it is and a table of functions
    that begins with (…, size, alignment)."""
    def read(address: int, size: int):
        try:
            return process.memory(address, size)
        except Nonsense:
            return b""

    def word(address: int):
        return int.from_bytes(read(address, 8), "little")

    kept, size = [word(held + 8 * i) for i in range(4)], word(table + 8)
    tries = {16: [(kept[0], kept[1])], 32: [(kept[1], kept[2]), (kept[2], kept[3])]}.get(size, [])  # a &str; a String and a reference
    for start, length in tries:
        try:
            text = read(start, length).decode("utf-8") if 0 < length < 1 << 16 else ""
        except UnicodeDecodeError:
            continue
        if text:
            return text
    return ""
