# Has breakpoints hold in generators and coroutines that had begun before they were set,
# and rested since: from Python 3.12 on the debugger looks for breakpoints where a function
# is called, and at the frames that threads stand in. It is executed together with
# sparing.py: see adapter.py.


def heed(code, frame):
    """Has the lines of a function call the debugger, if a breakpoint stands at one."""
    info = monitoring._get_func_code_info(code, frame)
    if info is not None and not info.always_filtered_out and (info.breakpoint_found or info.plugin_line_breakpoint_found):
        monitoring._enable_line_tracing(code)


def resume_event(code, offset):
    given = voice.given
    heed(code, sys._getframe(1))
    return sys.monitoring.DISABLE if voice.given is given else None


def throw_event(code, offset, exception):
    heed(code, sys._getframe(1))  # which cannot be silenced


def heeding(original):
    """Stands in for what says which events the debugger wants."""

    def update_monitor_events(suspend_requested=None):
        original(suspend_requested)
        tool, events = monitoring.DEBUGGER_ID, sys.monitoring.events
        if sys.monitoring.get_tool(tool) != "pydevd":
            return
        wanted = sys.monitoring.get_events(tool)
        if wanted & events.PY_RESUME:
            sys.monitoring.register_callback(tool, events.PY_RESUME, resume_event)
            sys.monitoring.register_callback(tool, events.PY_THROW, throw_event)
            sys.monitoring.set_events(tool, wanted | events.PY_THROW)

    return update_monitor_events


if hasattr(constants, "aidb_sparing") and not hasattr(constants, "aidb_resuming"):
    constants.aidb_resuming = True
    monitoring.update_monitor_events = pydevd_sys_monitoring.update_monitor_events = heeding(monitoring.update_monitor_events)
    monitoring.update_monitor_events()
