//go:build linux

package languages

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"aidb-mcp/internal/testkit"
)

// leavingProgram starts a process that outlives it: this waits for the end of the pipe to it, counts,
// and writes what it has counted.
const leavingProgram = `import subprocess, sys
child = subprocess.Popen([sys.executable, "left.py", *sys.argv[1:]], stdin=subprocess.PIPE)
print("left", child.pid, flush=True)
sys.exit(4)
`

const leftProgram = `import sys
sys.stdin.read()
total = 0
for i in range(5):
    total += i  # @mark adds
with open("total", "w") as file:
    file.write(str(total))
while len(sys.argv) > 1:
    pass  # @mark stays
`

// leftPID is the process that the program has said to leave.
func leftPID(t *testing.T, said string) int {
	t.Helper()
	m := regexp.MustCompile(`left (\d+)`).FindStringSubmatch(said)
	if m == nil {
		t.Fatalf("it says %q", said)
	}
	pid, _ := strconv.Atoi(m[1])
	return pid
}

// A process that outlives the first one is debugged to its own end, and both ends are told.
func TestPythonProcessThatOutlivesTheFirst(t *testing.T) {
	s := openShop(t)
	s.Write("leaving.py", leavingProgram)
	s.Write("left.py", leftProgram)
	r := s.start(A{"target": "leaving.py", "breakpoints": []A{{"file": "left.py", "line": s.Line("adds"), "condition": "i == 3"}}})
	r.Stopped("stopped_at_breakpoint", "left.py:5").Want("3", "data", "locals", "total", "v")
	s.OK("inspect", A{"target": "threads"}).Want("1001", "data", "threads", "0", "id")
	step := s.OK("step", A{"action": "over"}).Has("left.py:4")
	s.OK("inspect", A{"target": "evaluate", "expression": "total"}).Has("6")
	end := s.OK("execute", nil).Want("terminated", "data", "execution_state", "status")
	end.Want("4", "data", "execution_state", "exit_code").Lacks("ended with the session") // it has ended by itself
	said := r.JSON + step.JSON + end.JSON                                                 // the first one's end may be told before or after the other's stop
	if n := strings.Count(said, "first process has ended with exit code 4; 1 process that it has started runs on"); n != 1 {
		t.Errorf("the end of the first process is told %d times: %s%s%s", n, r, step, end)
	}
	if text, err := os.ReadFile(filepath.Join(s.Program.Dir, "total")); err != nil || string(text) != "10" {
		t.Errorf("it has written %q, %v", text, err)
	}
}

// One that is ended with the session, or with a run that asks about its first process, is named.
func TestPythonProcessThatOutlivesTheFirstIsEnded(t *testing.T) {
	s := openShop(t)
	s.Write("leaving.py", leavingProgram)
	s.Write("left.py", leftProgram)
	for how, ended := range map[string]func() string{
		"stopped": func() string {
			r := s.start(A{"target": "leaving.py", "args": []string{"on"}, "breakpoints": []A{{"file": "left.py", "line": s.Line("stays")}}}).Stopped("stopped_at_breakpoint", "left.py:9")
			said := r.JSON // the end of the first process is told once: with the stop already, or with a step
			testkit.Eventually(t, testkit.CallLimit, "the end of the first process", func() bool {
				if strings.Contains(said, "first process has ended") {
					return true
				}
				said += s.OK("step", A{"action": "over"}).JSON
				return false
			})
			said += s.OK("inspect", A{"target": "output"}).String()
			return said + s.OK("session", A{"action": "stop"}).String()
		},
		"diagnosed": func() string {
			return s.OK("diagnose", A{"target": "leaving.py", "args": []string{"on"}}).String()
		},
	} {
		said := ended()
		pid := leftPID(t, said)
		if !strings.Contains(said, "(process "+strconv.Itoa(pid)+")") || syscall.Kill(pid, 0) == nil {
			t.Errorf("%s: of process %d it says %s", how, pid, said)
		}
	}
}
