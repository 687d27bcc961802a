"""Records in a program that runs on, by LLDB's breakpoints that never stop it for long. LLDB waits in this thread for the
program, and calls us here at each hit; who lets it go interrupts the wait. See aidb.record.live."""

import contextlib
import os
import threading
import time

import lldb

from aidb.debugger.lldb import relay, release
from aidb.record import live
from aidb.record.lldb import recorder as of_runs
from aidb.record.notes import Refused

AGAIN = 0.05  # seconds after which a program that runs is interrupted anew: it may just have been let go on from a hit
SETTINGS = (
    "target.preload-symbols false", "symbols.enable-external-lookup false", "target.load-script-from-symbol-file false",
    "plugin.jit-loader.gdb.enable off",  # reading the symbols of libraries would take long, and the program stands meanwhile
)  # fmt: skip
OWN = (lldb.eValueTypeVariableLocal, lldb.eValueTypeVariableArgument)
GONE = (lldb.eStateExited, lldb.eStateDetached, lldb.eStateCrashed, lldb.eStateInvalid)


class InPlace:
    """No copies of instructions: they would need memory of the program's."""

    @staticmethod
    def last(_frame, _points):
        return False


class Live(live.Live):
    def standing(self, text, root):
        frame = described(self.debugger.target.GetProcess())
        if root and frame.FindVariable(root, lldb.eNoDynamicValues).GetValueType() in OWN:
            raise live.local(root)
        try:
            _, at = of_runs.Frame(frame).evaluate(text, True)
        except of_runs.Frame.Wrong as wrong:
            raise Refused("%s cannot be read: %s" % (text, wrong), "expression") from wrong
        if at is None or isinstance(at, str) or at[1] not in (1, 2, 4, 8):
            raise live.unfit(text)
        place = live.Watched(*at)
        return place, lambda: self.debugger.words_of(place)


def described(process):
    """The newest frame of code with debug information; where there is none, of any."""
    for thread in process:
        for frame in thread:
            if frame.GetCompileUnit().IsValid():
                return frame
    return process.GetThreadAtIndex(0).GetFrameAtIndex(0)


class Session(live.Session):
    def __init__(self, order):
        super().__init__(order, lambda: of_runs.state["thread"])
        self.process, self.done = None, threading.Event()
        self.notes.gone = lambda: threading.Thread(target=self.interrupt, daemon=True).start()

    def enter(self):
        self.greet()
        relay.begin()
        debugger = lldb.debugger
        debugger.SetAsync(False)
        for s in SETTINGS:
            debugger.HandleCommand("settings set " + s)
        target, recorder = self.read(debugger)
        if self.order["functions"]:
            recorder.functions()  # what LLDB reads for it, it reads only once
            recorder.all = None  # places are others as soon as the program is there
        began, error = time.monotonic(), lldb.SBError()
        self.process = target.AttachToProcessWithID(lldb.SBListener(), self.order["pid"], error)
        if error.Fail():
            raise RuntimeError(error.GetCString())
        of_runs.hand_signals(self.process, ())
        Live(recorder, self.notes, self.order).prepare()
        places = sum(b.GetNumLocations() for b in target.breakpoint_iter()) + target.GetNumWatchpoints()
        self.notes.began = time.monotonic()
        self.begun(places, time.monotonic() - began)
        self.wait()

    def read(self, debugger):
        """Reads the program before it stands."""
        link, error = "/proc/%d/exe" % self.order["pid"], lldb.SBError()
        path = os.readlink(link)
        with contextlib.suppress(OSError):
            path = path if os.path.samefile(path, link) else link
        target = debugger.CreateTarget(path if os.path.exists(path) else link, None, None, False, error)
        if not target.IsValid():
            raise RuntimeError(error.GetCString())
        debugger.SetSelectedTarget(target)
        of_runs.state.update(debugger=debugger, target=target, notes=self.notes, copies=InPlace)
        return target, of_runs.Debugger()

    def wait(self):
        """Lets the program go on until it ends or is to be let go."""
        while not of_runs.state.get("leaves") and self.process.Continue().Success() and self.process.GetState() not in GONE:
            if any(t.GetStopReason() == lldb.eStopReasonExec for t in self.process):
                self.notes.out = "the program has replaced itself by another (exec), and was left"
                break
        self.done.set()
        end = self.process.GetState() not in GONE
        if end:
            self.detach()
        self.close(end)

    def interrupt(self):
        """Has the wait end: at the next hit, or at once."""
        of_runs.state["leaves"] = True
        while not self.done.wait(AGAIN):
            self.process.SendAsyncInterrupt()

    def detach(self):
        if self.process is not None and self.process.IsValid():
            release.disarm(of_runs.state["target"])
            self.process.Detach()


def begin():
    live.begin(Session)
