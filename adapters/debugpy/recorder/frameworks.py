# Has test frameworks tell when a test of theirs fails, before anything of the program
# runs for that. What a framework or a test catches on the way is none of it.
import functools

from .imports import patch_imported


class Part:
    """Stands around what unittest calls of a test."""

    def __init__(self, failures, inner, test, outcome, goes_on):
        self.failures, self.inner, self.test, self.outcome, self.goes_on = failures, inner, test, outcome, goes_on

    def __enter__(self):
        return self.inner.__enter__()

    def __exit__(self, kind, error, traceback):
        if error is not None and not passing(error) and not getattr(self.outcome, "expecting_failure", False):
            self.failures.failed(error, self.test.id(), self.goes_on)
        return self.inner.__exit__(kind, error, traceback)


def passing(error):
    """What frameworks steer by."""
    return isinstance(error, KeyboardInterrupt) or type(error).__name__ in ("SkipTest", "_ShouldStop", "Skipped", "XFailed", "Exit", "_SkipTest")


def in_unittest_case(module, failures):
    executor = module._Outcome.testPartExecutor

    def testPartExecutor(self, test, *args, **named):
        of_another = type(test).__name__ == "_SubTest"
        if not failures.item and not of_another:
            failures.began(test.id())
        return Part(failures, executor(self, test, *args, **named), test, self, of_another)

    module._Outcome.testPartExecutor = testPartExecutor


def in_unittest_suite(module, failures):
    made = module.TestSuite._createClassOrModuleLevelException

    def _createClassOrModuleLevelException(self, result, error, method, parent, *args, **named):
        failures.failed(error, "%s (%s)" % (method, parent))
        return made(self, result, error, method, parent, *args, **named)

    module.TestSuite._createClassOrModuleLevelException = _createClassOrModuleLevelException


def in_pytest(module, failures):
    manager = module.PytestPluginManager
    begin = manager.__init__

    def __init__(self, *args, **named):
        begin(self, *args, **named)
        self.register(Pytest(failures), "aidb_recorder")

    manager.__init__ = __init__


class Pytest:
    """A plugin of pytest."""

    def __init__(self, failures):
        self.failures = failures

    def pytest_runtest_logstart(self, nodeid):
        self.failures.item = nodeid
        self.failures.began(nodeid)

    def pytest_runtest_logfinish(self, nodeid):
        self.failures.item = ""

    def pytest_exception_interact(self, node, call):
        error = call.excinfo.value
        if not passing(error):
            self.failures.failed(error, node.nodeid)


WATCHED = {"unittest.case": in_unittest_case, "unittest.suite": in_unittest_suite, "_pytest.config": in_pytest}


def watch(failures):
    """Patches the frameworks' modules when they are imported."""

    def failed(_name, e):
        failures.notes.remark("which tests fail is not noted: %s: %s" % (type(e).__name__, e))

    patch_imported({name: functools.partial(patch, failures=failures) for name, patch in WATCHED.items()}, failed)
