//go:build linux

package languages

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

// A program that is attached to keeps the names that it has: what brings the
// debugger in has names of its own.
func TestPythonAttachLeavesNames(t *testing.T) {
	s := openShop(t)
	s.Write("own.py", `import time
def setup(n):
    return n + 1
json = "mine"
n = 0
print("begun", flush=True)
while True:
    n = setup(n)
    time.sleep(0.01)
`)
	program := exec.Command("python3", filepath.Join(s.Program.Dir, "own.py"))
	begin(t, program)
	s.start(A{"pid": program.Process.Pid})
	testkit.Eventually(t, testkit.CallLimit, "the end of the gdb that has put debugpy into it", func() bool {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", program.Process.Pid))
		return err == nil && strings.Contains(string(status), "\nTracerPid:\t0\n")
	})
	other := testkit.Start(t, testkit.Options{Dir: s.Program.Dir}) // would take it away
	other.Fail("SESSION_START_FAILED", "session_start", A{"pid": program.Process.Pid}).Has("has a debugger in it already")
	s.OK("breakpoint", A{"location": "own.py:9"})
	for range 2 { // the second time setup was called since
		s.OK("execute", A{"action": "wait", "timeout_ms": startLimit}).Want("own.py:9", "data", "location").Want("'mine'", "data", "locals", "json", "v")
		s.OK("inspect", A{"target": "expression", "expression": "sorted(k for k in globals() if k[0] != '_')"}).
			Want("['json', 'n', 'setup', 'time']", "data", "result", "v")
		s.OK("execute", A{"timeout_ms": 0})
	}
	s.OK("session", A{"action": "stop"})
}

// begin starts a program and waits for its first line.
func begin(t *testing.T, program *exec.Cmd) {
	t.Helper()
	out, err := program.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = program.Process.Kill()
		_ = program.Wait()
	})
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
}

// What brings the debugger into a program writes nothing to its standard error,
// and leaves nothing in its environment that it needed for that.
func TestPythonAttachIsQuiet(t *testing.T) {
	s := openShop(t)
	s.Write("quiet.py", `import time
print("begun", flush=True)
while True:
    time.sleep(0.01)
`)
	program := exec.Command("python3", filepath.Join(s.Program.Dir, "quiet.py"))
	var complaints bytes.Buffer
	program.Stderr = &complaints
	begin(t, program)
	s.start(A{"pid": program.Process.Pid})
	s.OK("breakpoint", A{"location": "quiet.py:4"})
	s.OK("execute", A{"action": "wait", "timeout_ms": startLimit}).Want("quiet.py:4", "data", "location")
	s.OK("inspect", A{"target": "expression", "expression": "'PYDEVD_DISABLE_FILE_VALIDATION' in __import__('os').environ"}).
		Want("False", "data", "result", "v")
	s.OK("session", A{"action": "stop"})
	_ = program.Process.Kill()
	_ = program.Wait() // then all that it has written is there
	if complaints.Len() > 0 {
		t.Errorf("the program's standard error:\n%s", &complaints)
	}
}

// A function of a program that lies outside of the workspace, and runs elsewhere
// than it lies, is found by the program's command line, and so is its file.
func TestPythonAttachedOutside(t *testing.T) {
	s := openShop(t)
	home := t.TempDir()
	write(t, filepath.Join(home, "away.py"), `import time
def work(n):
    return n + 1
print("begun", flush=True)
n = 0
while True:
    n = work(n)
    time.sleep(0.01)
`, 0o644)
	program := exec.Command("python3", "-u", filepath.Join(home, "away.py"))
	program.Dir = t.TempDir()
	begin(t, program)
	s.start(A{"pid": program.Process.Pid})
	s.OK("execute", A{"action": "pause"})
	s.OK("run_until", A{"location": "work", "timeout_ms": startLimit}).Want(filepath.Join(home, "away.py")+":3", "data", "location")
	s.OK("run_until", A{"location": "away.py:7", "timeout_ms": startLimit}).Want(filepath.Join(home, "away.py")+":7", "data", "location")
	s.OK("session", A{"action": "stop"})
}

// Nothing of the debugger's is on the standard error of the processes that a program
// starts: it may read that.
func TestPythonChildrenAreQuiet(t *testing.T) {
	s := openShop(t)
	s.Write("kid.py", "print('kid')\n")
	s.Write("family.py", `import subprocess, sys
for how in (["-c", "print('kid')"], ["-u", "kid.py"], ["-m", "kid"], [b"kid.py"]):
    kid = subprocess.run([sys.executable, *how], capture_output=True, text=True)
    print(how, repr(kid.stdout), repr(kid.stderr))
`)
	const want = `['-c', "print('kid')"] 'kid\n' ''
['-u', 'kid.py'] 'kid\n' ''
['-m', 'kid'] 'kid\n' ''
[b'kid.py'] 'kid\n' ''
`
	s.start(A{"target": "family.py"}).Want(want, "data", "output", "stdout")
}

// A thread that has just been made goes under the ident of the one that has made it, until
// it runs. A breakpoint that is set meanwhile is hit all the same, by the one that it is for.
func TestPythonBreakpointWhileThreadsBegin(t *testing.T) {
	s := openShop(t)
	s.Write("starting.py", `import _thread, time
def work():
    pass
print("begun", flush=True)
n = 0
while True:
    _thread.start_new_thread(work, ())
    n += 1
    time.sleep(0.001)
`)
	program := exec.Command("python3", filepath.Join(s.Program.Dir, "starting.py"))
	begin(t, program)
	s.start(A{"pid": program.Process.Pid})
	for range 8 {
		s.OK("breakpoint", A{"location": "starting.py:8"})
		s.OK("execute", A{"action": "wait", "timeout_ms": startLimit}).Want("starting.py:8", "data", "location")
		s.OK("breakpoint", A{"action": "clear_all"})
		s.OK("execute", A{"timeout_ms": 0})
	}
	s.OK("session", A{"action": "stop"})
}
