//go:build linux

package test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"aidb-mcp/internal/testkit"
)

// serving runs testdata/go/service by itself; exited is closed when it has ended.
func serving(t *testing.T) (p *testkit.Program, process *os.Process, exited <-chan struct{}) {
	t.Helper()
	p = testkit.NewProgram(t, "service")
	process, exited = serve(t, p.Build("."), p.Dir)
	return p, process, exited
}

// serve runs that program once it is built.
func serve(t *testing.T, binary, dir string, args ...string) (process *os.Process, exited <-chan struct{}) {
	t.Helper()
	program := exec.Command(binary, args...)
	program.Dir = dir
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
	return program.Process, ended
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

// A program is attached to by its name, its path or a part of its command line.
// Where several have that, the error lists them, with calls that attach to each.
func TestAttachByName(t *testing.T) {
	t.Parallel()
	p, first, _ := serving(t)
	binary, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", first.Pid))
	if err != nil {
		t.Fatal(err)
	}
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	const anywhere = "./service-of-nobody"
	s.Fail("VALIDATION_INVALID_TARGET", "session_start", A{"mode": "attach", "target": anywhere}).
		Want("target", "error", "field").Has("no process of this user", anywhere)
	s.OK("session_start", A{"mode": "attach", "target": binary, "breakpoints": p.BreakAt("handle")}).
		Stopped("stopped_at_breakpoint", p.At("main.go", "handle")).Contains([]string{"summary"}, fmt.Sprintf("attached to process %d, ", first.Pid))

	second, _ := serve(t, binary, p.Dir, "--queue=mail")
	s.Fail("VALIDATION_INVALID_PARAM", "session_start", A{"mode": "attach", "pid": first.Pid}).Has("debugged already, by session go-1")
	s.OK("session", A{"action": "stop"}).Contains([]string{"summary"}, "the program was left running")
	r := s.Fail("VALIDATION_INVALID_TARGET", "session_start", A{"mode": "attach", "target": binary}).Has("2 processes match")
	for i, pid := range []int{second.Pid, first.Pid} { // the newest first
		n, row := strconv.Itoa(pid), strconv.Itoa(i)
		r.Want(n, "error", "details", "processes", row, "pid").Want("go", "error", "details", "processes", row, "language").
			Want("session_start", "next_steps", row, "tool").Want(n, "next_steps", row, "params", "pid")
	}
	var step A
	r.Decode(&step, "next_steps", "1", "params")
	s.OK("session_start", step).Want("running", "data", "execution_state", "status")
	s.OK("session", A{"action": "stop"})
	s.OK("session_start", A{"mode": "attach", "target": filepath.Base(filepath.Dir(filepath.Dir(binary))) + ".*queue=(mail|news)"}).Contains([]string{"summary"}, fmt.Sprintf("attached to process %d, ", second.Pid))
	s.OK("session", A{"action": "stop"})
	for _, program := range []*os.Process{first, second} {
		if err := program.Signal(syscall.Signal(0)); err != nil {
			t.Errorf("a program is gone: %v", err)
		}
	}
}

// Why a process cannot be attached to is told before anything is tried.
func TestAttachToWhatCannotBe(t *testing.T) {
	t.Parallel()
	p, held, _ := serving(t)
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	other := testkit.Start(t, testkit.Options{Dir: p.Dir})
	other.OK("session_start", A{"mode": "attach", "pid": held.Pid})
	s.Fail("VALIDATION_INVALID_PARAM", "session_start", A{"mode": "attach", "pid": held.Pid}).Want("pid", "error", "field").Has("held already by another debugger", "dap-go")
	other.OK("session", A{"action": "stop"})

	ended := exec.Command("true")
	if err := ended.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = ended.Wait() }()
	if err := unix.Waitid(unix.P_PID, ended.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil); err != nil {
		t.Fatal(err)
	}
	for _, language := range []string{"", "go", "python", "java", "javascript", "cpp"} {
		s.Fail("VALIDATION_INVALID_PARAM", "session_start", A{"mode": "attach", "pid": ended.Process.Pid, "language": language}).
			Has(fmt.Sprintf("process %d has ended", ended.Process.Pid), strconv.Itoa(os.Getpid()))
	}
	s.Fail("VALIDATION_INVALID_PARAM", "session_start", A{"mode": "attach", "pid": s.PID()}).Has("this debugger itself")
	if os.Getuid() != 0 {
		s.Fail("VALIDATION_INVALID_PARAM", "session_start", A{"mode": "attach", "pid": 1}).Has("belongs to another user (root)")
	}
}
