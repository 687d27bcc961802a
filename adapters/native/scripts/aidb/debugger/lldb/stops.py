"""What each thread of a program has stopped for, under LLDB: its adapters tell of one
thread, and where several have come to breakpoints at the same moment all of them are let
go together."""

import signal

import lldb

REASONS = {
    lldb.eStopReasonBreakpoint: "breakpoint",
    lldb.eStopReasonWatchpoint: "breakpoint",  # lldb-dap's word: the description tells
    lldb.eStopReasonSignal: "exception",
    lldb.eStopReasonException: "exception",
    lldb.eStopReasonInstrumentation: "breakpoint",  # this too
    lldb.eStopReasonPlanComplete: "step",
}


class Told:
    """What was answered last: of which stop, who stood at which place, and how often each had been hit."""

    def __init__(self):
        self.process, self.stop, self.standing, self.hits = None, None, {}, {}


told = Told()


def stops(target):
    """All threads that have stopped for a reason of their own, each as an event of DAP would have it. Asked again
    at the same stop, or when the program has gone on, it says that there is nothing new."""
    process = target.GetProcess()
    if process.GetUniqueID() != told.process:
        told.__init__()
        told.process = process.GetUniqueID()
    # The state of the process still says "stopped" when it has just been let go; what its threads say does not.
    stands = all(t.GetStopReason() != lldb.eStopReasonInvalid for t in process)
    stop = process.GetStopID()
    if not stands or process.GetState() != lldb.eStateStopped or stop == told.stop:
        return {"new": False, "threads": [], "nothing": []}
    told.stop = stop
    threads = [t for t in process if t.GetStopReason() in REASONS]
    early = {t.GetThreadID(): at for t in threads if (at := met_early(target, t))}
    nothing = [t.GetThreadID() for t in threads if t.GetThreadID() not in early and of_a_step(t)]
    threads = [t for t in threads if t.GetThreadID() not in nothing]
    places = {t.GetThreadID(): place(t) for t in threads if t.GetStopReason() == lldb.eStopReasonBreakpoint}
    left = left_over(target, places)
    told.standing = places
    events = [event(t, early.get(t.GetThreadID())) for t in threads if t.GetThreadID() not in left]
    return {"new": True, "threads": events, "nothing": nothing}


def place(thread):
    """The locations of breakpoints at which a thread has stopped, as pairs of numbers. LLDB's own breakpoints, at
    which it waits for the end of a step, have negative numbers, which come without their sign: they are left out."""
    data = [thread.GetStopReasonDataAtIndex(i) for i in range(thread.GetStopReasonDataCount())]
    return [at for at in zip(data[::2], data[1::2]) if 0 < at[0] < 1 << 31]


def here(target, thread):
    """The numbers of all breakpoints at the place at which a thread has stopped, whatever their conditions are:
    CodeLLDB tells of one of them."""
    found = target.GetProcess().GetThreadByID(int(thread))
    if found.GetStopReason() != lldb.eStopReasonBreakpoint:
        return []
    return list(dict.fromkeys(number for number, _ in place(found)))


def left_over(target, places):
    """Threads that stand where they stood at the stop before: they have not run since, and LLDB says once more what
    they had stopped for. There are as many of them as there are more threads at a location than it has new hits."""
    left = set()
    for at in {p for all_at in places.values() for p in all_at}:
        breakpoint = target.FindBreakpointByID(at[0])
        if not breakpoint.IsValid():
            continue
        location = breakpoint.FindLocationByID(at[1])
        if breakpoint.GetCondition() or location.GetCondition():
            continue  # LLDB takes a hit back whose condition does not hold
        hits, before = location.GetHitCount(), told.hits.get(at, 0)
        told.hits[at] = hits
        here = [t for t, all_at in places.items() if at in all_at]
        again = [t for t in here if at in told.standing.get(t, ())]
        if hits >= before:
            left.update(again[: max(len(here) - (hits - before), 0)])
    return left


def is_trap(thread):
    return thread.GetStopReason() == lldb.eStopReasonSignal and thread.GetStopReasonDataAtIndex(0) == signal.SIGTRAP


def met_early(target, thread):
    """The breakpoints at which a thread stands without LLDB's knowledge: one that is set while the program runs is in
    its memory a moment before it is on LLDB's list, and whoever comes to it then has met a SIGTRAP."""
    if not is_trap(thread):
        return []
    pc = thread.GetFrameAtIndex(0).GetPC()
    points = [b for b in target.breakpoint_iter() if b.IsEnabled() and not b.IsHardware()]
    return [b.GetID() for b in points if any(at.IsEnabled() and at.GetLoadAddress() == pc for at in b)]


TRAPS = (b"\xcc", b"\x0f\x05", b"\xcd\x80")  # int3, and the calls of the system by which a signal is raised


def of_a_step(thread):
    """Says that a thread has met the place at which LLDB waited for the step of another, and had taken it away by the
    time it looked: what is left is a SIGTRAP out of nowhere."""
    process, error = thread.GetProcess(), lldb.SBError()
    if not is_trap(thread) or process.GetNumThreads() == 1:
        return False
    if not process.GetTarget().GetTriple().startswith(("x86_64", "i386", "i686")):
        return False
    before = process.ReadMemory(thread.GetFrameAtIndex(0).GetPC() - 2, 2, error)
    return error.Success() and not before.endswith(TRAPS)


def event(thread, early):
    reason = lldb.eStopReasonBreakpoint if early else thread.GetStopReason()
    hit = early or ([number for number, _ in place(thread)] if reason == lldb.eStopReasonBreakpoint else [])
    return {
        "threadId": thread.GetThreadID(),
        "reason": REASONS[reason],
        "description": "" if early else thread.GetStopDescription(200) or "",
        "hitBreakpointIds": list(dict.fromkeys(hit)),
        "preserveFocusHint": True,
    }
