# Puts the program's breakpoints into its code, see rewriting.py, so that what has none
# need not be traced: a point that is come to has its thread traced, for the debugger to
# judge the breakpoint as it does otherwise. Functions get other code, and so do those that
# are made later, from the constants of what makes them; what is executed as a module gets
# it before. Code that runs already keeps its own: while it does, and where code cannot be
# rewritten, threads are traced. It is executed in each process of the program, together
# with resting.py.
import ctypes
import gc
import importlib._bootstrap_external as importing
import sys
import threading
import types
import weakref

import pydevd
import pydevd_file_utils
import pydevd_tracing
from _pydevd_bundle import pydevd_constants as constants, pydevd_runpy, pydevd_trace_dispatch_regular as dispatch

GENERATORS = (types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType)
ITEMS = tuple.__basicsize__  # where a tuple has them
RECHECKED = 1000  # events of traced threads, after which it is looked whether old code still runs


class Point(bytes):
    """Stands in the code before a line with a breakpoint. It is written as bytes by who
    writes code, which is never true where it is read."""

    __slots__ = ()

    def __bool__(self):
        """Whether the line is to be told of."""
        try:
            return come_to(sys._getframe(1))
        except Exception:  # it would be one of the program's
            return False

    def __reduce__(self):
        return bytes, ()  # for who sends code to other processes


POINT = Point()


class Planted:
    """What has been done to the program's code."""

    def __init__(self):
        self.wanted = {}  # lines by the debugger's names of files
        self.files = set()  # all that have had some
        self.names = {}  # the debugger's names of files, by those of code objects
        self.lines = {}  # by id of a code object: (itself, the lines of its instructions)
        self.known = {}  # by id of a code object that has points: (itself, the one that it was, their lines and offsets)
        self.made = {}  # by id of a code object and the lines
        self.unfit = set()  # ids of code objects that cannot be rewritten
        self.hidden = False  # there may be functions that are not found
        self.running = False  # old code runs in which there is something to stop for
        self.paused = weakref.WeakSet()  # generators of such code
        self.events = 0
        self.lock = threading.RLock()


planted = Planted()


def name_of(code):
    file = code.co_filename
    name = planted.names.get(file)
    if name is None:
        name = planted.names[file] = pydevd_file_utils.get_abs_path_real_path_and_base_from_file(file)[1]
    return name


def original(code):
    found = planted.known.get(id(code))
    return code if found is None else found[1]


def own_lines(code):
    found = planted.lines.get(id(code))
    if found is None:
        found = planted.lines[id(code)] = (code, frozenset(lines_begun(code)))  # noqa: F821 of rewriting.py
    return found[1]


def wanted_in(db, code):
    """The lines of a code object at which there is something to stop for."""
    lines = db.breakpoints.get(name_of(code))
    return frozenset(own_lines(original(code)).intersection(lines)) if lines else frozenset()


def lacks(db, code):
    """Whether something to stop for is not in a code object."""
    found = planted.known.get(id(code))
    return bool(wanted_in(db, code) - (found[2] if found else frozenset()))


def fitted(db, code):
    """The code object to be executed in place of one, which has what it makes fitted too."""
    first = original(code)
    lines = wanted_in(db, first)
    key = id(first), lines
    if lines and key not in planted.made and id(first) not in planted.unfit:
        try:
            points, offsets = with_points(first, dict.fromkeys(sorted(lines), POINT))  # noqa: F821 of rewriting.py
            planted.known[id(points)] = (points, first, lines, offsets)
            planted.made[key] = points
        except Exception:
            planted.unfit.add(id(first))
    for holder in {id(c): c for c in (first, code, planted.made.get(key)) if c is not None}.values():
        fit_constants(db, holder)
    return planted.made.get(key, first)


def fit_constants(db, code):
    for n, inner in enumerate(code.co_consts):
        if isinstance(inner, types.CodeType):
            other = fitted(db, inner)
            if other is not inner:
                put(code.co_consts, n, other)


def put(values, n, value):
    """Puts something into a tuple, which others hold."""
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(value))  # what was there is kept
    ctypes.c_void_p.from_address(id(values) + ITEMS + n * ctypes.sizeof(ctypes.c_void_p)).value = id(value)


def concerned(db, code):
    """Whether breakpoints are, or were, in the file of a code object."""
    return name_of(code) in planted.files


def plant(db):
    """Breakpoints have changed."""
    now = {file: frozenset(lines) for file, lines in db.breakpoints.items()}
    with planted.lock:
        if now == planted.wanted:
            return
        planted.wanted = now
        planted.files.update(now)
        found = [o for o in gc.get_objects() if isinstance(o, (types.FunctionType, *GENERATORS))]
        for o in found:
            if isinstance(o, types.FunctionType) and concerned(db, o.__code__):
                code = fitted(db, o.__code__)
                if code is not o.__code__:
                    o.__code__ = code
        planted.paused = weakref.WeakSet(o for o in found if not isinstance(o, types.FunctionType) and concerned(db, code_of(o)))
        del found
        for frame in frames():
            if concerned(db, frame.f_code):
                fitted(db, frame.f_code)  # for what it makes
        planted.hidden = planted.hidden or gc.get_freeze_count() > 0
        planted.running = old_code_runs(db)


def code_of(generator):
    for name in ("gi_code", "cr_code", "ag_code"):
        code = getattr(generator, name, None)
        if code is not None:
            return code


def frame_of(generator):
    for name in ("gi_frame", "cr_frame", "ag_frame"):
        frame = getattr(generator, name, None)
        if frame is not None:
            return frame


def frames():
    for frame in list(sys._current_frames().values()):
        while frame is not None:
            yield frame
            frame = frame.f_back


def old_code_runs(db):
    if any(lacks(db, frame.f_code) for frame in frames()):
        return True
    return any(frame_of(g) is not None and lacks(db, frame_of(g).f_code) for g in list(planted.paused))


def outstanding(db):
    """Whether there is a breakpoint that only tracing finds."""
    if planted.unfit or planted.hidden:
        return any(db.breakpoints.values())
    if planted.running:
        planted.events += 1
        if planted.events % RECHECKED == 0:
            planted.running = old_code_runs(db)
    return planted.running


# Modules.


def code_in(event, args):
    """The code that is about to be executed, or given to a function, None where there is none."""
    if event in ("exec", "function.__new__"):
        code = args[0]
    elif event == "object.__setattr__" and args[1] == "__code__":
        code = args[2]
    else:
        return None
    return code if isinstance(code, types.CodeType) else None


def about_to_execute(event, args):
    """Whatever executes a module: what it makes is fitted, and it is traced where it
    should be and was not. So is a function to which code is given that came from
    elsewhere, as from another process, for it is too late to give it another."""
    code = code_in(event, args)
    db = constants.get_global_debugger()
    try:
        if code is None or db is None or db.pydb_disposed or not concerned(db, code):
            return
        with planted.lock:
            fitted(db, code)
        if not lacks(db, code):
            return
        if event == "exec":
            planted.running = True
        else:
            planted.unfit.add(id(original(code)))
            wake(db, users())  # noqa: F821 of resting.py
        trace(db)
    except Exception:  # it would end what the program executes
        pass


def of_module(code):
    """The code to be executed in place of a module's."""
    db = constants.get_global_debugger()
    try:
        if code is not None and db is not None and concerned(db, code):
            with planted.lock:
                return fitted(db, code)
    except Exception:
        pass
    return code


# What asks for it is known to importlib as its own, which leaves it out of tracebacks.
GET_CODE = """
def _call_with_frames_removed(self, fullname):
    return of_module(original(self, fullname))
"""


def of_modules(original):
    made = {"original": original, "of_module": of_module}
    exec(compile(GET_CODE, "<frozen importlib._bootstrap_external>", "exec"), made)
    return made["_call_with_frames_removed"]


def of_programs(original):
    def _get_code_from_file(*args):
        code, *rest = original(*args)
        return (of_module(code), *rest)

    return _get_code_from_file


# Points that are come to.


def asked_thread(db):
    """What the debugger knows of the calling thread, None where it is not to be stopped."""
    thread = threading._active.get(threading.get_ident()) or threading.current_thread()
    if getattr(thread, "is_pydev_daemon_thread", False) or getattr(thread, "pydev_do_not_trace", None):
        return None
    info = db.set_additional_thread_info(thread)
    if info.thread_tracer is None or info.thread_tracer._args[0] is not db:
        args = db, thread, info, dispatch.global_cache_skips, dispatch.global_cache_frame_skips
        info.thread_tracer = dispatch.ThreadTracer(args)
    return None if info.is_tracing else info


def set_tracer(tracer):
    (pydevd_tracing.TracingFunctionHolder._original_tracing or sys.settrace)(tracer)


def trace(db):
    info = asked_thread(db)
    if info is not None:
        set_tracer(info.thread_tracer)


def come_to(frame):
    db = constants.get_global_debugger()
    if db is None or db.pydb_disposed or not db.ready_to_run or told.take(frame):
        return False
    now = sys.gettrace()
    if isinstance(now, dispatch.ThreadTracer) or now == db.trace_dispatch:
        return False  # the line was told of already
    if STALE:  # noqa: F821 of resting.py
        untrace_frames(frame)  # noqa: F821 of resting.py
    found = db.breakpoints.get(name_of(frame.f_code), {}).get(frame.f_lineno)
    info = asked_thread(db) if found is not None else None
    if info is None or is_debuggers(db, frame) or not holds(db, info, found, frame):
        return False
    frame.f_trace = at_point
    frame.f_trace_opcodes = STALE  # noqa: F821 within a line these tell nothing else
    set_tracer(info.thread_tracer)
    return True


def is_debuggers(db, frame):
    """Whether it is the debugger that has called a library, in the program's thread."""
    while frame is not None and not db.in_project_scope(frame):
        if db.get_file_type(frame) == db.PYDEV_FILE:
            return not frame.f_code.co_filename.endswith("pydevd_runpy.py")
        frame = frame.f_back
    return False


class Told(threading.local):
    """The frame of which the thread was told that it stands at a point, before it came to
    rest: it is not told again when it goes on."""

    frame = None

    def note(self, frame):
        found = planted.known.get(id(getattr(frame, "f_code", None)))
        self.frame = frame if found and frame.f_lasti in found[3] else None

    def take(self, frame):
        last, self.frame = self.frame, None
        return last is frame


told = Told()


def holds(db, info, breakpoint, frame):
    """Judges a condition here, for tracing to begin costs more than most of them do."""
    if breakpoint.expression is not None or not breakpoint.has_condition:
        return True
    info.is_tracing += 1
    try:
        true = db.handle_breakpoint_condition(info, breakpoint, frame)
    finally:
        info.is_tracing -= 1
    if true:
        judged.frame = frame
    return true


judged = threading.local()  # .frame is one for which the condition was found to hold


def unless_judged(original):
    def handle_breakpoint_condition(self, info, breakpoint, new_frame):
        if getattr(judged, "frame", None) is new_frame:
            judged.frame = None
            return True
        return original(self, info, breakpoint, new_frame)

    return handle_breakpoint_condition


def at_point(frame, event, arg):
    """Has the debugger trace a line, at its point."""
    if event not in ("line", "opcode"):
        return at_point
    frame.f_trace_opcodes = False
    tracer = sys.gettrace()
    if not isinstance(tracer, dispatch.ThreadTracer):
        return None
    found = trace_event(tracer, frame, "line", arg)
    db, info = tracer._args[0], tracer._args[2]
    if not may_rest(db, info):  # noqa: F821 of resting.py
        return found
    frame.f_trace = None
    rest(db, info)  # noqa: F821 of resting.py
    told.note(frame)
    return None


trace_event = dispatch.ThreadTracer.__call__


def plant_from_now_on():
    pydevd.PyDB.handle_breakpoint_condition = unless_judged(pydevd.PyDB.handle_breakpoint_condition)
    sys.addaudithook(about_to_execute)
    importing.SourceLoader.get_code = of_modules(importing.SourceLoader.get_code)
    pydevd_runpy._get_code_from_file = of_programs(pydevd_runpy._get_code_from_file)
