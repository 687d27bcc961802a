package debugpy

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"aidb-mcp/internal/recording"
)

// failures are what ended a run and its tests: what it was, the line, the value, the test.
func failures(t *testing.T, kind, name, dir string) []string {
	t.Helper()
	log, _ := recordedRun(t, kind, name, recording.Spec{Calls: &recording.Calls{Names: []string{"*"}}}, dir)
	var list []string
	for _, e := range log.Events {
		if e.Kind == recording.Failed {
			list = append(list, strings.TrimSpace(strings.Join([]string{e.Text, strconv.Itoa(lineOf(e.At)), e.Values[0].Text, e.Test()}, " ")))
		}
	}
	return list
}

func lineOf(at string) int {
	n, _ := strconv.Atoi(at[strings.LastIndexByte(at, ':')+1:])
	return n
}

// What ends a run is an event of it, at the user's line.
func TestRecordedFailure(t *testing.T) {
	for name, c := range map[string]struct{ code, want string }{
		"none":                {"try: {}['k']\nexcept KeyError: pass", ""},
		"uncaught":            {"def f():\n  {}['k']\nf()", "uncaught 2 KeyError: 'k'"},
		"raised in a library": {"import json\njson.loads('{')", "uncaught 2 JSONDecodeError: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"},
		"sys.exit":            {"import sys\ndef f():\n  sys.exit(3)\nf()", "exited 3 3"},
		"sys.exit with words": {"import sys\nsys.exit('bad')", "exited 2 1"},
		"os._exit":            {"import os\nos._exit(4)", "exited 2 4"},
		"a thread":            {"import threading\ndef f():\n  1 / 0\nt = threading.Thread(target=f); t.start(); t.join()", "uncaught 3 ZeroDivisionError: division by zero"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, file := program(t, c.code)
			if got := strings.Join(failures(t, "script", file, dir), "\n"); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// A failure of a test tells which test it is of, and comes before what is torn down.
func TestRecordedTestFailure(t *testing.T) {
	const tests = `import unittest
class T(unittest.TestCase):
    def tearDown(self): pass
    def test_equal(self):
        self.assertEqual(1, 2)
    def test_parts(self):
        for i in (1, 2):
            with self.subTest(i=i):
                self.assertEqual(i, 1)
    def test_skipped(self): self.skipTest("later")
    @unittest.expectedFailure
    def test_known(self): self.fail()
    def test_caught(self):
        with self.assertRaises(KeyError): {}["k"]
`
	for run, want := range map[string]string{
		"import unittest; unittest.main('test_app', argv=['x'], exit=False)":          "uncaught 5 AssertionError: 1 != 2 test_app.T.test_equal|expected 9 AssertionError: 2 != 1 test_app.T.test_parts (i=2)",
		"import pytest; pytest.main(['-q', '-p', 'no:cacheprovider', 'test_app.py'])": "uncaught 5 AssertionError: 1 != 2 test_app.py::T::test_equal|expected 9 AssertionError: 2 != 1 test_app.py::T::test_parts",
	} {
		dir, file := program(t, run)
		if err := os.WriteFile(filepath.Join(dir, "test_app.py"), []byte(tests), 0o600); err != nil {
			t.Fatal(err)
		}
		if older := exec.Command("python3", "-c", "import pytest, sys; sys.exit(pytest.version_tuple < (9,))").Run() != nil; older {
			want = strings.Replace(want, "expected 9 AssertionError: 2 != 1 test_app.py", "uncaught 9 AssertionError: 2 != 1 test_app.py", 1) // it knows no subtests
		}
		if got := strings.Join(failures(t, "script", file, dir), "|"); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", run, got, want)
		}
	}
}
