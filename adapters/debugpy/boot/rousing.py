# Has the event loops that wait for events come round once, where a pause is asked for: in one that
# waits there runs nothing of Python that could be stopped. Each is given one call, as any thread may
# give it one; in it the thread stops, where its loop was, if the pause is still to come. It is
# evaluated in the program: see rousing.go.
import sys
import threading

import pydevd
from _pydevd_bundle import pydevd_constants as constants


def stand():
    """Stops the thread whose loop has come round."""
    thread, db = threading.current_thread(), pydevd.get_global_debugger()
    info = getattr(thread, "additional_info", None)
    if db is not None and info is not None and info.pydev_state == constants.STATE_SUSPEND:
        # What runs here is no code to stop in, as where the interpreter itself calls the debugger.
        monitored = constants.PYDEVD_USE_SYS_MONITORING
        info.is_tracing += 1
        if monitored:
            db.disable_tracing()
        try:
            db.do_wait_suspend(thread, sys._getframe().f_back, "line", None)
        finally:
            info.is_tracing -= 1
            if monitored:
                db.enable_tracing()


def entry(frame):
    """What gives a call to the event loop that a thread runs; nothing where it runs none."""
    asyncio = sys.modules.get("asyncio")
    while frame is not None:
        names = frame.f_locals
        self, module = names.get("self"), frame.f_globals.get("__name__", "")
        if asyncio is not None and module in ("asyncio.base_events", "asyncio.runners"):  # of one in C there are the runner's frames
            for loop in (self, getattr(self, "_loop", None), names.get("loop")):
                if isinstance(loop, asyncio.AbstractEventLoop) and loop.is_running():
                    return loop.call_soon_threadsafe
        if module == "trio._core._run" and hasattr(names.get("runner"), "entry_queue"):
            return names["runner"].entry_queue.run_sync_soon
        if module == "twisted.internet.base" and frame.f_code.co_name == "mainLoop":
            return self.callFromThread
        frame = frame.f_back
    return None


def rouse():
    """How many loops come round."""
    stacks = sys._current_frames()
    entries = [entry(stacks.get(t.ident)) for t in threading.enumerate() if not getattr(t, "is_pydev_daemon_thread", False)]
    for give in entries:
        if give is not None:
            give(stand)
    return sum(give is not None for give in entries)
