"""What the recorders in gdb and in LLDB do alike. Knows no debugger."""

import os
import re
import signal
import traceback

from aidb.names import library, paths

FOREIGN = ("std::", "core::", "alloc::", "__gnu_cxx::")  # what nobody asks for by such a name

# An instruction in AT&T's words whose last operand lies in memory, and that writes there.
STORES = re.compile(r"^(?!cmp|test|ucom|com|bt[lq ]|prefetch)\S+\s+.*(?:\)|:0x[0-9a-f]+)$|^(?:rep\w* )?(?:stos|movs)|^(?:call|push)")
NEAR = 12  # frames in which one of the user's is looked for
STACK = 8  # frames of the user's that an event tells
LEAVES = re.compile(r"^(j|call|ret|syscall|ud2)")


def settled(debugger, pc):
    """Where all that a line reads is in place. rustc says of the loads of a pattern, for &b in list,
    that they belong to the line which uses b first; b itself is written after them."""
    line, end = debugger.row(pc)
    before, again = debugger.row(end)
    if not 0 < before < line or debugger.row(again)[0] != line or again - pc > 64:
        return pc
    if any(LEAVES.match(i) for i in debugger.instructions(pc, again)) or any(STORES.match(i) for i in debugger.instructions(pc, end)):
        return pc
    return again


def foreign(file: str, line: int) -> bool:
    """Says that code is not the user's: of the library, or of a source that nobody has."""
    return not line or not file.startswith("/") or library(file)


def whole(frame):
    """The frame of the call that one is in, where the compiler has put the code of another into it."""
    while frame.inlined():
        frame = frame.older()
    return frame


def users(frame):
    """The nearest frame of the user's own code; None where there is none."""
    for _ in range(NEAR):
        if frame is None or not frame.library():
            return frame
        frame = frame.older()
    return None


def callers(frame):
    """The user's frames from this one on, as "function file:line"."""
    out = []
    while frame is not None and len(out) < STACK:
        if not frame.library():
            out.append("%s %s:%d" % ((frame.function(),) + frame.at_caller()))
        frame = frame.older()
    return out


def wanted(function):
    """Says that a function can be meant by its name. Most that begin with "_" are the runtime's, but
    programs have their own too."""
    return not (function.name.startswith("_") and function.library)


def joined(name: str):
    """The path of a function, without its generic arguments."""
    return "::".join((paths(name) or [()])[0])


def uncalled(text: str) -> str:
    """Why an expression has no value that would call something in the program."""
    return "%s is a call of the program's, and none are made while it is recorded" % text


def told(wrong):
    """An error that may be a fault of ours, with its place."""
    last = traceback.extract_tb(wrong.__traceback__)[-1]
    return "%s: %s (%s:%d)" % (type(wrong).__name__, wrong, os.path.basename(last.filename), last.lineno)


ROUND = re.compile(r"^j\w+\s+(?:0x)?([0-9a-f]+)$")


def jumps(code):
    """Of instructions and their places those that jump to a place, with that."""
    for at, text in code:
        m = ROUND.match(text.strip())
        if m:
            yield at, int(m.group(1), 16)


PREFIXES = b"\xf2\xf3\x2e\x3e\x48"  # of a return or a jump: bnd, repz, hints, the size of a return's operand


def bare_code(data):
    """An instruction of x86-64 without what stands before its operation."""
    at = 0
    while at < len(data) - 1 and data[at] in PREFIXES:
        at += 1
    return data[at:]


def returns(data) -> bool:
    """Says that an instruction of x86-64 returns from a function."""
    return bare_code(data)[:1] in (b"\xc3", b"\xc2")


def jumps_to(at, data):
    """Where an instruction of x86-64 jumps, which stands at a place; None where it does not, or that is not written in it."""
    code = bare_code(data)
    short = code[0] == 0xEB or 0x70 <= code[0] <= 0x7F or 0xE0 <= code[0] <= 0xE3
    if short and len(code) == 2:
        return at + len(data) + int.from_bytes(code[1:], "little", signed=True)
    if code[0] == 0xE9 and len(code) == 5 or code[0] == 0x0F and len(code) == 6 and 0x80 <= code[1] <= 0x8F:
        return at + len(data) + int.from_bytes(code[-4:], "little", signed=True)
    return None


def rounds(ranges, code):
    """The loops that lie within one line whole: where a round begins, and where the program is after the last.
    Of those within others only the innermost."""
    def of_line(at):
        return any(low <= at < high for low, high in ranges)

    following = {at: then for (at, _), (then, _) in zip(code, code[1:])}
    found = [(to, following.get(at)) for at, to in jumps(code) if to <= at and of_line(at) and of_line(to)]
    found = [f for f in found if f[1] is not None]
    return [f for f in found if not any(o != f and f[0] <= o[0] and o[1] <= f[1] for o in found)]


# Signals that kill a program which has nothing to say to them.
FATAL = ("SIGSEGV", "SIGABRT", "SIGFPE", "SIGILL", "SIGBUS", "SIGSYS", "SIGPIPE", "SIGTERM", "SIGALRM", "SIGHUP", "SIGQUIT", "SIGXCPU", "SIGXFSZ")


def kills(pid: int, number: int) -> bool:
    """Says that a signal kills a process, which neither handles nor ignores it."""
    try:
        with open("/proc/%d/status" % pid, encoding="ascii", errors="replace") as f:
            rows = dict(row.split(":", 1) for row in f if ":" in row)
        return not (int(rows["SigCgt"], 16) | int(rows["SigIgn"], 16)) >> (number - 1) & 1
    except (OSError, KeyError, ValueError):
        return False


def end(code, number: int) -> None:
    """Ends the debugger as the program has ended: with its code, or by its signal."""
    if number:
        import resource
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if number not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [number])
        os.kill(os.getpid(), number)
    os._exit(code or 0)
