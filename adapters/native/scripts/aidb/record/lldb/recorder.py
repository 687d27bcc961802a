"""The recorder in LLDB: its breakpoints call us and answer that nothing stops. The
program has its own streams and environment (command.json), and LLDB ends as it did."""

import functools
import json
import os
import signal

import lldb

from aidb.debugger.lldb import forks, functions
from aidb.debugger.lldb.command import ended
from aidb.debugger.lldb.ways import leads, others
from aidb.names import THUNK, plain
from aidb.record import source
from aidb.record.common import FATAL, FOREIGN, end, foreign, joined, jumps, jumps_to, kills, returns, rounds, settled, told, wanted
from aidb.record.lldb.copies import Copies
from aidb.record.lldb.frames import RUST, Frame, Hit, body_of, expressions, loaded, row, state, stored
from aidb.record.lldb.places import began, place
from aidb.record.lldb.rows import rows
from aidb.record.lldb.symbols import Symbols, visible
from aidb.record.notes import OWNER, Notes, Refused, Said
from aidb.record.recorder import Recorder

if RUST:
    from aidb.record.lldb.rust import places
else:
    from aidb.record.lldb.cpp import places

X86 = os.uname().machine == "x86_64"
calls = {}  # ids of breakpoints, and of watchpoints below zero: what they call
at = {}  # address: the breakpoints there


class Function:
    """A function of the program."""

    def __init__(self, symbol, name):
        self.symbol, self.name, self.read = symbol, name, None
        self.start = loaded(symbol.GetStartAddress())
        self.file, self.line = began(symbol.GetStartAddress())
        self.library = foreign(self.file, self.line)

    @property
    def function(self):
        return self.symbol.GetStartAddress().GetFunction()

    @property
    def kind(self):
        return self.function.GetType().GetFunctionReturnType() if self.function.IsValid() else None

    @property
    def body(self):
        return body_of(self.start, self.function)

    def bytes_of(self):
        """Its instructions as bytes, each with its place: LLDB takes a quarter of a millisecond to put one into words."""
        if self.read is None:
            target, error = state["target"], lldb.SBError()
            size = self.symbol.GetEndAddress().GetLoadAddress(target) - self.start
            data, at, self.read = (target.GetProcess().ReadMemory(self.start, size, error) if size > 0 else b"") or b"", 0, []
            for i in self.symbol.GetInstructions(target):
                n = i.GetByteSize()
                self.read.append((self.start + at, data[at : at + n]))
                at += n
        return self.read

    def rets(self):
        if X86:
            return [at for at, data in self.bytes_of() if data and returns(data)]
        target = state["target"]
        return [loaded(i.GetAddress()) for i in self.symbol.GetInstructions(target) if (i.GetMnemonic(target) or "").startswith("ret")]

    def jumps(self):
        """Its jumps to a place that is written in them: where they stand, and where they lead."""
        if X86:
            found = ((at, jumps_to(at, data)) for at, data in self.bytes_of() if data)
            return [(at, to) for at, to in found if to is not None]
        return list(jumps(self.code()))

    def code(self):
        """Its instructions, each with its place."""
        target = state["target"]
        return [(loaded(i.GetAddress()), "%s %s" % (i.GetMnemonic(target), i.GetOperands(target))) for i in self.symbol.GetInstructions(target)]

    @functools.cached_property
    def visible(self):
        """The names of all variables that it has in any of its lines, with the lines of their declarations."""
        return visible(state["target"], [self.start] + [at for _, at in self.lines()])

    def lines(self):
        low, high = self.start, loaded(self.symbol.GetEndAddress())
        found = [(row.GetLine(), loaded(row.GetStartAddress())) for row in rows(state["target"], low, high)]
        return [(line, at) for line, at in found if line and at > low]


class Debugger(Symbols):
    UNWRITTEN = "nothing of this owner"
    all, PANICS, words, Wrong = None, RUST, staticmethod(expressions.words), expressions.Wrong

    @property
    def target(self):
        return state["target"]

    def token(self):
        return expressions.TOKEN

    def function_around(self, frame):
        """The function that a frame is in, where its jumps can be read."""
        symbol = frame.f.GetSymbol()
        return Function(symbol, "") if X86 and symbol.IsValid() else None

    def made(self, b, call):
        calls[b.GetID()] = call
        for location in b:
            at.setdefault(location.GetLoadAddress(), []).append(b)
        b.SetScriptCallbackFunction(__name__ + ".called")
        return b

    def break_line(self, file, line, call):
        b = state["target"].BreakpointCreateByLocation(lldb.SBFileSpec(file, False), line)
        if not b.GetNumLocations():
            return None
        starts = {at: settled(self, stored(at)) for at in places(b)}
        line_of = min(loc.GetAddress().GetLineEntry().GetLine() for loc in b)
        for way in others(state["target"], [loc.GetAddress() for loc in b]):
            self.break_address(loaded(way), call)
        if set(starts.values()) == {loc.GetLoadAddress() for loc in b}:
            self.made(b, call)
        else:
            state["target"].BreakpointDelete(b.GetID())
            for start in set(starts.values()):
                self.break_address(start, call)
        return line_of

    @staticmethod
    @functools.cache
    def leads(one, other):
        """Says that one place comes before another in a pass of their function's code."""
        target = state["target"]
        return leads(target, target.ResolveLoadAddress(one), target.ResolveLoadAddress(other))

    def begun(self, file, line):
        """The functions that have code of a line, and where that begins."""
        b = state["target"].BreakpointCreateByLocation(lldb.SBFileSpec(file, False), line)
        places = [location.GetAddress() for location in b]
        state["target"].BreakpointDelete(b.GetID())
        return [(Function(at.GetSymbol(), ""), loaded(at)) for at in places if at.GetSymbol().IsValid() and X86]

    def rounds(self, file, line):
        """The loops that lie within a line whole."""
        target, found = state["target"], []
        b = target.BreakpointCreateByLocation(lldb.SBFileSpec(file, False), line)
        places = [location.GetAddress() for location in b] if not RUST else []
        body = source.loop_body(file, line)
        target.BreakpointDelete(b.GetID())
        for at in places:
            function = at.GetFunction()
            if not function.IsValid():
                continue
            own = list(rows(target, loaded(function.GetStartAddress()), loaded(function.GetEndAddress())))
            ranges = [(loaded(r.GetStartAddress()), loaded(r.GetEndAddress())) for r in own if r.GetLine() == line and place(r)[0] == file]
            code = [(loaded(i.GetAddress()), "%s %s" % (i.GetMnemonic(target), i.GetOperands(target))) for i in function.GetInstructions(target)]
            known = [r for r in rounds(ranges, code) if r[0] != loaded(at)]
            inner = [loaded(r.GetStartAddress()) for r in own if r.GetLine() == line and place(r)[0] == file and r.GetColumn() >= body]
            known = [(min((i for i in inner if head <= i < after and body), default=head), after) for head, after in known]
            found += [r for r in known if r not in found]
        return found

    row = staticmethod(row)

    @staticmethod
    def instructions(start, end):
        target = state["target"]
        data = target.ReadInstructions(lldb.SBAddress(start, target), (end - start) or 1)
        return ["%s %s" % (i.GetMnemonic(target), i.GetOperands(target)) for i in data if loaded(i.GetAddress()) < end]

    def break_panic(self, call):
        self.made(state["target"].BreakpointCreateByName("rust_panic"), call)

    def break_residual(self, call):
        self.residual = self.made(state["target"].BreakpointCreateByRegex("^from_residual<"), call)

    def leave_residual(self, pc):
        self.residual.FindLocationByAddress(pc).SetEnabled(False)

    def panic_words(self, frame):
        return expressions.panic_words(state["target"].GetProcess(), frame.given(0), frame.given(1))

    def break_main(self, call):
        self.made(state["target"].BreakpointCreateByName("main"), call)

    def break_address(self, address, call, enabled=True):
        b = self.made(state["target"].BreakpointCreateByAddress(address), call)
        if not enabled:
            b.SetEnabled(False)
        return b

    def enable(self, point, on):
        point.SetEnabled(on)

    def functions(self):
        if self.all is None:
            self.all = []
            for symbol in state["target"].GetModuleAtIndex(0):
                if symbol.GetType() != lldb.eSymbolTypeCode or THUNK in (symbol.GetName() or ""):
                    continue
                name = joined(plain(symbol.GetName() or ""))
                if name and not name.startswith(FOREIGN):
                    self.all.append(Function(symbol, name))
            self.all = list(filter(wanted, self.all))
        return self.all

    def copied(self, name):
        """The functions into which the compiler has put the code of another: nothing calls it there."""
        return sorted({joined(plain(p.symbol.GetName() or "")) for p in functions.copies(self.target, name) if p.users()} - {""})

    def start_of(self, function):
        return next((f.start for f in self.functions() if f.name == function), None)

    @staticmethod
    def clock():
        """None: a place is watched from its first write to its last."""

    def watch(self, p, call, _reads):
        return Watches([self.watched(at, size, call) for at, size in p.watched])

    @staticmethod
    def watched(at, size, call):
        error = lldb.SBError()
        try:
            options = lldb.SBWatchpointOptions()
            options.SetWatchpointTypeWrite(lldb.eWatchpointWriteTypeAlways)
            w = state["target"].WatchpointCreateByAddress(at, size, options, error)
        except AttributeError:  # before LLVM 17
            w = state["target"].WatchAddress(at, size, False, True, error)
        if not w.IsValid() or error.Fail():
            raise Refused("it cannot be watched: %s" % (error.GetCString() or "the processor has no register for it"), "expression")
        calls[-w.GetID()] = call
        state["debugger"].HandleCommand("watchpoint command add -F %s.watched %d" % (__name__, w.GetID()))
        return w

    def words_of(self, p):
        target = state["target"]
        of = self.type_in(p.function, p.type)
        if not of.IsValid() or not of.GetByteSize():
            return bare(p, self.memory(p.address, p.size))
        try:
            return expressions.words(target.CreateValueFromAddress("it", lldb.SBAddress(p.address, target), of))
        except expressions.Wrong as wrong:
            return "<%s>" % wrong


class Watches(list):
    """The watchpoints of a place."""

    def SetEnabled(self, on):
        for w in self:
            w.SetEnabled(on)


def bare(p, data):
    """The bytes of a place whose type LLDB does not know, or takes for empty; those of a pointer say what it is."""
    said = Said("0x" + data[::-1].hex())
    if OWNER.match(p.type) and any(data):
        said.refers = "%x" % int.from_bytes(data, "little")
    return said


seen = {}  # address of a breakpoint: what is known of the place


def called(frame, location, _internal):
    pc, copies = frame.GetPC(), state["copies"]
    last = copies.last(frame, at.get(pc, ()))  # asked before the call, which may enable others
    run(calls.get(location.GetBreakpoint().GetID()), Hit(frame, seen.setdefault(pc, {})))
    if last:
        copies.pass_by(frame, pc)
    return state.get("leaves", False)  # where the program is to be let go it stands then


def watched(frame, point, _internal):
    run(calls.get(-point.GetID()), Frame(frame))
    for b in at.get(frame.GetPC(), ()):  # LLDB goes over the breakpoint at which a write has stopped
        if b.IsEnabled():
            run(calls[b.GetID()], Frame(frame))
    return state.get("leaves", False)


def run(call, frame):
    state["thread"] = frame.key()
    try:
        if call is not None:
            call(frame)
    except Exception as wrong:
        state["notes"].failed(wrong)


def launch(debugger, target, command):
    info = lldb.SBLaunchInfo(command["args"])
    info.SetWorkingDirectory(command["dir"])
    info.SetLaunchFlags(lldb.eLaunchFlagDisableASLR)
    info.SetEnvironmentEntries(command["env"], False)
    for number, (ours, reads) in enumerate(((3, True), (4, False), (5, False))):
        info.AddOpenFileAction(number, "/proc/%d/fd/%d" % (os.getpid(), ours), reads, not reads)
    module, error = target.GetModuleAtIndex(0), lldb.SBError()
    entry = target.BreakpointCreateBySBAddress(module.GetObjectFileEntryPointAddress())
    process = target.Launch(info, error)
    if error.Fail():
        raise RuntimeError(error.GetCString())
    target.BreakpointDelete(entry.GetID())
    hand_signals(process, FATAL)
    return process


def hand_signals(process, stopping):
    """Has the program get its signals as without us; it stops at some."""
    for s in range(1, process.GetUnixSignals().GetNumSignals() + 40):
        name = process.GetUnixSignals().GetSignalAsCString(s)
        if name and name not in ("SIGTRAP", "SIGSTOP", "SIGINT", "SIGKILL"):
            process.GetUnixSignals().SetShouldStop(s, name in stopping)
            process.GetUnixSignals().SetShouldNotify(s, False)
            process.GetUnixSignals().SetShouldSuppress(s, False)


def signalled(process, recorder):
    """A signal that kills the program: where it stood."""
    for thread in process:
        if thread.GetStopReason() != lldb.eStopReasonSignal:
            continue
        number = thread.GetStopReasonDataAtIndex(0)
        name = process.GetUnixSignals().GetSignalAsCString(number)
        if name in FATAL and kills(process.GetProcessID(), number):
            run(lambda frame, name=name: recorder.fate.died(frame, name), Frame(thread.GetFrameAtIndex(0)))


def record(debugger, notes, wish, command):
    debugger.SetAsync(False)
    for setting in (
        "target.preload-symbols false", "symbols.enable-external-lookup false", "target.load-script-from-symbol-file false", "target.inherit-env false",
    ):
        debugger.HandleCommand("settings set " + setting)
    forks.watch(debugger)
    error = lldb.SBError()
    target = debugger.CreateTarget(command["program"], None, None, False, error)
    if not target.IsValid():
        raise RuntimeError(error.GetCString())
    debugger.SetSelectedTarget(target)
    state.update(debugger=debugger, target=target, notes=notes)
    process = launch(debugger, target, command)
    state["copies"] = copies = Copies(target, process)
    if (wish.get("writes") or {}).get("watch"):
        copies.forget()  # a write is found by the instruction after which it is seen
    recorder = Recorder(Debugger(), notes, wish)
    if process.GetState() == lldb.eStateStopped and not recorder.possible():
        process.Kill()
        os._exit(0)
    while process.GetState() == lldb.eStateStopped and process.Continue().Success():
        signalled(process, recorder)
        if any(t.GetStopReason() == lldb.eStopReasonExec for t in process):
            copies.forget()
            seen.clear()
    recorder.ended()
    notes.forked(forks.made)
    name = ended(target)
    end(process.GetExitStatus() & 0xFF, int(getattr(signal, name)) if name else 0)


def begin(debugger):
    records = os.environ["AIDB_RECORD"]
    with open(os.path.join(records, "wish.json"), encoding="utf-8") as f:
        wish = json.load(f)
    with open(os.path.join(records, "command.json"), encoding="utf-8") as f:
        command = json.load(f)
    notes = Notes(records, wish["text"])
    try:
        record(debugger, notes, wish, command)
    except Exception as wrong:
        notes.write({"k": "refused", "m": "LLDB cannot run the program: %s" % told(wrong), "a": ["target"]})
        os._exit(1)
