# The number that we have among the tools of sys.monitoring. The program gets it if it asks
# for it: it is to run as it does by itself.
import sys

NUMBERS = (4, 3)  # 0 is a debugger's, 1 coverage's, 2 a profiler's, 5 the optimizer's
NAME = "aidb"


def take(lost):
    """A number that nobody has, None where there is none. Lost is called as soon as the
    program asks for it, and is to end all that is watched."""
    m = sys.monitoring
    number, use = next((n for n in NUMBERS if m.get_tool(n) is None), None), m.use_tool_id
    if number is None:
        return None
    use(number, NAME)

    def use_tool_id(tool, name):
        if tool == number and m.get_tool(tool) == NAME:
            lost()
            for event in (m.events.PY_START, m.events.LINE, m.events.JUMP, m.events.PY_RETURN, m.events.PY_UNWIND, m.events.RAISE):
                m.register_callback(tool, event, None)
            m.free_tool_id(tool)
        return use(tool, name)

    m.use_tool_id = use_tool_id
    return number


def untrace(frame, ours):
    """Has the frames from this one on keep no trace function of ours once nothing is traced
    any more: before Python 3.10 a frame with one tells the line that it was traced at last,
    and so would the program's tracebacks."""
    while frame is not None:
        if ours(frame.f_trace):
            frame.f_trace = None
        frame = frame.f_back
