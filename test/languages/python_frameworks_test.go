//go:build linux

package languages

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"aidb-mcp/internal/testkit"
)

func TestPythonPytest(t *testing.T) {
	s := openShop(t)
	s.Write("checks/pytest.ini", "[pytest]\npython_files = check_*.py\npython_functions = it_*\n")
	s.Write("checks/check_sum.py", "def it_adds():\n    assert 1 + 1 == 2\n")
	s.withFrameworks()
	wrong := s.At("tests/test_cart.py", "wrong")
	ids := []string{"tests/test_cart.py::TestCart::test_wrong"}
	if testkit.IsLong() { // ways to name a test that others here are named in
		ids = append(ids, "test_wrong", "TestCart.test_wrong")
	}
	for _, id := range ids {
		r := s.start(A{"test": id}).Stopped("stopped_at_exception", wrong)
		r.Want("AssertionError", "data", "exception", "type").Want("assert 4 == 5", "data", "exception", "message")
		r.Want("4", "data", "locals", "result", "v").Want("test_wrong", "data", "function").Lacks("@py")
		s.OK("inspect", A{"target": "all"}).Contains([]string{"data", "threads"}, "test_wrong").Lacks("pydevd.py", "@py", "<module 'pytest'")
		s.ends("1").Has("1 failed")
	}
	s.start(A{"test": "it_adds"}).Has("1 passed")
	s.Fail("VALIDATION_INVALID_PARAM", "session_start", A{"test": "it_add"}).Has("did you mean it_adds?")
	s.start(A{"target": "tests/test_cart.py", "test": "test_total", "breakpoints": []A{{"function": "total"}}}).
		Stopped("stopped_at_breakpoint", s.At("shop/cart.py", "total"))
	s.ends("0").Has("1 passed")
	s.OK("session_start", A{"test": "test_skipped", "language": "python", "timeout_ms": startLimit}).Has("1 skipped")
	s.Fail("VALIDATION_INVALID_PARAM", "session_start", A{"test": "test_totl", "language": "python"}).Has("test_total")
	s.Fail("VALIDATION_INVALID_PARAM", "session_start", A{"test": "test_same", "language": "python"}).
		Has("2 tests", "tests/test_cart.py::test_same", "tests/test_cart.py::TestCart::test_same")
}

// An exception that a test wants is none that fails it.
func TestPythonWantedExceptions(t *testing.T) {
	s := openShop(t)
	s.Write("tests/test_wanted.py", `import contextlib
import unittest

import pytest


def fail(kind):
    raise kind("x")


def test_raises():
    with pytest.raises((KeyError, ValueError), match="x"):
        fail(ValueError)
    pytest.raises(ValueError, fail, ValueError)


class TestBoth(unittest.TestCase):
    def test_context(self):
        with self.assertRaises(ValueError), contextlib.suppress(KeyError):
            fail(KeyError)
        self.assertRaises(ValueError, fail, ValueError)


def test_other():
    with pytest.raises(KeyError):
        fail(ValueError)
`)
	s.withFrameworks()
	r := s.start(A{"test": "test_raises"})
	r.Want("terminated", "data", "execution_state", "status").Has("1 passed")
	s.start(A{"target": "tests/test_wanted.py", "test": "TestBoth"}).Stopped("stopped_at_exception", "tests/test_wanted.py:19").Has("ValueError not raised")
	s.ends("1")
	s.start(A{"test": "test_other"}).Stopped("stopped_at_exception", "tests/test_wanted.py:8").Want("ValueError", "data", "exception", "type")
	s.ends("1").Has("1 failed")
}

// What fails a test stops in the user's line, once, and nothing that is caught on
// the way does.
func TestPythonFailures(t *testing.T) {
	s := openShop(t)
	s.Write("tests/test_failing.py", failing)
	s.Write("tests/test_none.py", "import unittest\n\n\nclass TestNone(unittest.TestCase):\n    pass\n")
	s.writeDjango()
	s.withFrameworks()
	s.refusesUnknownTests()
	s.runsDjango()
	for _, module := range []string{"pytest", "unittest"}[:testkit.Rounds(1, 2)] { // test/diagnosing has unittest's
		want := [][2]string{{"awaited", "5 != 6"}, {"setup", "setup"}, {"part", "1 != 0"}}
		if module == "pytest" {
			want = append([][2]string{{"second", "assert 2 == 3"}, {"fixture", "broken"}, {"unraised", "DID NOT RAISE"}, {"fail", "nope"}}, want...)
		}
		r := s.start(A{"target": "tests/test_failing.py", "module": module})
		for _, w := range want {
			r.Stopped("stopped_at_exception", s.At("tests/test_failing.py", w[0])).Contains([]string{"data", "exception", "message"}, w[1])
			r = s.OK("execute", nil)
		}
		r.Want("terminated", "data", "execution_state", "status").Want("1", "data", "execution_state", "exit_code")
		s.Fail("VALIDATION_INVALID_TARGET", "session_start", A{"target": "tests/test_none.py", "module": module, "timeout_ms": startLimit}).
			Contains([]string{"summary"}, "no test ran")
	}
	s.start(A{"target": "tests/test_failing.py", "test": "test_par", "exceptions": "none"}).Want("terminated", "data", "execution_state", "status").Has("1 failed")
}

// refusesUnknownTests: names that are found while the tests are collected.
func (s *shop) refusesUnknownTests() {
	s.t.Helper()
	s.Fail("VALIDATION_INVALID_TARGET", "session_start", A{"test": "tests/test_failing.py::test_par[9-9]", "timeout_ms": startLimit}).
		Contains([]string{"summary"}, "no test ran").Contains([]string{"error", "hint"}, "test_par[1-1]", "test_par[2-3]")
	if testkit.IsLong() { // as others that pass
		s.start(A{"test": "test_par[1-1]"}).Want("0", "data", "execution_state", "exit_code").Has("1 passed")
	}
	s.start(A{"test": "TestHeir.test_inherited"}).Want("0", "data", "execution_state", "exit_code").Has("1 passed")
	s.Fail("VALIDATION_INVALID_TARGET", "session_start", A{"test": "TestHeir.test_nothing", "module": "unittest", "timeout_ms": startLimit}).
		Contains([]string{"summary"}, "no test ran")
}

func (s *shop) writeDjango() {
	s.Write("web/manage.py", `import os, sys
from django.core.management import execute_from_command_line
os.environ["DJANGO_SETTINGS_MODULE"] = "settings"
execute_from_command_line(sys.argv)
`)
	s.Write("web/settings.py", `SECRET_KEY = "x"
ROOT_URLCONF = "settings"
urlpatterns = []
DATABASES = {}
`)
	s.Write("web/basket/__init__.py", "")
	s.Write("web/basket/tests.py", `from django.test import SimpleTestCase


class PageTests(SimpleTestCase):
    def test_page(self):
        got = self.client.get("/nothing")
        self.assertEqual(got.status_code, 200)  # @mark page

    def test_fine(self):
        with self.assertRaises(KeyError):
            {}["x"]
`)
	s.Write("ext/runtests.py", `import argparse, os, sys
import django
from django.test.runner import DiscoverRunner
parser = argparse.ArgumentParser()
parser.add_argument("--parallel", type=int)
parser.add_argument("labels", nargs="*")
options = parser.parse_args()
os.environ["DJANGO_SETTINGS_MODULE"] = "ext_settings"
django.setup()
sys.exit(DiscoverRunner(parallel=options.parallel).run_tests(options.labels))
`)
	s.Write("ext/ext_settings.py", `SECRET_KEY = "x"`)
	s.Write("ext/till/__init__.py", "")
	const coins = "from django.test import SimpleTestCase\n\n\nclass %s(SimpleTestCase):\n    def test_coin(self):\n        self.assertEqual(1, 2)  # @mark %s\n"
	s.Write("ext/till/tests.py", fmt.Sprintf(coins, "CoinTests", "coin"))
	s.Write("plug/tox.ini", "[testenv]\nsetenv = DJANGO_SETTINGS_MODULE=tests.settings\ncommands = django-admin test\n")
	s.Write("plug/tests/__init__.py", "")
	s.Write("plug/tests/settings.py", `SECRET_KEY = "x"`)
	s.Write("plug/tests/test_plug.py", fmt.Sprintf(coins, "PlugTests", "plug"))
}

func (s *shop) runsDjango() {
	s.t.Helper()
	page := s.At("web/basket/tests.py", "page")
	starts := []A{{"target": "web/manage.py", "args": []string{"test"}, "cwd": "web"}, {"test": "PageTests.test_page"}}
	if testkit.IsLong() { // as the test below that is fine, and those of other projects, are named
		starts = append(starts, A{"target": "web/manage.py", "test": "basket.tests.PageTests.test_page"}, A{"target": "web/basket/tests.py", "mode": "test"})
	}
	for _, start := range starts {
		s.start(start).Stopped("stopped_at_exception", page).Has("404 != 200")
		s.ends("1").Has("FAILED (failures=1)")
	}
	s.start(A{"test": "CoinTests"}).Stopped("stopped_at_exception", s.At("ext/till/tests.py", "coin")).Has("Found 1 test")
	s.start(A{"target": "plug/tests/test_plug.py", "test": "PlugTests::test_coin"}).
		Stopped("stopped_at_exception", s.At("plug/tests/test_plug.py", "plug")).Has("Found 1 test")
	s.Fail("VALIDATION_INVALID_PARAM", "session_start", A{"target": "web/basket/tests.py", "test": "PageTests.test_pge"}).Has("PageTests.test_page")
	if testkit.IsLong() { // TestPythonWantedExceptions has unittest's assertion
		s.start(A{"target": "web/manage.py", "test": "PageTests.test_fine"}).Want("0", "data", "execution_state", "exit_code")
	}
}

// A package below src is run as a module, whichever way it is named.
func TestPythonSourceLayout(t *testing.T) {
	s := openShop(t)
	s.Write("src/till/__init__.py", "")
	s.Write("src/till/__main__.py", "import till.coins\nfrom . import coins\ncoins.count(3)\n")
	s.Write("src/till/coins.py", "def count(n):\n    return n  # @mark count\n")
	at := s.At("src/till/coins.py", "count")
	for _, start := range []A{{"target": "./src/till"}, {"module": "./src/till"}, {"module": "till"}} {
		start["breakpoints"] = []A{{"function": "count"}}
		s.start(start).Stopped("stopped_at_breakpoint", at)
	}
}

const failing = `import unittest

import pytest


def probe(o):
    try:
        return o.nothing
    except AttributeError:
        return None


@pytest.fixture(scope="module")
def bad():
    raise RuntimeError("broken")  # @mark fixture


@pytest.mark.parametrize("a,b", [(1, 1), (2, 3)])
def test_par(a, b):
    probe(a)
    assert a == b  # @mark second


def test_fixture(bad):
    pass


def test_fixture_again(bad):
    pass


@pytest.mark.xfail
def test_expected():
    assert 0


def test_nothing_raised():
    with pytest.raises(KeyError):  # @mark unraised
        probe(1)


def test_fails():
    pytest.fail("nope")  # @mark fail


class TestAsync(unittest.IsolatedAsyncioTestCase):
    async def test_equal(self):
        self.assertEqual(5, 6)  # @mark awaited


class TestSetUp(unittest.TestCase):
    def setUp(self):
        raise OSError("setup")  # @mark setup

    def test_anything(self):
        pass


class Inherited:
    def test_inherited(self):
        pass


class TestHeir(Inherited, unittest.TestCase):
    pass


class TestUnit(unittest.TestCase):
    @unittest.expectedFailure
    def test_expected(self):
        self.fail()

    def test_parts(self):
        for i in range(3):
            with self.subTest(i=i):
                self.assertEqual(i % 2, 0)  # @mark part
`

func TestPythonUnittest(t *testing.T) {
	s := openShop(t)
	at := s.At("tests/test_cart.py", "unequal")
	for _, id := range []string{"tests.test_cart.TestUnit.test_unequal", "TestUnit.test_unequal"} {
		s.start(A{"test": id, "module": "unittest", "runtime_path": "/usr/bin/python3"}).Stopped("stopped_at_exception", at).Has("3 != 4")
		s.ends("1").Has("FAILED (failures=1)")
	}
	s.Fail("VALIDATION_INVALID_PARAM", "session_start", A{"test": "TestCart.test_wrong", "module": "unittest", "language": "python"}).Has("TestCase")
}

// A framework that is not what our hooks expect is said once: its failing tests do
// not stop.
func TestPythonFrameworkOfAnUnknownKind(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "_pytest"), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "_pytest", "__init__.py"), "", 0o600)
	write(t, filepath.Join(dir, "_pytest", "config.py"), "# the manager of plugins has another name here\n", 0o600)
	write(t, filepath.Join(dir, "main.py"), "import unittest\nimport _pytest.config\nprint('here')\nprint('there')\n", 0o600)
	s := testkit.Start(t, testkit.Options{Dir: dir})
	r := s.OK("session_start", A{"target": "main.py", "timeout_ms": startLimit, "breakpoints": []A{{"file": "main.py", "line": 3}}})
	r.Contains([]string{"data", "warnings", "0"}, "failing tests may not stop: this version of pytest is unknown here", "PytestPluginManager")
	s.OK("execute", nil).Lacks("failing tests may not stop")
}

// A folder of tests without __init__.py may have the name of a package of the standard
// library; what init proposes for it runs the test all the same.
func TestUnittestInAFolderNamedTest(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	p := testkit.NewProgramIn(t, "", "work")
	for _, folder := range []string{"test", "tests"} {
		p.Write(folder+"/cart_test.py", "import unittest\nclass CartTest(unittest.TestCase):\n    def test_empty(self):\n        self.assertEqual(1, 2)\n")
	}
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	for folder, module := range map[string]string{"test": "'cart_test'", "tests": "'tests.cart_test'"} {
		args := A{"target": "./" + folder + "/cart_test.py", "mode": "test", "test": "CartTest::test_empty", "module": "unittest", "timeout_ms": startLimit}
		s.OK("session_start", args).Stopped("stopped_at_exception", folder+"/cart_test.py:4")
		s.OK("inspect", A{"expression": "__name__"}).Want(module, "data", "result", "v") // as ever where nothing is in the way
	}
}
