"""The command aidb of gdb: what the debug adapter protocol has no request for.
Each answers with one line of JSON; what goes wrong is told as "error". And how
the program ended, which gdb's adapter leaves out when a signal did it."""

import json
import re
import shlex
import signal
import sys

import gdb
from gdb.dap import events
from gdb.dap.server import send_event

from aidb.cpp import runtime, testing
from aidb.debugger.gdb import chosen, declared, throws
from aidb.debugger.gdb.functions import breakpoints, functions
from aidb.debugger.gdb.values import Value
from aidb.debugger.gdb.waits import blocked, waits
from aidb.debugger.gdb.ways import added


def choose(thread, frame=0):
    chosen.switch(int(thread))
    at = gdb.newest_frame()
    for _ in range(int(frame)):
        at = at.older()
    at.select()
    return at


def arguments(thread, frame):
    at = choose(thread, frame)
    block, names = at.block(), []
    while block is not None and not block.is_global:
        names += [s.name for s in block if s.is_argument]
        if block.function:
            break
        block = block.superblock
    return names


def unset(thread, frame):
    """The variables that are not set yet where a frame is."""
    return declared.listed(choose(thread, frame))


def registers(thread, frame):
    at, out = choose(thread, frame), []
    for r in at.architecture().registers("all"):
        try:
            value = at.read_register(r)
            if value.type.sizeof <= 8:
                out.append({"name": r.name, "value": value.format_string(format="x") if value.type.code == gdb.TYPE_CODE_INT else str(value)})
        except gdb.error:
            pass
    return out


SECTION = re.compile(r"\s(0x[0-9a-f]+) - (0x[0-9a-f]+) is (\S+)")


def instruction(thread):
    """Where the instruction of a thread comes from: the file with its debug information, the section, and how far in
    that it lies. No file is named where there is no debug information."""
    at = choose(thread)
    symtab, pc = at.find_sal().symtab, at.pc()
    for row in gdb.execute("info files", to_string=True).splitlines() if symtab else ():
        found = SECTION.match(row)
        if found and int(found[1], 16) <= pc < int(found[2], 16):
            return {"file": symtab.objfile.filename, "section": found[3], "offset": pc - int(found[1], 16)}
    return {"file": "", "section": "", "offset": 0}


def condition(number, thread):
    choose(thread)
    for b in gdb.breakpoints() or ():
        if b.number == int(number) and b.condition:
            try:
                gdb.parse_and_eval(b.condition)
            except gdb.error as wrong:
                return str(wrong)
    return ""


def addresses(file, line):
    return [entry.pc for table in tables(file, line) for entry in table.line(int(line)) or ()]


def tables(file, line):
    """The line tables of a source file, found by a line near this one that has code."""
    for off in range(200):
        for near in {int(line) + off, int(line) - off}:
            try:
                found = gdb.decode_line("%s:%d" % (file, near))[1] if near > 0 else ()
            except gdb.error:
                continue
            tables = [t.linetable() for t in {s.symtab for s in found or () if s.symtab}]
            if tables:
                return [t for t in tables if t]
    return []


def jump(thread, file, line):
    at = choose(thread)
    for pc in addresses(file, line):
        if inside(at, pc):
            gdb.execute("set var $pc = %d" % pc, to_string=True)
            return True
    raise gdb.GdbError("line %s is not in the function %s" % (line, at.name()))


def inside(at, pc):
    block = at.block()
    while block and not block.function:
        block = block.superblock
    return block is not None and block.start <= pc < block.end


def memory(address, length):
    address, length = int(address, 0), int(length)
    while length > 0:
        try:
            return bytes(gdb.selected_inferior().read_memory(address, length)).hex()
        except gdb.MemoryError:
            length //= 2
    raise gdb.GdbError("there is no memory at %#x" % address)


def lines(file, line, count):
    found = {entry.line for table in tables(file, line) for entry in table if entry.line}
    return sorted(found, key=lambda n: (abs(n - int(line)), n))[: int(count)]


def address(file, line, function):
    if function:
        value = gdb.parse_and_eval("&'%s'" % function) if ":" in function else gdb.parse_and_eval("&%s" % function)
        return "%#x" % int(value)
    found = addresses(file, line)
    if not found:
        raise gdb.GdbError("there is no code at line %s" % line)
    return "%#x" % min(found)


# What the system says of a fault, by si_code.
FAULTS = {
    "SIGSEGV": {1: "address not mapped to object", 2: "invalid permissions for mapped object", 128: "invalid address"},  # 128: none of the processor's
    "SIGBUS": {1: "invalid address alignment", 2: "nonexistent physical address", 3: "object specific hardware error"},
    "SIGFPE": {1: "integer divide by zero", 2: "integer overflow", 3: "floating point divide by zero"},
}


def stopped(thread):
    """The signal that a stop is about."""
    choose(thread)
    info = gdb.parse_and_eval("$_siginfo")
    name = signal.Signals(int(info["si_signo"])).name
    said, at = FAULTS.get(name, {}).get(int(info["si_code"]), ""), ""
    if name in ("SIGSEGV", "SIGBUS"):
        at = "%#x" % int(info["_sifields"]["_sigfault"]["si_addr"])
    return {"signal": name, "said": said, "address": at}


def value(expression):
    return int(gdb.parse_and_eval(expression))


def pointer(at):
    return value("*(unsigned long *)%d" % at)


def exception(thread):
    """The exception that is thrown here or that nobody caught, with its type
    and what(); or the message of an abort."""
    at, names = choose(thread), []
    frame = at
    while frame is not None and len(names) < 16:
        names.append(frame.name() or "")
        frame = frame.older()
    uncaught = any(n.startswith("std::terminate") for n in names)
    if names[0].startswith("__cxa_throw"):
        pair = ("$rdi", "$rsi") if "x86" in at.architecture().name() or "i386" in at.architecture().name() else ("$x0", "$x1")
        thrown, info = (value("(unsigned long)%s" % r) for r in pair)
    elif uncaught or names[0].startswith("__cxa_rethrow"):
        header = pointer(value("((unsigned long (*)())__cxa_get_globals)()"))
        if not header:
            return {"type": "", "what": "std::terminate was called without an exception", "uncaught": True}
        thrown, info = runtime.thrown(header, pointer)
    elif any(n.startswith(("__asan::", "__sanitizer::")) for n in names):
        return {"type": "AddressSanitizer", "what": sanitizer_report(), "uncaught": False}
    else:
        return {"type": "", "what": abort_message(), "uncaught": False}
    symbol = gdb.execute("info symbol %d" % info, to_string=True)
    name = symbol[len("typeinfo for ") :].split(" in section", 1)[0].split("@", 1)[0] if symbol.startswith("typeinfo for ") else ""
    return {"type": name or "an exception", "what": what(thrown, info), "uncaught": uncaught, "thrown": throws.first(names, thrown)}


def what(thrown, info):
    try:
        base = value("(unsigned long)&_ZTISt9exception")
        gdb.execute("set $aidb_o = (unsigned long)%d" % thrown, to_string=True)
        room = value("(unsigned long)$sp") - 4096
        saved = pointer(room)
        gdb.execute("set *(unsigned long *)%d = $aidb_o" % room, to_string=True)
        caught = value("((int (*)(unsigned long, unsigned long, unsigned long, int))((*(unsigned long **)%d)[4]))(%d, %d, %d, 1) & 1" % (base, base, info, room))
        real = pointer(room)
        gdb.execute("set *(unsigned long *)%d = %d" % (room, saved), to_string=True)
        if not caught:
            return ""
        text = gdb.parse_and_eval("((char *(*)(unsigned long))((*(unsigned long **)%d)[2]))(%d)" % (real, real))
        return text.string()
    except gdb.error:
        return ""


def sanitizer_report():
    """What AddressSanitizer reports, from the functions that it has for debuggers."""
    try:
        ask = "((unsigned long (*)())__asan_get_report_%s)()"
        what = gdb.parse_and_eval("(char *)%d" % value(ask % "description")).string()
        size, kind = value(ask % "access_size"), value("((int (*)())__asan_get_report_access_type)()")
        at = ", a %s of %d bytes at %#x" % ("write" if kind else "read", size, value(ask % "address")) if size else ""
        return what + at
    except (gdb.error, gdb.MemoryError):
        return "an error; its report is in the program's stderr"


def abort_message():
    try:
        at = value("*(unsigned long *)&__abort_msg")
        return gdb.parse_and_eval("(char *)%d" % (at + 4)).string().strip() if at else ""
    except (gdb.error, gdb.MemoryError):
        return ""


def test_failure(thread):
    """Whether a thread stands where a test framework broke at an assertion that failed, and
    what that found, which is a variable beside the assertion."""
    frame = choose(thread)
    other = other_failure(frame)
    if other is not None:
        return {"failed": True, "message": other}
    for _ in range(12):
        if frame is None:
            break
        if (frame.name() or "").startswith("testing::internal::AssertHelper::operator="):
            return {"failed": True, "message": found_by_assertion(frame.older())}
        frame = frame.older()
    return {"failed": False, "message": ""}


def other_failure(frame):
    """What an assertion of Catch2 or doctest says that broke here; None where none did."""
    top, at = [], frame
    while at is not None and len(top) < 4:
        top.append(at.name() or "")
        at = at.older()
    broke = testing.broke(top)
    for _ in range(broke):
        frame = frame.older()
    for name in testing.VARIABLES:
        try:
            message = testing.told(Value(frame.read_var(name)))
        except (gdb.error, ValueError):
            continue
        if message:
            return message
    return "" if broke else None


def found_by_assertion(frame):
    for name in ("gtest_ar", "gtest_ar_"):
        try:
            at = int(frame.read_var(name)["message_"].address)
            text = pointer(at)
            length = pointer(text + 8) if text else 0
            if 0 < length < 1 << 24:
                return bytes(gdb.selected_inferior().read_memory(pointer(text), min(length, 4000))).decode("utf-8", "replace").strip()
        except (gdb.error, gdb.MemoryError, ValueError):
            continue
    return ""


def release():
    """Takes the calls out of the program that a breakpoint has stopped: let go, it would return from them to nowhere."""
    for thread in [t for inferior in gdb.inferiors() for t in inferior.threads()]:
        if thread.is_valid() and thread.is_stopped():
            thread.switch()
            while (made := called_by_gdb()) is not None:
                made.select()
                gdb.execute("return", to_string=True)


def called_by_gdb():
    """The frame of the selected thread that stands for gdb as the caller; None where it has called nothing."""
    at = gdb.newest_frame()
    while at is not None and at.type() != gdb.DUMMY_FRAME:
        at = at.older()
    return at


KNOWN = {f.__name__: f for f in (
    arguments, unset, registers, instruction, condition, jump, memory, lines, functions, address, stopped, exception, test_failure, breakpoints, waits, blocked,
    release, added,
)}


class Aidb(gdb.Command):
    def __init__(self):
        super().__init__("aidb", gdb.COMMAND_USER)

    def invoke(self, argument, _):
        words = shlex.split(argument)
        try:
            answer = {"answer": KNOWN[words[0]](*words[1:])}
        except Exception as wrong:  # everything is an answer to whoever asked
            answer = {"error": str(wrong)}
        gdb.write(json.dumps(answer) + "\n")


def arrange():
    """Calls of expressions are not news of the program: gdb's adapter tells them
    as if it had run and stopped, which ends the life of all references."""
    gdb.events.inferior_call.disconnect(events._on_inferior_call)
    gdb.events.inferior_call.connect(calling)
    forgetting = [f for f in map(of_adapter, ("frames._clear_frame_ids", "scopes.clear_scopes", "globalvars.clear", "varref.clear_vars")) if f]
    for told in (events._cont, *forgetting):
        gdb.events.cont.disconnect(told)
        gdb.events.cont.connect(unless_calling(told))
    for forget in forgetting:  # a call that stopped elsewhere
        gdb.events.stop.connect(when_calling(forget))
    gdb.events.exited.disconnect(events._on_exit)
    gdb.events.exited.connect(ended)
    gdb.events.stop.connect(stands)
    gdb.events.gdb_exiting.connect(lambda _: release())  # nobody may have asked


def of_adapter(path):
    """A function of gdb's adapter; None in versions that do not have it."""
    module, name = path.split(".")
    return getattr(sys.modules.get("gdb.dap." + module), name, None)


def unless_calling(told):
    return lambda event: None if in_call else told(event)


def when_calling(told):
    return lambda event: told(event) if in_call else None


def calling(event):
    global in_call
    in_call = isinstance(event, gdb.InferiorCallPreEvent)


def stands(_):
    global stood
    stood = True


in_call = stood = False


def ended(event):
    """The end of the program is told after what we say of it. Without a code, a
    signal or a stop there was no program: a server was not understood."""
    ending(event)()


def ending(event):
    """What tells the end: it may be that of other processes comes first."""
    number = gdb.convenience_variable("_exitsignal") if not hasattr(event, "exit_code") else None

    def tell():
        if number is not None:
            send_event("output", {"category": "console", "output": "aidb: ended by %s\n" % signal.Signals(int(number)).name})
        forks = sys.modules.get("aidb.debugger.gdb.forks")
        if forks is not None and forks.Fork.made:
            send_event("output", {"category": "console", "output": "aidb: forked %d\n" % forks.Fork.made})
        if stood or number is not None or hasattr(event, "exit_code"):
            events._on_exit(event)

    return tell


Aidb()
arrange()
