//go:build linux

package test

import (
	"bufio"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
)

// serving runs testdata/go/service by itself; exited is closed when it has ended.
func serving(t *testing.T) (p *testkit.Program, process *os.Process, exited <-chan struct{}) {
	t.Helper()
	p = testkit.NewProgram(t, "service")
	program := exec.Command(p.Build("."))
	program.Dir = p.Dir
	out, err := program.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "serving\n" {
		t.Fatalf("got %q, %v", line, err)
	}
	go func() { _ = program.Wait(); close(ended) }()
	t.Cleanup(func() { _ = program.Process.Kill(); <-ended })
	return p, program.Process, ended
}

// A start that fails leaves the program alone that it had attached to.
func TestAFailedAttachLeavesTheProgram(t *testing.T) {
	t.Parallel()
	p, program, _ := serving(t)
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	s.Fail("VALIDATION_INVALID_PARAM", "session_start", A{"pid": program.Pid, "exceptions": []string{"nosuch"}})
	testkit.NoneLeft(t, 15*time.Second, children(s))
	if err := program.Signal(syscall.Signal(0)); err != nil {
		t.Fatalf("the program is gone: %v", err)
	}
	s.OK("session_start", A{"pid": program.Pid, "breakpoints": p.BreakAt("handle")}).Stopped("stopped_at_breakpoint", p.At("main.go", "handle"))
}
