//go:build linux

package languages

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
)

// cppProgram is a server beside a copy of the tour that is not compiled.
func cppProgram(t *testing.T) (*testkit.Server, *testkit.Program) {
	t.Helper()
	p := testkit.NewProgramOf(t, "cpp", "tour")
	return testkit.Start(t, testkit.Options{Dir: p.Dir, Env: withGDB()}), p
}

// cppTour is a server beside the compiled tour that tests share which change nothing of it.
func cppTour(t *testing.T) (*testkit.Server, *testkit.Program) {
	t.Helper()
	p := native[0].common(t)
	return testkit.Start(t, testkit.Options{Dir: p.Dir, Env: withGDB()}), p
}

// buildTour compiles a copy of the tour.
func buildTour(t *testing.T, p *testkit.Program) {
	t.Helper()
	run(t, p.Dir, "g++", "-g", "-O0", "-pthread", "-o", "tour", "tour.cpp")
}

func write(t testing.TB, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// TestNativeTargets refuses what is no program for this machine, each in words of its own.
func TestNativeTargets(t *testing.T) {
	t.Parallel()
	s, p := cppProgram(t)
	buildTour(t, p)
	run(t, p.Dir, "strip", "-o", "stripped", "tour")
	p.Write("part.c", "int part(void) { return 1; }\n")
	run(t, p.Dir, "gcc", "-g", "-c", "-o", "tour.o", "part.c")
	run(t, p.Dir, "gcc", "-g", "-shared", "-fPIC", "-o", "shared", "part.c")
	text, err := os.ReadFile(filepath.Join(p.Dir, "tour"))
	if err != nil {
		t.Fatal(err)
	}
	other := byte(0xb7) // AArch64
	if text[18] == other {
		other = 0x3e
	}
	text[18] = other
	write(t, filepath.Join(p.Dir, "foreign"), string(text), 0o755)
	write(t, filepath.Join(p.Dir, "cut"), string(text[:700]), 0o755)
	write(t, filepath.Join(p.Dir, "script"), "#!/bin/sh\n", 0o755)
	write(t, filepath.Join(p.Dir, "unrunnable"), string(mustRead(t, p, "tour")), 0o644)
	for _, tt := range []struct{ target, message, hint string }{
		{"stripped", "no debug information", "-g -O0"},
		{"foreign", "was built for", "this machine"},
		{"cut", "no program", "compiled program"},
		{"script", "is text", "language"},
		{"tour.o", "object file", "link it"},
		{"shared", "shared library", "program that loads it"},
		{"unrunnable", "no permission to execute", "chmod +x"},
		{"tuor", "no ./tuor", "tour"},
		{".", "directory", "mode launch"},
	} {
		r := s.Fail("VALIDATION_INVALID_TARGET", "session_start", A{"target": tt.target, "mode": "exec", "language": "cpp"})
		r.Contains([]string{"error", "message"}, tt.message).Contains([]string{"error", "hint"}, tt.hint).Want("target", "error", "field")
	}
	r := s.OK("session_start", A{
		"target": "stripped", "mode": "exec", "timeout_ms": startLimit, "args": []string{"exit3"},
		"adapter_options": A{"no_debug_info": true},
	})
	r.Want("3", "data", "execution_state", "exit_code")
}

func mustRead(t *testing.T, p *testkit.Program, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(p.Dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestNativeOptimised says so of an optimized program, and of a value that is not there.
func TestNativeOptimised(t *testing.T) {
	t.Parallel()
	s, p := cppProgram(t)
	p.Write("fast.c", strings.Join([]string{
		"#include <stdio.h>",
		"__attribute__((noinline)) int work(int n) {",
		"  int gone = n * 3;",
		`  printf("working\\n");`,
		"  return n + 1;",
		"}",
		"int main(void) { return work(1) - 2; }", "",
	}, "\n"))
	run(t, p.Dir, "gcc", "-g", "-O2", "-o", "fast", "fast.c")
	for _, debugger := range viewers() {
		r := s.OK("session_start", A{
			"target": "fast", "timeout_ms": startLimit, "breakpoints": []A{{"function": "work"}}, "adapter_options": A{"debugger": debugger},
		}).Want("stopped_at_breakpoint", "data", "execution_state", "status")
		r.Contains([]string{"data", "warnings"}, "optimization", "-O0")
		s.Call("inspect", A{"expression": "gone"}).Has("optimized away")
	}
}

// TestNativeSources finds sources that were moved since the build, or says that it cannot.
func TestNativeSources(t *testing.T) {
	t.Parallel()
	s, p := cppProgram(t)
	at := filepath.Join(p.Dir, "built")
	for _, dir := range []string{at, filepath.Join(p.Dir, "here")} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(at, "tour.cpp"), string(mustRead(t, p, "tour.cpp")), 0o644)
	run(t, at, "g++", "-g", "-O0", "-pthread", "-o", "../tour", "tour.cpp")
	if err := os.Rename(filepath.Join(at, "tour.cpp"), filepath.Join(p.Dir, "here", "tour.cpp")); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(at); err != nil {
		t.Fatal(err)
	}
	start := func(more A) A {
		a := A{"target": "tour", "args": []string{"calls"}, "timeout_ms": startLimit}
		maps.Copy(a, more)
		return a
	}
	line := p.Line("combine-return")
	there := []A{{"file": "here/tour.cpp", "line": line}}
	for _, more := range []A{
		{"path_mappings": []A{{"local": "here", "remote": at}}, "breakpoints": there},
		{"source_paths": []string{"here"}, "breakpoints": there},
		{"source_paths": []string{"here"}, "breakpoints": there, "adapter_options": A{"debugger": "gdb"}},
	} {
		s.OK("session_start", start(more)).Stopped("stopped_at_breakpoint", p.At("here/tour.cpp", "combine-return"))
	}
	r := s.OK("session_start", start(A{"breakpoints": []A{{"function": "combine"}}}))
	r.Contains([]string{"data", "warnings"}, at, "path_mappings").Want("stopped_at_breakpoint", "data", "execution_state", "status")
	for _, tt := range []struct{ local, remote, message, hint string }{
		{"here", "/nowhere/at/all", "nothing in the program was built below /nowhere/at/all", at},
		{"missing", at, "missing is not a directory", "local"},
	} {
		r := s.Fail("VALIDATION_INVALID_PARAM", "session_start", start(A{"path_mappings": []A{{"local": tt.local, "remote": tt.remote}}}))
		r.Contains([]string{"error", "message"}, tt.message).Contains([]string{"error", "hint"}, tt.hint).Want("path_mappings", "error", "field")
	}
}

// TestNativeElsewhere tells plainly why nothing can be attached to.
func TestNativeElsewhere(t *testing.T) {
	t.Parallel()
	s, _ := cppTour(t)
	for _, tt := range []struct {
		code string
		args A
		says string
	}{
		{"VALIDATION_INVALID_PARAM", A{"mode": "attach", "pid": 4194000}, "no process 4194000"},
		{"VALIDATION_MISSING_PARAM", A{"mode": "attach"}, "Neither pid nor target"},
		{"VALIDATION_MISSING_PARAM", A{"mode": "remote_attach", "target": "tour"}, "port is missing"},
		{"SESSION_START_FAILED", A{"mode": "remote_attach", "target": "tour", "port": 1}, "no debug server answers at 127.0.0.1:1"},
		{"SESSION_START_FAILED", A{"mode": "remote_attach", "target": "tour", "host": "no-such-host.invalid", "port": 2345}, "no-such-host.invalid"},
	} {
		tt.args["language"] = "cpp"
		r := s.Fail(tt.code, "session_start", tt.args)
		r.Contains([]string{"error", "message"}, tt.says)
		if r.At("error", "hint") == "" {
			t.Errorf("no hint:\n%s", r)
		}
	}
}

// TestNativeCore looks at a core file with each debugger, and refuses one that is not the program's.
func TestNativeCore(t *testing.T) {
	t.Parallel()
	s, p := cppProgram(t)
	buildTour(t, p)
	dumper := filepath.Join(testkit.Home(), "gdb", "bin", "gdb")
	run(t, p.Dir, dumper, "-q", "-nx", "-batch", "-ex", "set debuginfod enabled off", "-ex", "set args throw", "-ex", "run",
		"-ex", "generate-core-file core.tour", "tour")
	for _, debugger := range viewers() {
		r := s.OK("session_start", A{
			"target": "tour", "core_file": "core.tour", "timeout_ms": startLimit, "adapter_options": A{"debugger": debugger},
		})
		r.Stopped("stopped_at_exception", p.At("tour.cpp", "throw")).Want("SIGABRT", "data", "execution_state", "signal")
		s.OK("inspect", A{"expression": "code"}).Want("7", "data", "result", "v")
		s.Fail("EVALUATION_FAILED", "inspect", A{"expression": "nosuch[1]"}).Contains([]string{"error", "message"}, "nosuch")
		s.Fail("CAPABILITY_NOT_SUPPORTED", "execute", nil).Contains([]string{"error", "message"}, "core file")
		s.OK("session", A{"action": "stop"})
	}
	run(t, p.Dir, "g++", "-g", "-O1", "-pthread", "-o", "other", "tour.cpp")
	for _, tt := range []struct{ target, core, message string }{
		{"other", "core.tour", "was not written by ./other but by"},
		{"tour", "tour.cpp", "not a core file"},
		{"tour", "core.none", "no core file ./core.none"},
	} {
		r := s.Fail("VALIDATION_INVALID_TARGET", "session_start", A{"target": tt.target, "core_file": tt.core, "language": "cpp"})
		r.Contains([]string{"error", "message"}, tt.message)
	}
}

// TestNativeDebuggers tells what is wrong with a debugger that is missing, too
// old, damaged, silent, dying or talking nonsense.
func TestNativeDebuggers(t *testing.T) {
	t.Parallel()
	p := native[0].common(t)
	damaged := t.TempDir()
	if err := os.MkdirAll(filepath.Join(damaged, "adapters", "codelldb", "adapter"), 0o755); err != nil {
		t.Fatal(err)
	}
	none := testkit.Start(t, testkit.Options{Dir: p.Dir, Env: []string{"PATH=/nowhere", "AIDB_HOME=" + t.TempDir()}})
	r := none.Fail("ADAPTER_NOT_FOUND", "session_start", A{"target": "tour"})
	r.Contains([]string{"error", "hint"}, "adapters install cpp")
	broken := testkit.Start(t, testkit.Options{Dir: p.Dir, Env: []string{"PATH=/nowhere", "AIDB_HOME=" + damaged}})
	broken.Fail("ADAPTER_NOT_FOUND", "session_start", A{"target": "tour"}).Contains([]string{"error", "message"}, "damaged")

	s := testkit.Start(t, testkit.Options{Dir: p.Dir, Args: []string{"--adapter-start-timeout", "3s"}})
	old := filepath.Join(t.TempDir(), "gdb")
	write(t, old, "#!/bin/sh\necho GNU gdb 12.1\n", 0o755)
	for _, tt := range []struct {
		options A
		code    string
		says    []string
	}{
		{A{"debugger": "windbg"}, "VALIDATION_INVALID_PARAM", []string{"windbg", "codelldb, lldb-dap or gdb"}},
		{A{"debugger_path": "/nowhere/lldb-dap"}, "ADAPTER_NOT_FOUND", []string{"/nowhere/lldb-dap"}},
		{A{"debugger_path": old}, "ADAPTER_NOT_FOUND", []string{"gdb 12.1", "14"}},
		{A{"debugger_path": testkit.FakeAdapter(t, "lldb-dap-19", testkit.Hangs)}, "ADAPTER_TIMEOUT", []string{"within 3s"}},
		{A{"debugger_path": testkit.FakeAdapter(t, "lldb-dap-19", testkit.Dies)}, "ADAPTER_CRASHED", []string{testkit.FakeWords}},
		{A{"debugger_path": testkit.FakeAdapter(t, "lldb-dap-19", testkit.Babbles)}, "ADAPTER", []string{testkit.FakeWords}},
		{A{"debugger_path": testkit.FakeAdapter(t, "lldb-dap-19", testkit.DiesAtLaunch)}, "ADAPTER_CRASHED", []string{"ended unexpectedly", "name members plainly"}},
	} {
		r := s.Call("session_start", A{"target": "tour", "adapter_options": tt.options, "timeout_ms": startLimit})
		r.Contains([]string{"error", "code"}, tt.code)
		r.Has(tt.says...)
		if r.At("error", "hint") == "" {
			t.Errorf("no hint:\n%s", r)
		}
	}
	testkit.NoneLeft(t, 10*time.Second, func() []testkit.Proc { return testkit.Descendants(s.PID()) })
}

// TestNativeCrashes names signals with their addresses, aborts with their messages.
func TestNativeCrashes(t *testing.T) {
	t.Parallel()
	s, p := cppProgram(t)
	p.Write("crash.c", strings.Join([]string{
		"#include <assert.h>", "#include <signal.h>", "#include <stdlib.h>", "#include <string.h>",
		"struct node { int value; struct node *next; };",
		"int follow(struct node *n) {",
		"  return n->next->value;",
		"}",
		"int main(int argc, char **argv) {",
		"  struct node last = {1, 0};",
		"  volatile int zero = 0;",
		`  if (!strcmp(argv[1], "null")) return follow(&last);`,
		`  if (!strcmp(argv[1], "divide")) return 10 / zero;`,
		`  if (!strcmp(argv[1], "assert")) assert(zero == 1);`,
		`  if (!strcmp(argv[1], "kill")) raise(SIGKILL);`,
		`  if (!strcmp(argv[1], "nine")) return 9;`,
		"  return 11;",
		"}", "",
	}, "\n"))
	run(t, p.Dir, "gcc", "-g", "-O0", "-o", "crash", "crash.c")
	for _, debugger := range debuggers() {
		for _, tt := range []struct{ how, signal, says, at, end string }{
			{"null", "SIGSEGV", "at 0x0", "crash.c:7", "SIGSEGV"},
			{"divide", "SIGFPE", "divi", "crash.c:13", "SIGFPE"},
			{"assert", "SIGABRT", "zero == 1", "crash.c:14", "SIGABRT"},
		} {
			start := A{"target": "crash", "args": []string{tt.how}, "timeout_ms": startLimit, "adapter_options": A{"debugger": debugger}}
			r := s.OK("session_start", start).Stopped("stopped_at_exception", tt.at)
			r.Want(tt.signal, "data", "execution_state", "signal").Contains([]string{"data", "exception", "message"}, tt.says)
			s.OK("execute", nil).Contains([]string{"data", "execution_state", "signal"}, tt.end)
		}
		if debugger == "gdb" && !testkit.IsLong() { // the kernel says how it ended
			continue
		}
		end := func(how string) testkit.Reply {
			return s.OK("session_start", A{
				"target": "crash", "args": []string{how}, "timeout_ms": startLimit, "adapter_options": A{"debugger": debugger},
			}).Want("terminated", "data", "execution_state", "status")
		}
		end("fine").Want("11", "data", "execution_state", "exit_code") // the number of SIGSEGV, and yet no signal
		end("nine").Want("9", "data", "execution_state", "exit_code")
		end("kill").Want("SIGKILL (killed)", "data", "execution_state", "signal")
	}
}
