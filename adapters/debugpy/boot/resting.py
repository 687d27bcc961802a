# Has a program that nobody watches run at its own speed. Up to Python 3.11 the debugger
# traces every call of every thread from the beginning, whether there is something to
# stop for or not. Here a thread rests, untraced, until that is so: a breakpoint, a step,
# a pause, an exception that is to stop where it is raised. What nobody catches is looked
# at when it has come to its end, with the frames that its traceback holds. It is executed
# in each process of the program, before any code of the program's: see adapter.py.
import os
import sys
import threading

import pydevd
import pydevd_tracing
from _pydev_bundle import pydev_monkey
from _pydevd_bundle import pydevd_constants as constants, pydevd_frame, pydevd_trace_dispatch, pydevd_trace_dispatch_regular as dispatch, pydevd_utils

ATTEMPTS = 100  # to have a thread traced, or no more
FREE = (constants.STATE_RUN, -1)  # of a thread that neither steps nor is to stop


def possible():
    """Whether threads can be woken: what does that is not there for every machine."""
    return (
        sys.version_info < (3, 12)
        and not pydevd_trace_dispatch.USING_CYTHON
        and pydevd.frame_eval_func is None
        and pydevd.pydevd_gevent_integration is None
        and pydevd_tracing._load_python_helper_lib() is not None
    )


NOTHING = frozenset()
covered = {}  # by the debugger's name of a file: the lines whose code says itself when it is reached
reached = set()  # idents of threads that are traced because such a line is


def watched(db):
    """Whether there is something to stop for in a program that runs, which nothing but to
    trace it shows."""
    return not db.pydb_disposed and bool(
        any(lines and not covered.get(file, NOTHING).issuperset(lines) for file, lines in list(db.breakpoints.items()))
        or db.break_on_caught_exceptions
        or db.break_on_user_uncaught_exceptions
        or db.function_breakpoint_name_to_breakpoint
        or db.has_plugin_line_breaks
        or db.has_plugin_exception_breaks
    )


def stops(db):
    """Whether there is anything to stop for."""
    return watched(db) or any(db.breakpoints.values())


def may_rest(db, info):
    return (info is None or (info.pydev_state, info.pydev_step_cmd) == FREE) and threading.get_ident() not in reached and not watched(db)


def patient(set_trace):
    """Python 3.11 refuses to set the tracer of a thread once where another thread is at the
    same: that would become an exception of the program's, or the debugger would wait for ever
    for a thread of its own that ended by it."""

    def set_tracer(tracer):
        for _ in range(ATTEMPTS):
            try:
                return set_trace(tracer)
            except RuntimeError:
                pass

    return set_tracer


def rest(db, info, frame):
    """Ends the tracing of the thread that calls it and is in that frame, and answers whether
    it rests. Another thread may ask for it at any time: it says first what it asks for, then
    has the frames traced and then the thread. So that is looked for after the opposite."""
    set_tracer(None)
    if STALE and place.guest is None:
        untrace_frames(frame)
    if may_rest(db, info):
        return place.enter() or rest(db, info, frame)
    db.set_trace_for_frame_and_parents(threading.get_ident(), frame)
    set_tracer(db.trace_dispatch)
    return False


STALE = sys.version_info < (3, 10)  # a frame that once was traced keeps the line of then


def untrace_frames(frame):
    while frame is not None:
        if frame.f_trace is not None:
            frame.f_trace = None
        frame = frame.f_back


class Place:
    """Where the interpreter has a trace function called. Another may have it, in each thread
    that rests, until anybody asks for it."""

    def __init__(self):
        self.crowded = False  # the program has begun a thread
        self.free()

    def free(self):
        self.lock = threading.RLock()
        self.guest = self.taken = None
        self.threads = set()  # idents of those in which it was lent

    def lend(self, guest, taken):
        """Lends it in the thread that calls it and in those that begin from now on, or says
        that it cannot be had. Taken is called when it is over, and told whether nothing may
        have been missed until then."""
        db = constants.get_global_debugger()
        if db is None or stops(db):
            return False
        self.guest, self.taken = guest, taken
        if stops(db):  # by now
            self.back(False)
        self.give(sys._getframe(1))
        return True

    def enter(self):
        """Lends it in the thread that calls it, and says whether nobody has asked for it meanwhile."""
        guest = self.guest
        if guest is None:
            return True
        self.threads.add(threading.get_ident())
        pydevd_tracing.set_trace_to_threads(guest, thread_idents=[threading.get_ident()], create_dummy_thread=False)
        return self.guest is guest

    def holds(self):
        return self.guest is not None and sys.gettrace() is self.guest

    def back(self, whole):
        """It is wanted back in all threads: whoever calls it has it then, the others give it
        back at the next line or call that they come to."""
        with self.lock:
            if self.guest is None:
                return
            taken, whole = self.taken, whole and self.holds()
            if self.holds():
                set_tracer(None)
            self.guest = self.taken = None
            taken(whole)
            here = threading.get_ident()
            for ident, frame in sys._current_frames().items():
                if ident != here and ident in self.threads:
                    frame.f_trace = leaving

    def vacate(self, frame):
        """The thread that calls it, in that frame, gives it back, as all others are to. Whoever
        is at that already may wait for this thread, which waits for nobody."""
        if self.guest is not None and self.lock.acquire(False):
            try:
                self.back(False)
            finally:
                self.lock.release()
        self.give(frame)

    def give(self, frame):
        """Gives it in the thread that calls it to who is to have it."""
        db = constants.get_global_debugger()
        if db is None:
            set_tracer(None)
        else:
            rest(db, getattr(threading._active.get(threading.get_ident()), "additional_info", None), frame)


place = Place()


def leaving(frame, event, arg):
    frame.f_trace = None
    place.vacate(frame)


def asking(original, whole):
    """Stands in for what the debugger begins with that needs it to trace."""

    def begin(*args, **kwargs):
        place.back(whole)
        return original(*args, **kwargs)

    return begin


def giving_up(set_trace):
    """The program has put a trace function of its own in the place. A thread that begins puts
    that of the debugger there, which rests."""
    by_program = pydevd_tracing._internal_set_trace.__code__

    def settrace(tracer):
        db = constants.get_global_debugger()
        if sys._getframe(1).f_code is by_program and place.holds() and tracer is not place.guest and (db is None or tracer != db.trace_dispatch):
            place.back(False)
        set_trace(tracer)

    return settrace


running = set()  # idents of the threads that ran when others were woken last


def wake(db, threads):
    """Has threads traced again, which may rest."""
    global running
    running = set(sys._current_frames())
    idents = [t.ident for t in threads if t.ident is not None]
    if idents:
        pydevd_tracing.set_trace_to_threads(db.trace_dispatch, thread_idents=idents, create_dummy_thread=False)


own = threading.local()  # .known: the thread has been traced, or has asked for it


def by_itself(original):
    """A thread has itself traced."""

    def SetTrace(tracing_func):
        own.known = True
        original(tracing_func)

    return SetTrace


def misled():
    """Whether the thread that calls it is traced though nobody has asked for that. A thread
    that has just been made goes under the ident of the one that has made it, until it runs:
    so it may have been taken for that one, which is not traced then."""
    fresh, own.known = not getattr(own, "known", False), True
    return fresh and threading.get_ident() not in running


def users():
    return [t for t in pydevd_utils.get_non_pydevd_threads() if not getattr(t, "pydev_do_not_trace", None)]


# Threads come to rest.


def of_resting_threads(original):
    def __call__(self, frame, event, arg):
        db, info = self._args[0], self._args[2]
        if not info.is_tracing and may_rest(db, info) and rest(db, info, frame):
            return None  # what traces the frame is left as it is, for who asks for it now
        return unless_rested(frame, original(self, frame, event, arg))

    return __call__


def unless_rested(frame, found):
    """What traces a frame from now on, nothing where its thread has come to rest meanwhile."""
    if STALE and found is not None and sys.gettrace() is None:
        frame.f_trace = None
        return None if sys.gettrace() is None else found
    return found


def of_resting_frames(original):
    def trace_dispatch(self, frame, event, arg):
        outermost = not self._args[2].is_tracing  # else the debugger remembers what it is answered
        found = original(self, frame, event, arg)
        return unless_rested(frame, found) if outermost else found

    return trace_dispatch


def resting(frame, event, arg):
    """Traces nothing, and leaves what traces the frame as it is."""


def first_traced(original):
    """Stands in for what is called at the first event of a thread."""

    def fix_top_level_trace_and_get_trace_func(db, frame):
        info = getattr(threading._active.get(threading.get_ident()), "additional_info", None)
        if misled():
            here = threading.get_ident()
            wake(db, [t for t in users() if t.ident != here and not may_rest(db, getattr(t, "additional_info", None))])
        if may_rest(db, info) and rest(db, info, frame):
            return resting, False
        return original(db, frame)

    return fix_top_level_trace_and_get_trace_func


def unless_resting(original):
    """Stands in for what begins to trace a new thread."""

    def _on_set_trace_for_new_thread(db):
        if db is not None and watched(db):
            original(db)
        elif db is not None and not place.enter():
            place.give(sys._getframe(1))

    return _on_set_trace_for_new_thread


def then_resting(original):
    """A thread that has stopped goes on."""

    def do_wait_suspend(self, thread, *args, **kwargs):
        try:
            original(self, thread, *args, **kwargs)
        finally:
            info = thread.additional_info
            if may_rest(self, info):
                rest(self, info, sys._getframe(1))
            elif thread is threading.current_thread():
                wake(self, [thread])  # it steps, by the quicker way to trace

    return do_wait_suspend


# Threads are woken.


def waking_suspended(original):
    def set_suspend(self, thread, *args, **kwargs):
        original(self, thread, *args, **kwargs)
        here = threading.get_ident()
        asked = [t for t in users() if t.ident != here and wanted(t)]
        wake(self, asked)

    return set_suspend


def wanted(thread):
    info = getattr(thread, "additional_info", None)
    return info is not None and info.pydev_state == constants.STATE_SUSPEND and not info.is_in_wait_loop


def waking_all(original):
    """Breakpoints were set, or exceptions that are to stop."""

    def on_breakpoints_changed(self, removed=False):
        if stops(self):
            place.back(False)
        original(self, removed)
        if self.ready_to_run and not removed and watched(self):
            wake(self, users())

    return on_breakpoints_changed


def waking_at_call(original):
    """The program itself asks to be stopped, by breakpoint()."""

    def _locked_settrace(*args, **kwargs):
        original(*args, **kwargs)
        db, thread = constants.get_global_debugger(), threading.current_thread()
        if db is not None and sys.gettrace() is None and not may_rest(db, getattr(thread, "additional_info", None)):
            wake(db, [thread])

    return _locked_settrace


# What nobody catches.

stopped = threading.local()  # .at is the exception by which a thread was stopped last


def once(original):
    """An exception that was seen while it came to its end is not seen again at it."""

    def stop_on_unhandled_exception(db, thread, info, arg):
        if getattr(stopped, "at", None) is not arg[1]:
            stopped.at = arg[1]
            original(db, thread, info, arg)

    return stop_on_unhandled_exception


def ended_by(kind, value, tb):
    """The code of a thread has ended by an exception."""
    db = constants.get_global_debugger()
    if db is None or db.pydb_disposed or tb is None:
        return
    thread = threading.current_thread()
    if getattr(thread, "is_pydev_daemon_thread", False) or getattr(thread, "pydev_do_not_trace", False):
        return
    info = db.set_additional_thread_info(thread)
    info.is_tracing += 1
    try:
        db.stop_on_unhandled_exception(db, thread, info, (kind, value, tb))
    finally:
        info.is_tracing -= 1


def at_the_end(event, args):
    """Hears of an exception that has left the main code, before it is written out."""
    if event == "sys.excepthook":
        ended_by(*args[1:4])


def of_threads(original):
    """Stands in for what makes that which a thread calls at such an end."""

    def _make_invoke_excepthook():
        return noticing(original())

    return _make_invoke_excepthook


def noticing(invoke):
    def invoke_excepthook(thread):
        ended_by(*sys.exc_info())
        return invoke(thread)

    return invoke_excepthook


def crowd():
    """The program begins a thread. While one of several stands at a breakpoint, the debugger
    hears of the others because they are traced: one that was not would pass its own unheard.
    So all are traced from now on where there are breakpoints."""
    if place.crowded:
        return
    place.crowded = True
    db = constants.get_global_debugger()
    if covered:
        covered.clear()
        if db is not None and not db.pydb_disposed:
            db.on_breakpoints_changed()


def of_functions(original):
    """Stands in for __init__ of what begins a thread: one without a Thread has nobody to ask."""

    def __init__(self, function, args, kwargs):
        crowd()
        if not isinstance(getattr(function, "__self__", None), threading.Thread):
            function = noticed(function)
        original(self, function, args, kwargs)

    return __init__


def noticed(function):
    def _exec(*args, **kwargs):  # which the debugger takes for the outermost frame
        try:
            return function(*args, **kwargs)
        except BaseException:
            ended_by(*sys.exc_info())
            raise

    return _exec


# What runs the main code: by file, by module, and the text of -c.
RUNNERS = (
    ("runpy", "run_path"),
    ("runpy", "_run_module_as_main"),
    ("_pydevd_bundle.pydevd_runpy", "run_path"),
    ("_pydevd_bundle.pydevd_runpy", "_run_module_as_main"),
    ("debugpy.server.cli", "eval"),
)


set_tracer = patient(pydevd_tracing.TracingFunctionHolder._original_tracing or sys.settrace)


def install():
    db = constants.get_global_debugger()
    if pydevd_tracing.TracingFunctionHolder._original_tracing is not None:
        pydevd_tracing.TracingFunctionHolder._original_tracing = giving_up(set_tracer)
    dispatch.ThreadTracer.__call__ = of_resting_threads(dispatch.ThreadTracer.__call__)
    if STALE:
        pydevd_frame.PyDBFrame.trace_dispatch = of_resting_frames(pydevd_frame.PyDBFrame.trace_dispatch)
    pydevd.fix_top_level_trace_and_get_trace_func = first_traced(pydevd.fix_top_level_trace_and_get_trace_func)
    pydevd.stop_on_unhandled_exception = once(pydevd.stop_on_unhandled_exception)
    if db is not None:  # it has taken them already
        db.fix_top_level_trace_and_get_trace_func = pydevd.fix_top_level_trace_and_get_trace_func
        db.stop_on_unhandled_exception = pydevd.stop_on_unhandled_exception
    pydevd_tracing.SetTrace = by_itself(pydevd_tracing.SetTrace)
    pydev_monkey._on_set_trace_for_new_thread = unless_resting(pydev_monkey._on_set_trace_for_new_thread)
    pydevd.PyDB.do_wait_suspend = then_resting(pydevd.PyDB.do_wait_suspend)
    pydevd.PyDB.set_suspend = asking(waking_suspended(pydevd.PyDB.set_suspend), True)
    pydevd.PyDB.on_breakpoints_changed = waking_all(pydevd.PyDB.on_breakpoints_changed)
    pydevd._locked_settrace = asking(waking_at_call(pydevd._locked_settrace), True)
    pydevd.PyDB.do_wait_suspend = asking(pydevd.PyDB.do_wait_suspend, True)
    os.register_at_fork(after_in_child=place.free)

    if constants.aidb_attached:
        sys.addaudithook(at_the_end)  # every look at a frame's code costs more from here on
    else:
        around_main(RUNNERS, noticed)  # noqa: F821 which starting.py has
    threading._make_invoke_excepthook = of_threads(threading._make_invoke_excepthook)
    for thread in threading.enumerate():
        if hasattr(thread, "_invoke_excepthook"):
            thread._invoke_excepthook = noticing(thread._invoke_excepthook)
    pydev_monkey._NewThreadStartupWithTrace.__init__ = of_functions(pydev_monkey._NewThreadStartupWithTrace.__init__)


# A process that was forked has it all from its parent.
if not hasattr(constants, "aidb_resting") and possible():
    constants.aidb_resting = place
    install()
