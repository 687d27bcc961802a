# Makes what fails a test stop like an exception that nobody catches, in the user's
# line, where the framework reports it; and counts the tests that are run. What a
# framework or a test catches on the way is none of it. It is executed in each
# process of the program, before any code of the program's: see adapter.py.
import json
import sys
import threading
import types

constants = sys.modules["_pydevd_bundle.pydevd_constants"]
state = threading.local()  # whether a framework is reporting a failure already
counts = {"ran": 0}
sessions = []  # of pytest, the outermost first
last = [None]  # exception that was stopped at: a fixture's fails each of its tests


def user_frame(db, tb):
    """The innermost frame of a traceback that is the user's."""
    found = None
    while tb is not None:
        frame = tb.tb_frame
        if db.in_project_scope(frame) and not frame.f_locals.get("__tracebackhide__"):
            found = frame
        tb = tb.tb_next
    return found


def innermost(tb):
    """The traceback with each frame once, at its innermost line: a frame through
    which an exception passes twice, by way of a context manager, stands there twice."""
    steps = []
    while tb is not None:
        steps = [s for s in steps if s.tb_frame is not tb.tb_frame] + [tb]
        tb = tb.tb_next
    while steps and any(s.tb_frame in below(steps[0].tb_frame) for s in steps):
        del steps[0]  # or pydevd shows the frame at the line where it stands now
    made = None
    for s in reversed(steps):
        made = types.TracebackType(made, s.tb_frame, s.tb_lasti, s.tb_lineno)
    return made


def below(frame):
    frames = set()
    while frame.f_back is not None:
        frame = frame.f_back
        frames.add(frame)
    return frames


def stop(value):
    """Stops where an exception was raised, or the one that it stands for."""
    db = constants.get_global_debugger()
    if db is None or not db.break_on_uncaught_exceptions or value is last[0]:
        return
    last[0] = value
    known = set()
    while isinstance(value, BaseException) and id(value) not in known:
        known.add(id(value))
        frame = user_frame(db, value.__traceback__)
        if frame is not None:
            stop_at(db, frame, (type(value), value, innermost(value.__traceback__)))
            return
        value = value.__cause__ or value.__context__


def stop_at(db, frame, exception):
    thread = threading.current_thread()
    info = db.set_additional_thread_info(thread)
    monitoring = sys.modules.get("_pydevd_sys_monitoring.pydevd_sys_monitoring") if sys.version_info >= (3, 12) else None
    suspend = getattr(monitoring, "suspend_current_thread_tracing", None)
    suspended = suspend is not None and suspend()
    info.is_tracing += 1
    info.pydev_message = "BaseException"
    try:
        db.do_stop_on_unhandled_exception(thread, frame, {}, exception)
    finally:
        info.is_tracing -= 1
        if suspended:
            monitoring.resume_current_thread_tracing()


def around(owner, name, value):
    """Stops before a framework's own function reports the failure that it is called with."""
    original = vars(owner)[name]
    if not isinstance(original, types.FunctionType):
        raise TypeError("%s is no function" % name)

    def report(*args, **kwargs):
        outer = getattr(state, "reporting", False)
        state.reporting = True
        try:
            if not outer and not sessions:
                stop(value(*args, **kwargs))
            return original(*args, **kwargs)
        finally:
            state.reporting = outer

    setattr(owner, name, report)


def raised(result, test, info=None, *rest):
    return info[1] if isinstance(info, tuple) and len(info) == 3 else None


def raised_in_part(result, test, part=None, info=None):
    return raised(result, part, info)


def in_unittest_runner(module):
    run = module.TextTestRunner.run

    def counted(self, *args, **kwargs):
        begins()
        result = run(self, *args, **kwargs)
        if not sessions:
            missing = [t for t, _ in result.errors if type(t).__name__ == "_FailedTest"]  # it stands for a test that is not there
            counted_run(result.testsRun - len(missing))
        return result

    module.TextTestRunner.run = counted


def begins():
    """The tests begin, which leaving.py may want to know."""
    getattr(constants, "aidb_tests_begin", int)()


def counted_run(n, near=()):
    """Reports how many tests have been run so far: see output.go."""
    counts["ran"] += n
    db = constants.get_global_debugger()
    if db is not None:
        report = json.dumps({"Ran": counts["ran"], "Near": list(near)})
        db.writer.add_command(db.cmd_factory.make_io_message("\x1dtests %s\n" % report, 1))


def in_unittest_result(module):
    around(module.TestResult, "addError", raised)
    around(module.TestResult, "addFailure", raised)
    around(module.TestResult, "addSubTest", raised_in_part)


def in_unittest_case(module):
    if hasattr(module, "_addError"):  # since Python 3.11
        around(module, "_addError", raised)  # for results that inherit from no other


def in_unittest_loader(module):
    around(module, "_make_failed_import_test", lambda *args: sys.exc_info()[1])


def in_pytest(module):
    manager = module.PytestPluginManager
    begin = manager.__init__

    def __init__(self, *args, **kwargs):
        begin(self, *args, **kwargs)
        if not sessions:
            self.register(Pytest(), "aidb")

    manager.__init__ = __init__


class Pytest:
    """A plugin of pytest."""

    def __init__(self):
        self.ran = set()
        self.known = []  # ids of what was found in the files that were looked at
        self.asked = []

    def pytest_configure(self, config):
        sessions.append(config)
        self.asked = list(config.args)

    def pytest_make_collect_report(self, collector):
        collect = collector.collect

        def collected():
            for node in collect():
                self.known.append(node.nodeid)
                yield node

        collector.collect = lambda: list(collected())

    pytest_make_collect_report.pytest_impl = {"tryfirst": True}  # as pytest.hookimpl does

    def pytest_runtestloop(self):
        begins()

    pytest_runtestloop.pytest_impl = {"tryfirst": True}

    def pytest_exception_interact(self, call):
        stop(call.excinfo.value)

    def pytest_runtest_logreport(self, report):
        self.ran.add(report.nodeid)

    def pytest_unconfigure(self):
        counted_run(len(self.ran), () if self.ran else self.near())

    def near(self):
        import difflib

        found = []
        for asked in self.asked:
            path, mark, name = asked.partition("::")
            names = {n.partition("::")[2]: n for n in self.known if "::" in n}
            begin = name.partition("[")[0] + "["
            same = [n for n in names if n.startswith(begin)]  # with other parameters
            if mark and name not in names:  # else it is there, and something else has kept it from running
                found += [names[n] for n in difflib.get_close_matches(name, same or names, 5, 0 if same else 0.5)]
        return found[:5]


PATCHES = {
    "unittest.case": in_unittest_case,
    "unittest.loader": in_unittest_loader,
    "unittest.result": in_unittest_result,
    "unittest.runner": in_unittest_runner,
    "_pytest.config": in_pytest,
}


def blind(framework, why):
    """Reports that the failures of a framework stop nowhere: see output.go."""
    db = constants.get_global_debugger()
    if db is not None:
        text = json.dumps({"Framework": framework, "Why": why})
        db.writer.add_command(db.cmd_factory.make_io_message("\x1dblind %s\n" % text, 1))


def unpatched(name, e):
    blind(name.split(".")[0].lstrip("_"), "%s: %s" % (type(e).__name__, e))


patch_imported(PATCHES, unpatched)  # noqa: F821 which recorder/imports.py has
