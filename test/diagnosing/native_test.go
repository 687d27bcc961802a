//go:build linux

package diagnosing

import (
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"aidb-mcp/internal/testkit"
)

// A core file and a program that runs already are judged where they stand, and nothing
// is advised that would need another run.
func TestStanding(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	s := open(t, cpp)
	run := func(name string, args ...string) {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = s.Program.Dir
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
	}
	run("gcc", "-g", "-O0", "-o", "faulty", "faulty.c")
	dumper := filepath.Join(testkit.Home(), "gdb", "bin", "gdb")
	run(dumper, "-q", "-nx", "-batch", "-ex", "set debuginfod enabled off", "-ex", "run null", "-ex", "generate-core-file core.faulty", "faulty")
	r := s.OK("diagnose", A{"start": A{"target": "faulty", "core_file": "core.faulty"}, "timeout_ms": 60_000})
	s.holds(t, r, failure{Verdict: "signal", At: "faulty.c@c-null", Culprit: "o->customer->address", Value: "nullptr", Message: "SIGSEGV", Lacks: []string{"next_steps"}})
	s.OK("inspect", A{"expression": "o->id", "session_id": r.At("session_id")}).Want("7", "data", "result", "v")

	run("g++", "-std=c++17", "-g", "-O0", "-pthread", "-o", "busy", "faulty.cpp")
	busy := exec.Command(filepath.Join(s.Program.Dir, "busy"), "busy")
	if err := busy.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = busy.Process.Kill(); _ = busy.Wait() })
	r = s.OK("diagnose", A{"start": A{"pid": busy.Process.Pid, "mode": "attach"}, "keep": false, "timeout_ms": 60_000})
	s.holds(t, r, failure{Verdict: "cut", Has: []string{`"steps":{"old"`, "it computes, in collatz"}, Lacks: []string{"next_steps"}})
	if err := busy.Process.Signal(syscall.Signal(0)); err != nil {
		t.Errorf("the program was ended: %v", err)
	}
}
