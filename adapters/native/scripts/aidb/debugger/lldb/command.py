"""The command aidb of LLDB: what the debug adapter protocol has no request for.
Each answers with one line of JSON; what goes wrong is told as "error"."""

import json
import os
import re
import shlex
import signal
import struct

import lldb

from aidb.cpp import meaning, runtime, testing
from aidb.cpp.numbers import Int, Real
from aidb.debugger.lldb import bitfield, cpp, cpp_expression, debuginfo, throws
from aidb.debugger.lldb import registers as lldb_registers
from aidb.debugger.lldb import scope as lldb_scope
from aidb.debugger.lldb.declared import listed, refuse, variable
from aidb.debugger.lldb.forks import forks
from aidb.debugger.lldb.functions import breakpoints, functions
from aidb.debugger.lldb.release import release
from aidb.debugger.lldb.stops import here, stops
from aidb.debugger.lldb.values import Value
from aidb.debugger.lldb.waits import blocked, waits
from aidb.debugger.lldb.ways import added

MOST = 20000  # lines that are looked at


def thread_of(process, number):
    return process.GetThreadByID(int(number)) if int(number) else process.GetSelectedThread()


def frame_of(process, thread, frame):
    return thread_of(process, thread).GetFrameAtIndex(int(frame))


def arguments(target, thread, frame):
    """Names of the arguments of a frame's function."""
    found = frame_of(target.GetProcess(), thread, frame).GetVariables(True, False, False, False)
    return [v.GetName() for v in found]


def unset(target, thread, frame):
    """The variables that are not set yet where a frame is."""
    return listed(frame_of(target.GetProcess(), thread, frame))


def declared(target, thread, frame):
    """The variables of a frame whose types have other names in the source than in LLDB."""
    return debuginfo.declared(target, frame_of(target.GetProcess(), thread, frame))


def declared_parts(target, frame, digits):
    """The declared types of what a path leads to, and of its parts."""
    return debuginfo.declared_parts(target, frame, digits)


def registers(target, thread, frame):
    """Name and value of each register of a frame that holds integers, then the others."""
    out = []
    for group in frame_of(target.GetProcess(), thread, frame).GetRegisters():
        for r in group:
            if r.GetValue() is not None:
                out.append({"name": r.GetName(), "value": r.GetValue(), "set": group.GetName()})
    return out


def lineless(target, thread):
    """Says that a thread stands at an instruction of a known function that was made from no line."""
    frame = frame_of(target.GetProcess(), thread, 0)
    entry = frame.GetLineEntry()
    return frame.GetFunction().IsValid() and entry.IsValid() and entry.GetLine() == 0


def condition(target, number, thread):
    """Why the condition of a breakpoint fails here, empty when it does not."""
    text = target.FindBreakpointByID(int(number)).GetCondition()
    if not text:
        return ""
    value = frame_of(target.GetProcess(), thread, 0).EvaluateExpression(text)
    return value.GetError().GetCString() or "it failed" if value.GetError().Fail() else ""


def returned(target, thread):
    """What the function returned that was stepped out of: type and value, or nothing. Elsewhere: it does not lie
    where LLDB looks for it, and without a value it is not known where."""
    at = thread_of(target.GetProcess(), thread)
    value, elsewhere = at.GetStopReturnValue(), False
    if not value.IsValid():
        return None
    if target.GetTriple().startswith("x86_64") and value.GetByteSize() <= lldb_registers.MOST:
        frame = at.GetFrameAtIndex(0)
        try:
            elsewhere = lldb_registers.elsewhere(frame, value.GetType())
        except lldb_registers.Unsure:
            return {"type": value.GetDisplayTypeName() or "", "value": "", "elsewhere": True}
        if elsewhere:
            address = lldb.SBAddress(frame.FindRegister("rax").GetValueAsUnsigned(), target)
            value = target.CreateValueFromAddress("result", address, value.GetType())
    return {"type": value.GetDisplayTypeName() or "", "value": cpp.brief(value), "elsewhere": elsewhere}


def jump(target, thread, file, line):
    """Moves the point of execution within the function."""
    error = thread_of(target.GetProcess(), thread).JumpToLine(lldb.SBFileSpec(file), int(line))
    if error.Fail():
        raise RuntimeError(error.GetCString())
    return True


def memory(target, address, length):
    """Bytes in hexadecimal, as many as can be read."""
    address, length = int(address, 0), int(length)
    while length > 0:
        error = lldb.SBError()
        data = target.GetProcess().ReadMemory(address, length, error)
        if error.Success() and data:
            return data.hex()
        length //= 2
    raise RuntimeError("there is no memory at %#x" % address)


def lines(target, file, line, count):
    """The lines of a file that code was made from, nearest first."""
    found, spec = set(), lldb.SBFileSpec(file)
    for context in target.FindCompileUnits(spec):
        unit = context.GetCompileUnit()
        for i in range(min(unit.GetNumLineEntries(), MOST)):
            entry = unit.GetLineEntryAtIndex(i)
            if entry.GetLine() and entry.GetFileSpec().GetFilename() == spec.GetFilename():
                found.add(entry.GetLine())
    return sorted(found, key=lambda n: (abs(n - int(line)), n))[: int(count)]


def address(target, file, line, function):
    """Where the code of a line, or of a function, begins."""
    if function:
        for context in target.FindFunctions(function):
            at = context.GetFunction().GetStartAddress() if context.GetFunction().IsValid() else context.GetSymbol().GetStartAddress()
            if at.IsValid():
                return "%#x" % at.GetLoadAddress(target)
        raise RuntimeError("there is no function %s" % function)
    spec, best = lldb.SBFileSpec(file), None
    for context in target.FindCompileUnits(spec):
        for entry in context.GetCompileUnit():
            if entry.GetLine() == int(line) and entry.GetFileSpec().GetFilename() == spec.GetFilename():
                at = entry.GetStartAddress().GetLoadAddress(target)
                best = at if best is None else min(best, at)
    if best is None:
        raise RuntimeError("there is no code at %s:%s" % (os.path.basename(file), line))
    return "%#x" % best


def found(frame, path):
    """The value of a path or of an expression."""
    if frame.GuessLanguage() != lldb.eLanguageTypeRust:
        refuse(frame, path)
    value = frame.GetValueForVariablePath(path)
    if frame.GuessLanguage() != lldb.eLanguageTypeRust and "[" in path:  # what LLDB takes for an element may be a copy
        try:
            return cpp_expression.worked_out(frame, path)
        except cpp_expression.Wrong:
            pass
    if not value.IsValid() or value.GetError().Fail():
        value = frame.EvaluateExpression(path)
    if value.GetError().Fail():
        raise RuntimeError(value.GetError().GetCString())
    return value


def placed(frame, path):
    """What lies somewhere: where a variable does is known before it is set, or stored."""
    if not path.isidentifier() or frame.GuessLanguage() == lldb.eLanguageTypeRust:
        return found(frame, path)
    try:
        value, later = variable(frame, path)
    except cpp_expression.Wrong:
        value, later = lldb.SBValue(), True
    return found(frame, path) if value.IsValid() or not later else frame.FindVariable(path, lldb.eNoDynamicValues)


def page(target, frame, path, start, count):
    """Elements of a value: name, type and the line that shows it."""
    value, out = cpp_expression.worked_out(frame, path), []
    value.SetPreferSyntheticValue(True)
    for i in range(int(start), int(start) + int(count)):
        child = value.GetChildAtIndex(i, lldb.eDynamicDontRunTarget, True)
        if not child.IsValid():
            break
        out.append({"name": child.GetName() or "[%d]" % i, "type": child.GetDisplayTypeName() or "", "value": cpp.brief(child)})
    return out


def watch(target, thread, frame, expression):
    """Where in memory the value of an expression lies, and its size."""
    value = placed(frame_of(target.GetProcess(), thread, frame), expression)
    at = value.GetLoadAddress()
    if at == lldb.LLDB_INVALID_ADDRESS:
        raise RuntimeError("it does not lie in memory")
    if value.GetByteSize() not in (1, 2, 4, 8):
        raise RuntimeError("it has %d bytes, and 1, 2, 4 or 8 can be watched: name a part of it" % value.GetByteSize())
    return "%X/%d" % (at, value.GetByteSize())


def scope(target, thread, frame, expression):
    """Has the watch of an expression end with the call in whose frame it lies; says whether it does."""
    value = placed(frame_of(target.GetProcess(), thread, frame), expression)
    return lldb_scope.ends(thread_of(target.GetProcess(), thread), int(frame), value.GetLoadAddress())


def compute(frame, name, to, value):
    """Gives what is named the value of an expression; says whether that went well."""
    return frame.EvaluateExpression("%s = %s" % (name, value)).GetError().Success()


def put(frame, to, text):
    """Writes a number where a value lies; says whether it is one that can be written. LLDB may go on reading what
    it has kept from before, and forgets that when it is written once more."""
    try:
        value, v = meaning.plain(Value(cpp_expression.worked_out(frame, text))), Value(to)
        data = packed(value, v.type)
    except (cpp_expression.Wrong, cpp_expression.Foreign, cpp_expression.Nonsense, OverflowError, struct.error):
        return False
    if data is None or not v.placed():
        return False
    process, error = to.GetProcess(), lldb.SBError()
    return any(process.WriteMemory(v.address, data, error) == len(data) and process.ReadMemory(v.address, len(data), error) == data for _ in range(2))


def packed(value, of):
    """A number as the bytes of a type; None where it is not one."""
    if of.code == "float" and of.size in (4, 8) and isinstance(value, (Int, Real)):
        return struct.pack("<f" if of.size == 4 else "<d", value.value)
    if of.code in ("int", "char", "wide") and isinstance(value, Int):
        return value.value.to_bytes(of.size, "little", signed=of.signed)
    return None


def assign(target, thread, frame, name, value):
    """Gives a value, or that of an expression, to what is named; says whether
    there is such a thing."""
    frame, error = frame_of(target.GetProcess(), thread, frame), lldb.SBError()
    if bitfield.assign(frame, name, value):
        return True
    try:
        to = found(frame, name)
    except Exception:  # the debug adapter may know it by another name
        return False
    if frame.GuessLanguage() != lldb.eLanguageTypeRust and put(frame, to, value) or to.SetValueFromCString(value, error):
        return True
    for member in to.GetType().GetEnumMembers():
        if member.GetName() == value.rsplit("::", 1)[-1]:
            return to.SetValueFromCString(str(member.GetValueAsUnsigned()))
    try:
        done = compute(frame, name, to, value)
    except Exception:
        done = False
    if not done and to.GetType().GetTypeFlags() & (lldb.eTypeHasChildren | lldb.eTypeIsPointer) == lldb.eTypeHasChildren:
        raise RuntimeError("%s has parts, and only plain values can be set: set a part of it" % name)
    if not done:  # the first reason says most
        raise RuntimeError(error.GetCString() or "%s cannot be given this value" % name)
    return True


# what() of the object at @ with the type information at #, if it is a std::exception.
WHAT = (
    "void *aidb_o = (void *)@; void *aidb_c = (void *)&(char &)_ZTISt9exception; "
    "((bool (*)(void *, void *, void **, unsigned))((*(void ***)aidb_c)[4]))(aidb_c, (void *)#, &aidb_o, 1) "
    "? ((const char *(*)(void *))((*(void ***)aidb_o)[2]))(aidb_o) : (const char *)0"
)


def text_at(process, at):
    error = lldb.SBError()
    text = process.ReadCStringFromMemory(at, 4000, error)
    return text if error.Success() else None


def calls(frame, expression):
    options = lldb.SBExpressionOptions()
    options.SetLanguage(lldb.eLanguageTypeC_plus_plus)
    options.SetTimeoutInMicroSeconds(2000000)
    options.SetIgnoreBreakpoints(True)
    options.SetUnwindOnError(True)
    options.SetSuppressPersistentResult(True)
    options.SetTrapExceptions(False)
    return frame.EvaluateExpression(expression, options)


def type_name(target, frame, info):
    """The name of a type by its type_info object."""
    symbol = target.ResolveLoadAddress(info).GetSymbol().GetName() or ""
    if symbol.startswith("typeinfo for "):
        return symbol[len("typeinfo for ") :]
    error = lldb.SBError()
    name = target.GetProcess().ReadPointerFromMemory(info + target.GetAddressByteSize(), error)
    mangled = text_at(target.GetProcess(), name) or ""
    demangle = '((char *(*)(const char *, char *, void *, void *))__cxa_demangle)("%s", 0, 0, 0)' % mangled
    plain = calls(frame, demangle)
    return text_at(target.GetProcess(), plain.GetValueAsUnsigned()) or mangled


def thrown_here(target, frame):
    """The object and the type_info that are being thrown in this call of the runtime."""
    return [calls(frame, "(unsigned long)$arg%d" % i).GetValueAsUnsigned() for i in (1, 2)]


def uncaught_here(target, frame):
    """The object and the type_info of the exception that was handled last."""
    process, error = target.GetProcess(), lldb.SBError()
    at = calls(frame, "(unsigned long)((void *(*)())__cxa_get_globals)()").GetValueAsUnsigned()
    header = process.ReadPointerFromMemory(at, error) if at else 0
    if not header or error.Fail():
        return None
    pair = runtime.thrown(header, lambda at: process.ReadPointerFromMemory(at, error) if error.Success() else 0)
    return pair if error.Success() else None


def abort_message(target):
    """What the C library said before it aborted, such as an assertion."""
    error = lldb.SBError()
    for context in target.FindSymbols("__abort_msg"):
        at = context.GetSymbol().GetStartAddress().GetLoadAddress(target)
        message = target.GetProcess().ReadPointerFromMemory(at, error)
        if error.Success() and message:
            return (text_at(target.GetProcess(), message + 4) or "").strip()
    return ""


def exception(target, thread):
    """The exception that is thrown here or that nobody caught, with its type
    and what(); or the message of an abort."""
    thread = thread_of(target.GetProcess(), thread)
    frame = thread.GetFrameAtIndex(0)
    names = [thread.GetFrameAtIndex(i).GetSymbol().GetName() or "" for i in range(min(thread.GetNumFrames(), 16))]
    uncaught = any(n.startswith(("std::terminate", "_ZSt9terminate")) for n in names)
    if names[0].startswith("__cxa_throw"):
        thrown = thrown_here(target, frame)
    elif uncaught or names[0].startswith("__cxa_rethrow"):
        thrown = uncaught_here(target, frame)
    else:
        return {"type": "", "what": abort_message(target), "uncaught": False}
    if not thrown or not thrown[1]:
        return {"type": "", "what": "std::terminate was called without an exception", "uncaught": uncaught}
    said = calls(frame, WHAT.replace("@", hex(thrown[0])).replace("#", hex(thrown[1])))
    what = text_at(target.GetProcess(), said.GetValueAsUnsigned()) if said.GetError().Success() and said.GetValueAsUnsigned() else ""
    return {"type": type_name(target, frame, thrown[1]), "what": what or "", "uncaught": uncaught, "thrown": throws.first(names, thrown[0])}


def test_failure(target, thread):
    """Whether a thread stands where a test framework broke at an assertion that failed, and
    what that found, which is a variable beside the assertion."""
    thread = thread_of(target.GetProcess(), thread)
    other = other_failure(thread)
    if other is not None:
        return {"failed": True, "message": other}
    for i in range(min(thread.GetNumFrames(), 12)):
        name = thread.GetFrameAtIndex(i).GetFunctionName() or ""
        if not name.startswith("testing::internal::AssertHelper::operator="):
            continue
        frame = thread.GetFrameAtIndex(i + 1)
        for name in ("gtest_ar", "gtest_ar_"):
            for block in (v for v in frame.GetVariables(False, True, False, True) if v.GetName() == name):
                message = block.GetNonSyntheticValue().GetChildMemberWithName("message_")
                text = string_of(message) if message.IsValid() else ""
                if text:
                    return {"failed": True, "message": text}
        return {"failed": True, "message": ""}
    return {"failed": False, "message": ""}


def other_failure(thread):
    """What an assertion of Catch2 or doctest says that broke here; None where none did."""
    top = [thread.GetFrameAtIndex(i).GetFunctionName() or "" for i in range(min(thread.GetNumFrames(), 4))]
    broke = testing.broke(top)
    frame = thread.GetFrameAtIndex(broke)
    for name in testing.VARIABLES:
        beside = frame.FindVariable(name)
        message = testing.told(Value(beside)) if beside.IsValid() else ""
        if message:
            return message
    return "" if broke else None  # the framework is built without debug information


def string_of(owner):
    """The text of the std::string that a smart pointer owns, read from its memory."""
    process, error = owner.GetProcess(), lldb.SBError()
    at = process.ReadPointerFromMemory(owner.GetLoadAddress(), error)
    if error.Fail() or not at:
        return ""
    start, length = process.ReadPointerFromMemory(at, error), process.ReadUnsignedFromMemory(at + 8, 8, error)
    data = process.ReadMemory(start, min(length, 4000), error) if error.Success() and 0 < length < 1 << 24 else b""
    return data.decode("utf-8", "replace").strip() if data and error.Success() else ""


def sanitizer(target, thread):
    """What a sanitizer of the program reports at this stop; type is empty when none does."""
    thread = thread_of(target.GetProcess(), thread)
    if thread.GetStopReason() != lldb.eStopReasonInstrumentation:
        return {"type": "", "what": ""}
    stream = lldb.SBStream()
    thread.GetStopReasonExtendedInfoAsJSON(stream)
    report = json.loads(stream.GetData() or "{}")
    what = report.get("description") or thread.GetStopDescription(200) or "an error"
    if report.get("access_size"):
        kind = "write" if report.get("access_type") else "read"
        what += ", a %s of %d bytes at %#x" % (kind, report["access_size"], report.get("address", 0))
    return {"type": report.get("instrumentation_class") or "sanitizer", "what": what}


ENDS = re.compile(r"read packet: \$([WX])([0-9a-fA-F]{2})")


def ended(target):
    """The signal that has ended the program, empty where none did: LLDB tells its
    number as an exit code, and only the words of its server tell them apart."""
    said = lldb.SBCommandReturnObject()
    target.GetDebugger().GetCommandInterpreter().HandleCommand("process plugin packet history", said)
    ends = ENDS.findall((said.GetOutput() or "") + (said.GetError() or ""))
    return signal.Signals(int(ends[-1][1], 16)).name if ends and ends[-1][0] == "X" else ""


def resolve(target, frame, digits):
    """See cpp_expression."""
    return cpp_expression.resolve(target, frame, digits)


KNOWN = {f.__name__: f for f in (
    arguments, unset, declared, declared_parts, registers, lineless, condition, jump, memory, lines, address, page, watch, scope, assign, returned, exception,
    test_failure, sanitizer, ended, forks, resolve, stops, here, waits, blocked, release, breakpoints, functions, added,
)}


def aidb(debugger, command, context, result, _):
    words = shlex.split(command)
    try:
        if words[0] in ("page", "declared_parts"):  # in the frame that the request names
            words[1:1] = [context.GetFrame()]
        answer = {"answer": KNOWN[words[0]](debugger.GetSelectedTarget(), *words[1:])}
    except Exception as wrong:  # everything is an answer to whoever asked
        answer = {"error": str(wrong)}
    result.AppendMessage(json.dumps(answer))


def begin(debugger):
    debugger.HandleCommand("command script add -o -f %s.aidb aidb" % __name__)
