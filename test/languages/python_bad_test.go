//go:build linux

package languages

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"aidb-mcp/adapters/install"
	"aidb-mcp/internal/testkit"
)

// fakePython is an interpreter that says of itself what answer is, and then, run
// as the adapter, is the fake one with a fault.
func fakePython(t *testing.T, answer, otherwise string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "python")
	script := fmt.Sprintf("#!/bin/sh\ncase \"$1\" in\n-c) %s;;\n*) %s;;\nesac\n", answer, otherwise)
	if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// says answers the question what the interpreter is.
func says(version string) string {
	return `printf '\naidb:{"version":[` + version + `],"executable":"%s"}\n' "$0"`
}

func TestPythonInterpretersOfNoUse(t *testing.T) {
	s := openShop(t)
	old := fakePython(t, says("3, 7, 16"), "exit 1")
	refuse := func(code string, args A, words ...string) {
		t.Helper()
		args["target"], args["language"] = "chain.py", "python"
		s.Fail(code, "session_start", args).Has(words...).Want("runtime_path", "error", "field")
	}
	refuse("SESSION_START_FAILED", A{"runtime_path": old}, "Python 3.7.16", "too old", "3.8")
	refuse("VALIDATION_INVALID_PARAM", A{"runtime_path": "/no/such/python"}, "no Python interpreter at /no/such/python")
	refuse("VALIDATION_INVALID_PARAM", A{"runtime_path": "shop"}, "without a Python interpreter in it")
	refuse("SESSION_START_FAILED", A{"runtime_path": "/bin/false"}, "no working Python interpreter", "exit code 1")
	refuse("SESSION_START_FAILED", A{"runtime_path": fakePython(t, "echo 'ImportError: broken' >&2; exit 1", "exit 1")}, "ImportError: broken")
	s.NothingLeft(testkit.CallLimit)
}

func TestPythonWithoutInterpreter(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgramOf(t, "python", "project")
	empty := t.TempDir()
	s := testkit.Start(t, testkit.Options{Dir: p.Dir, Env: []string{"PATH=" + empty, "VIRTUAL_ENV=", "CONDA_PREFIX="}})
	s.Fail("SESSION_START_FAILED", "session_start", A{"target": "chain.py"}).Has("no Python interpreter was found", "runtime_path")
	p.Write(".venv/pyvenv.cfg", "home = /nowhere\n")
	s.Fail("SESSION_START_FAILED", "session_start", A{"target": "chain.py"}).Has("virtual environment ./.venv is broken")
}

func TestPythonAdaptersOfNoUse(t *testing.T) {
	cases := []struct {
		fault testkit.Fault
		code  string
		says  string
	}{
		{testkit.Hangs, "ADAPTER_TIMEOUT", "initialize"},
		{testkit.Dies, "ADAPTER_CRASHED", testkit.FakeWords},
		{testkit.Babbles, "ADAPTER_TIMEOUT", "initialize"},
		{testkit.DiesAtLaunch, "ADAPTER_CRASHED", testkit.FakeWords},
	}
	t.Parallel()
	for _, c := range cases {
		t.Run(string(c.fault), func(t *testing.T) {
			t.Parallel()
			p := testkit.NewProgramOf(t, "python", "project")
			s := testkit.Start(t, testkit.Options{Dir: p.Dir, Args: []string{"--adapter-start-timeout", "2s"}})
			python := fakePython(t, says("3, 11, 0"), "exec "+testkit.FakeAdapter(t, "python", c.fault))
			s.Fail(c.code, "session_start", A{"target": "chain.py", "runtime_path": python}).Has(c.says)
			s.Fail("SESSION_NOT_STARTED", "step", nil)
			s.NothingLeft(testkit.CallLimit)
		})
	}
}

func TestPythonAdapterMissingAndDamaged(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgramOf(t, "python", "project")
	home := t.TempDir()
	s := testkit.Start(t, testkit.Options{Dir: p.Dir, Env: []string{"AIDB_HOME=" + home}})
	s.Fail("ADAPTER_NOT_FOUND", "session_start", A{"target": "chain.py"}).Has("aidb-mcp adapters install python")

	from := install.Store{Home: install.Home()}.Dir("debugpy")
	to := install.Store{Home: home}.Dir("debugpy")
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(to, "debugpy", "adapter", "__main__.py")); err != nil {
		t.Fatal(err)
	}
	s.Fail("ADAPTER_INSTALL_FAILED", "session_start", A{"target": "chain.py"}).Has("damaged", "--force")
}

func TestPythonProgramsOfNoUse(t *testing.T) {
	s := openShop(t)
	s.Write("broken.py", "x = 1\ndef f(:\n    pass\n")
	s.Fail("BUILD_FAILED", "session_start", A{"target": "broken.py"}).Has("broken.py:2", "SyntaxError", "def f(:").
		Want("2", "error", "details", "errors", "0", "line")
	s.Write("importing.py", "import nosuchmodule\n")
	s.start(A{"target": "importing.py"}).Stopped("stopped_at_exception", "importing.py:1").Has("ModuleNotFoundError", "nosuchmodule")
	s.OK("session", A{"action": "stop"})
	s.Write("ill/__init__.py", "import nosuchmodule\n")
	s.Write("ill/cli.py", "")
	s.start(A{"module": "ill.cli"}).Stopped("stopped_at_exception", "ill/__init__.py:1").Lacks("debugpy/", "sys.argv")
	s.OK("session", A{"action": "stop"})
	s.Fail("VALIDATION_INVALID_TARGET", "session_start", A{"target": "chian.py"}).Has("chain.py")
	s.Fail("VALIDATION_INVALID_TARGET", "session_start", A{"target": "tests", "mode": "launch", "language": "python"}).Has("__main__.py", "test_cart.py")
	s.Fail("VALIDATION_INVALID_TARGET", "session_start", A{"module": "shop.crt", "language": "python"}).Has("did you mean shop.cart?")
	s.Fail("VALIDATION_INVALID_TARGET", "session_start", A{"module": "nosuch.thing", "language": "python"}).Has("no module nosuch", "pip install")
	s.Fail("SESSION_START_FAILED", "session_start", A{
		"target": "chain.py", "adapter_options": A{"pythonArgs": []string{"--nosuch-option"}}, "timeout_ms": startLimit,
	}).Has("ended before it could be debugged")
}

func TestPythonWithoutFrameworks(t *testing.T) {
	s := openShop(t)
	bare := filepath.Join(t.TempDir(), "bare")
	run(t, s.Program.Dir, "python3", "-m", "venv", "--without-pip", bare)
	s.Fail("SESSION_START_FAILED", "session_start", A{"test": "test_total", "runtime_path": bare, "language": "python"}).
		Has("pytest is not installed", "-m pip install pytest")
	s.Write("web/manage.py", "from django.core.management import execute_from_command_line\n")
	s.Fail("SESSION_START_FAILED", "session_start", A{"target": "web/manage.py", "args": []string{"runserver"}, "runtime_path": bare}).
		Has("Django is not installed", "-m pip install django")
	s.Fail("VALIDATION_INVALID_TARGET", "session_start", A{"module": "flask", "args": []string{"run"}, "runtime_path": bare, "language": "python"}).
		Has("no module flask", "-m pip install flask")
	s.start(A{"test": "TestUnit.test_unit", "runtime_path": bare}).Has("exited with code 0")
}

func TestPythonProcessesOfNoUse(t *testing.T) {
	s := openShop(t)
	s.Fail("VALIDATION_INVALID_PARAM", "session_start", A{"pid": 4194304, "language": "python"}).Has("there is no process 4194304")
	sleep := exec.Command("sleep", "600")
	if err := sleep.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = sleep.Process.Kill()
		_ = sleep.Wait()
	})
	s.Fail("VALIDATION_INVALID_TARGET", "session_start", A{"pid": sleep.Process.Pid, "language": "python"}).Has("no Python program", "sleep")
}

func TestPythonPortsOfNoUse(t *testing.T) {
	s := openShop(t)
	port := testkit.Port(t)
	listener, err := net.Listen("tcp", testkit.Address(port))
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_, _ = conn.Write([]byte("SSH-2.0-OpenSSH_9.2 is no debugger\r\n"))
			_ = conn.Close()
		}
	}()
	s.Fail("SESSION_START_FAILED", "session_start", A{"port": port, "language": "python"}).Has("no Python debugger")
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	s.Fail("SESSION_START_FAILED", "session_start", A{"port": port, "language": "python"}).Has("no debugger answers", "--listen")
	s.Fail("VALIDATION_MISSING_PARAM", "session_start", A{"mode": "remote_attach", "language": "python"}).Has("port is missing")
}
