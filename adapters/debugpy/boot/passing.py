# Has the debugger pass by, up to Python 3.11, what has nothing to stop for. While there is
# a breakpoint anywhere, the interpreter calls the debugger at every call of every thread,
# and at every line of a function with a breakpoint; each time it works out anew what it
# found the time before. Here it is remembered, until something to stop for changes. It is
# executed in each process of the program, after what has its threads rest: see adapter.py.
import dis
import sys

import pydevd
from _pydevd_bundle import pydevd_constants as constants, pydevd_frame, pydevd_trace_dispatch, pydevd_trace_dispatch_regular as dispatch

MOST = 50_000  # functions that are remembered
GOING = -1  # the step of a thread that does not step and is not to stop


def possible():
    return sys.version_info < (3, 12) and not pydevd_trace_dispatch.USING_CYTHON and pydevd.frame_eval_func is None


# What is remembered of functions, by the address of each: to compare what they are takes
# longer than what is saved. They are kept here, so that no other gets the address. What
# was found while something changed goes to where nobody looks any more.
quiet = {}  # those without a breakpoint, or of what is not looked at
watched = {}  # of the others: what the debugger knows of the file, and the function
passed = {}  # of the others: the lines without a breakpoint


class Lines(set):
    __slots__ = ("code",)


def forget():
    global quiet, watched, passed
    quiet, watched, passed = {}, {}, {}


def remember(memory, code, what):
    if len(memory) < MOST:
        memory[id(code)] = what


def going(info):
    return info.pydev_step_cmd == GOING and info.pydev_state == constants.STATE_RUN


# At calls.


def quickly(tracer):
    """What the interpreter calls at each call of a thread in place of its tracer."""
    db, thread, info, skipped, kept = tracer._args

    def call(frame, event, arg):
        at = id(frame.f_code)
        if info.pydev_step_cmd == GOING and event == "call":
            if at in quiet:
                return None
            if at in watched and not info.is_tracing:
                paths, code = watched[at]
                return pydevd_frame.PyDBFrame((db, paths, info, thread, kept, code)).trace_dispatch
        return called(tracer, frame, event, arg)

    return call


def called(tracer, frame, event, arg):
    """Has the debugger look at a call, and remembers what it found."""
    db, info, skipped, code = tracer._args[0], tracer._args[2], tracer._args[3], frame.f_code
    memory = quiet, watched
    if event == "call" and code.co_name == "<module>":
        constants.aidb_executed(code.co_filename)
    answer = tracer(frame, event, arg)
    if event != "call" or info.is_tracing or not going(info) or filtered_by_more(db):
        return answer
    if answer is None:
        found = skipped.get(code)
        if found == 1 or found == 2 and not has_breakpoint(db, code):
            remember(memory[0], code, code)
    elif type(getattr(answer, "__self__", None)) is pydevd_frame.PyDBFrame and code.co_name not in db.function_breakpoint_name_to_breakpoint:
        remember(memory[1], code, (answer.__self__._args[1], code))
    return answer


def filtered_by_more(db):
    """Whether more than its lines decides where a function stops."""
    return db.pydb_disposed or db.has_plugin_line_breaks or db.has_plugin_exception_breaks


def has_breakpoint(db, code):
    """Whether there is one by now: the debugger may have answered by what it knew before."""
    path = pydevd.get_abs_path_real_path_and_base_from_file(code.co_filename)[1]
    lines = db.breakpoints.get(path)
    return bool(lines) and any(line in lines for _, line in dis.findlinestarts(code))


# At lines.


def passing(original):
    """Stands in for what is called at each event of a function that has a breakpoint."""

    def trace_dispatch(self, frame, event, arg):
        if self._args[2].pydev_step_cmd == GOING:
            lines = passed.get(id(frame.f_code))
            if lines is not None and (frame.f_lineno in lines if event == "line" else event == "return" and not self.exc_info):
                return self.trace_dispatch
        return line_of(original, self, frame, event, arg)

    return trace_dispatch


def line_of(original, dispatcher, frame, event, arg):
    """Has the debugger look at a line, and remembers it where it has nothing."""
    memory, (db, paths, info) = passed, dispatcher._args[:3]
    line, code = frame.f_lineno, frame.f_code
    answer = original(dispatcher, frame, event, arg)
    if event == "line" and answer is not None and going(info) and not filtered_by_more(db) and line not in db.breakpoints.get(paths[1], ()):
        lines = memory.get(id(code))
        if lines is None:
            lines = Lines()
            lines.code = code
            remember(memory, code, lines)
        lines.add(line)
    return answer


# When something changes.


def forgetting(original):
    """Stands in for what is called when breakpoints change, and what is looked at."""

    def changed(self, *args, **kwargs):
        forget()
        original(self, *args, **kwargs)

    return changed


def beginning_quickly(original):
    """Stands in for what is called at the first event of a thread, and says what traces it."""

    def fix_top_level_trace_and_get_trace_func(db, frame):
        found, is_thread = original(db, frame)
        if is_thread and type(found) is dispatch.ThreadTracer:
            found = quickly(found)
        return found, is_thread

    return fix_top_level_trace_and_get_trace_func


def install():
    pydevd.PyDB.on_breakpoints_changed = forgetting(pydevd.PyDB.on_breakpoints_changed)
    pydevd.PyDB._clear_caches = forgetting(pydevd.PyDB._clear_caches)
    pydevd_frame.PyDBFrame.trace_dispatch = passing(pydevd_frame.PyDBFrame.trace_dispatch)
    pydevd.fix_top_level_trace_and_get_trace_func = beginning_quickly(pydevd.fix_top_level_trace_and_get_trace_func)
    db = constants.get_global_debugger()
    if db is not None:  # it has taken it already
        db.fix_top_level_trace_and_get_trace_func = pydevd.fix_top_level_trace_and_get_trace_func


# A process that was forked has it all from its parent.
if not hasattr(constants, "aidb_passing") and possible():
    constants.aidb_passing = True
    constants.aidb_forget = forget
    install()
