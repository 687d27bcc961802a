# Serves traces: one thread each, from arming to the end. What records is there once for all.
import _thread
import sys
import time

from .counting import Refused, Trace
from .finding import Variable

if hasattr(sys, "monitoring"):
    from .monitored import Monitor as Way
else:
    from .rewritten import Rewriter as Way

me = None  # this module, from whoever has loaded it
lock = _thread.allocate_lock()  # held while something is armed or taken out
way, traces = Way(), []


def serve(asked):
    trace = None
    with lock:
        hub = vars(sys).setdefault(asked["package"], me)  # it may have gone with the last trace since it was found
        if hub is me:
            traces.append(asked["token"])
    if hub is not me:  # two would each take what the other has put into the program for the program's own
        return hub.serve(asked)
    try:
        try:
            trace = Trace(asked)
            trace.guard = lock
            trace.connect()
            with lock:
                if asked["written"]:
                    asked["variable"] = Variable(asked["written"])
                places, notes = way.arm(trace, asked)
        except Refused as e:
            return refuse(trace, asked, str(e))
        trace.say({"places": places, "notes": notes, "version": list(sys.version_info[:3]), "monitoring": hasattr(sys, "monitoring"), "cost": costs(trace)})
        trace.follow()
    finally:
        with lock:
            if trace is not None:
                trace.off = True
                way.disarm(trace)
            traces.remove(asked["token"])
            if not traces:
                vars(sys).pop(asked["package"], None)
        if trace is not None and trace.sock is not None:
            trace.finish()


def refuse(trace, asked, why):
    """Says that nothing was armed, and why not."""
    if trace is None or trace.sock is None:
        trace = Trace(dict(asked, expressions=(), condition=""))
        trace.connect()
    trace.say({"error": why, "refused": True})
    trace.sock.close()


def costs(trace):
    """What a hit costs, tried: nanoseconds."""
    tried = Trace(dict(trace.asked, expressions=["1", "'text'"], condition=""))
    frame, best = sys._getframe(), None
    for _ in range(5):
        began = time.perf_counter_ns()
        for _ in range(50):
            tried.hit(0, frame)
        took = (time.perf_counter_ns() - began) // 50
        best = took if best is None else min(best, took)
    return best
