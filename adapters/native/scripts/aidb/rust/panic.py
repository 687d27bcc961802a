"""What a Rust program panics with."""

import re
from typing import NamedTuple

import lldb

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
        return bool(self.file) and not LIBRARY.search(self.file)


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
            return {"caught": caught, "test": outermost and outermost._asdict()}
    return {"caught": caught}


def fails(places, awaits):
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


def place(frame):
    spec = frame.GetLineEntry().GetFileSpec()
    file = (spec.GetDirectory() or "") + "/" + (spec.GetFilename() or "") if spec.IsValid() else ""
    return Place(frame.GetFunctionName() or "", file, frame.GetLineEntry().GetLine())


def panic(target, thread):
    """What a stop is about: a panic, with its message and who catches it; the beginning
    of the C runtime's main; or neither."""
    process = target.GetProcess()
    thread = process.GetThreadByID(int(thread)) if int(thread) else process.GetSelectedThread()
    top = thread.GetFrameAtIndex(0)
    if (top.GetFunctionName() or "").split("::")[-1].split("(")[0] != "rust_panic":
        if failing(top):
            return {"panic": False, "failure": Words().of(top.FindVariable("residual"))}
        if again(target, thread):
            return {"panic": False, "again": True}
        start = top.GetFunctionName() == "main" and not top.GetLineEntry().GetFileSpec().IsValid()
        return {"panic": False, "start": start}
    return {"panic": True, "message": payload(process, top), **meaning(above(top))}


def sides(target, thread):
    """The two values of an assert_eq! or assert_ne! that has failed, by what its function was given."""
    frame = target.GetProcess().GetThreadByID(int(thread)).GetFrameAtIndex(0)
    for _ in range(NEAR):
        if not frame.IsValid():
            break
        if ASSERTS.match(frame.GetFunctionName() or ""):
            return compared(frame)
        frame = frame.get_parent_frame()
    return {}


def compared(frame):
    found = [frame.FindVariable(name) for name in ("left", "right")]
    if not all(v.IsValid() for v in found):
        return {}
    left, right = (Words().of(v) for v in found)
    if UNREADABLE in (left, right):
        return {}
    return {"left": left, "right": right}


def above(frame):
    """Where the callers of a frame are, nearest first."""
    for _ in range(FRAMES):
        frame = frame.get_parent_frame()
        if not frame.IsValid():
            return
        yield place(frame)


def failing(frame):
    """Says that a frame is where a ? leaves the test with an error. It is the condition
    of a breakpoint on what ? calls."""
    if not RESIDUAL.search(frame.GetFunctionName() or "") or place(frame).users():
        return False
    awaits = frame.get_parent_frame().FindVariable("_task_context").IsValid()
    return fails(above(frame), awaits)


def again(target, thread):
    """Says that a thread stands at a second place of a line it has just stopped at:
    a macro such as println! makes several of one line, and LLDB stops at each. Such
    a place is switched off."""
    if thread.GetStopReason() != lldb.eStopReasonBreakpoint:
        return False
    repeated = False
    for i in range(0, thread.GetStopReasonDataCount(), 2):
        point = target.FindBreakpointByID(thread.GetStopReasonDataAtIndex(i))
        here = point.FindLocationByID(thread.GetStopReasonDataAtIndex(i + 1)) if point.IsValid() else None
        if here is None or not here.IsValid():
            return False
        place = here.GetAddress()
        for other in point:
            at_ = other.GetAddress()
            if other.GetID() != here.GetID() and at_.GetOffset() < place.GetOffset() and same(at_, place) and other.IsEnabled():
                here.SetEnabled(False)
                repeated = True
                break
        else:
            return False
    return repeated


def same(a, b):
    """Says that two addresses are of the same function, inlined ones told apart, and line."""
    line = a.GetLineEntry()
    return (a.GetFunction() == b.GetFunction() and line.GetLine() == b.GetLineEntry().GetLine()
            and line.GetFileSpec() == b.GetLineEntry().GetFileSpec() and inlined(a) == inlined(b))


def inlined(address):
    block = address.GetBlock().GetContainingInlinedBlock()
    return (block.GetInlinedName(), block.GetInlinedCallSiteLine()) if block.IsValid() else None


def payload(process, frame):
    """The words of a panic, which comes in the first two registers."""
    held, table = (frame.FindRegister(name).GetNonSyntheticValue().GetValueAsUnsigned() for name in ("arg1", "arg2"))
    return words(process, held, table)


def words(process, held, table):
    """The words of a payload, of which are known where it is and a table of functions
    that begins with (…, size, alignment)."""
    def read(address, size):
        return process.ReadMemory(address, size, lldb.SBError()) or b""

    def word(address):
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
