"""How LLDB lets go of a program that runs on: what is ours is taken out of it while it stands still."""

import time

import lldb

PATIENCE = 1.5  # seconds, for the program to stand still
QUIET = 0.1  # after which a stop that was there before us is one that lasts
AGAIN = 0.1  # after which a program that runs is interrupted anew
PAUSE = 0.002

GONE = (lldb.eStateInvalid, lldb.eStateUnloaded, lldb.eStateExited, lldb.eStateDetached, lldb.eStateCrashed)


def release(target):
    """LLDB itself leaves watchpoints in the processor, where they end the program, and its own way to stop a program
    loses the race with a breakpoint whose condition is just being judged: it then waits for ever, or lets go of threads
    that run. So nothing is there to be met any more when the program is stopped."""
    process = target.GetProcess()
    if process.GetState() in GONE:
        return False
    stops = lldb.SBListener("aidb.release")
    stops.StartListeningForEvents(process.GetBroadcaster(), lldb.SBProcess.eBroadcastBitStateChanged)
    disarm(target)
    halt(process, stops)
    disarm(target)  # what could not be taken out while it ran
    error = process.Detach()
    if error.Fail():
        raise RuntimeError(error.GetCString())
    return True


def disarm(target):
    for watchpoint in list(target.watchpoint_iter()):
        target.DeleteWatchpoint(watchpoint.GetID())
    target.DeleteAllBreakpoints()


def halt(process, stops):
    """Has all threads stand still. The state says "stopped" while the adapter's own thread still judges whether the
    program is to go on by itself. We hear of a stop when that is done."""
    end, asked, seen, since = time.monotonic() + PATIENCE, 0.0, None, 0.0
    while (now := time.monotonic()) < end and process.GetState() not in GONE:
        stop = process.GetStopID() if process.GetState() == lldb.eStateStopped else None
        if stop is None or stop != seen:
            seen, since = stop, now
        if stop is None and now - asked > AGAIN:
            process.SendAsyncInterrupt()
            asked = now
        elif stop is not None and (lasts(stops) or now - since > QUIET):
            return
        time.sleep(PAUSE)


def lasts(stops):
    """Says that the last stop that was told is one after which the program does not go on by itself."""
    event, last = lldb.SBEvent(), False
    while stops.GetNextEvent(event):
        last = lldb.SBProcess.GetStateFromEvent(event) == lldb.eStateStopped and not lldb.SBProcess.GetRestartedFromEvent(event)
    return last
