# Has a program of Python 3.12 and newer call the debugger only where it has something to
# do. A function with a breakpoint calls it at each of its lines, and the debugger goes on
# wanting that. Here the interpreter is told of each place that has nothing to stop for to
# be silent about it, until something changes: a breakpoint, a step, a pause. It is executed
# in each process of the program, before any code of the program's: see adapter.py.
import sys

from _pydevd_bundle import pydevd_additional_thread_info_regular as threads, pydevd_constants as constants
from _pydevd_sys_monitoring import _pydevd_sys_monitoring as monitoring, pydevd_sys_monitoring

FREE = (constants.STATE_RUN, -1)  # of a thread that neither steps nor is to stop


def possible():
    """Whether the debugger has itself called by the interpreter, in Python code, of which
    a thread at a time runs."""
    return (
        constants.PYDEVD_USE_SYS_MONITORING
        and sys.version_info < (3, 14)  # it was not tried with newer ones
        and pydevd_sys_monitoring.restart_events is monitoring.restart_events
        and monitoring.set_additional_thread_info is threads.set_additional_thread_info
        and getattr(sys, "_is_gil_enabled", lambda: True)()
        and (sys.version_info >= (3, 13) or jumps_alone())
    )


class Voice:
    """When all places were given their voice back last. A place that was found to have
    nothing before that must not be silenced after it."""

    given = object()


voice = Voice()


def giving(original):
    """Stands in for what gives all places their voice back, after what has changed."""

    def restart_events():
        voice.given = object()
        original()

    return restart_events


def busy():
    """Whether a thread steps, stands, or is to."""
    infos = list(threads._all_infos)
    return any((i.pydev_state, i.pydev_step_cmd) != FREE and i._get_related_thread() for i in infos)


def known(code):
    """What the debugger knows of a function, None where that is no longer so."""
    db, info = constants.get_global_debugger(), monitoring._code_to_func_code_info_cache.get(code)
    return info if db is not None and info is not None and info.pydb_mtime == db.mtime else None


def nothing_in(code, line):
    info = known(code)
    return info is not None and not info.plugin_line_breakpoint_found and line not in info.bp_line_to_breakpoint and not busy()


def nothing_at_call(code, offset):
    info = known(code)
    return (
        info is not None
        and not (info.function_breakpoint_found or info.plugin_line_breakpoint_found or info.plugin_call_breakpoint_found)
        and (not info.breakpoint_found or calls_at_lines(code))
        and not busy()
    )


def calls_at_lines(code):
    return bool(sys.monitoring.get_local_events(monitoring.DEBUGGER_ID, code) & sys.monitoring.events.LINE)


def nothing_at_return(code, offset):
    return not busy()


def sparing(original, nothing):
    """An event of the debugger's that silences its place where there is nothing to stop for."""

    def event(code, place, *more):
        given = voice.given
        answer = original(code, place, *more)
        if answer is None and nothing(code, place):
            answer = sys.monitoring.DISABLE
        # From here to the interpreter, which does what is answered, no other thread runs.
        return answer if voice.given is given else None

    return event


def sparing_jumps(original):
    """A jump back. One to another line is followed by the event of that; one to its own
    line is not, as jumps_alone tells, though the debugger would have the line's next event
    ignored, which is one that comes later."""

    def event(code, start, end):
        if line_at(code, start) != line_at(code, end):
            return sys.monitoring.DISABLE
        given = voice.given
        answer = original(code, start, end)
        if answer is None and nothing_in(code, line_at(code, end)):
            answer = sys.monitoring.DISABLE
        vars(monitoring._thread_local_info).pop("f_disable_next_line_if_match", None)
        return answer if voice.given is given else None

    return event


def line_at(code, offset):
    return next((line for start, end, line in code.co_lines() if start <= offset < end), None)


def jumps_alone():
    """Whether a jump back to its own line is not followed by an event of the line: it is
    tried, with a tool that nobody has."""
    tool = next((t for t in (3, 4, 1, 2) if sys.monitoring.get_tool(t) is None), None)
    if tool is None:
        return False
    heard = []
    events, code = sys.monitoring.events, looping.__code__
    sys.monitoring.use_tool_id(tool, "pydevd")
    try:
        sys.monitoring.register_callback(tool, events.LINE, lambda code, line: heard.append(line - code.co_firstlineno))
        sys.monitoring.register_callback(tool, events.JUMP, lambda code, start, end: heard.append("jump"))
        sys.monitoring.set_local_events(tool, code, events.LINE | events.JUMP)
        looping([1, 1])
    finally:
        sys.monitoring.set_local_events(tool, code, 0)
        sys.monitoring.register_callback(tool, events.LINE, None)
        sys.monitoring.register_callback(tool, events.JUMP, None)
        sys.monitoring.free_tool_id(tool)
    return heard == [1, 2, "jump", "jump", 3, 4]


def looping(some):
    try:
        while True: some.pop()
    except IndexError:
        pass


def without_wrappers(original):
    """Stands in for sys._getframe, with which the debugger counts from what is called at
    an event to the frame that has it: what is wrapped around that is not counted."""

    def _getframe(depth=0):
        frame = original(1)
        while True:
            if frame.f_code in WRAPPERS:
                frame = frame.f_back
            if depth == 0:
                return frame
            frame, depth = frame.f_back, depth - 1

    return _getframe


WRAPPERS = {sparing(None, None).__code__, sparing_jumps(None).__code__}


def install():
    monitoring._getframe = without_wrappers(monitoring._getframe)
    monitoring.any_thread_stepping = busy
    monitoring.restart_events = pydevd_sys_monitoring.restart_events = giving(monitoring.restart_events)
    monitoring._line_event = sparing(monitoring._line_event, nothing_in)
    monitoring._jump_event = sparing_jumps(monitoring._jump_event)
    monitoring._start_method_event = sparing(monitoring._start_method_event, nothing_at_call)
    monitoring._return_event = sparing(monitoring._return_event, nothing_at_return)
    monitoring.update_monitor_events()


# A process that was forked has it all from its parent.
if not hasattr(constants, "aidb_sparing") and possible():
    constants.aidb_sparing = True
    install()
