//go:build linux

package languages

import (
	"os"
	"path/filepath"
	"testing"

	"aidb-mcp/internal/testkit"
)

// A breakpoint in a file that is not imported is not bound, says so as long as
// that is so, and names the file of that name that was loaded in its place.
func TestPythonFilesThatAreNotLoaded(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "main.py"), `import sys

def work(n):
    import late
    return late.double(n)

def main():
    total = 0
    for i in range(3):
        total += work(i)
    print(total)

main()
`, 0o600)
	if err := os.Mkdir(filepath.Join(dir, "copy"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"late.py", "never.py", "copy/late.py"} {
		write(t, filepath.Join(dir, name), "def double(n):\n    return n * 2\n", 0o600)
	}
	s := testkit.Start(t, testkit.Options{Dir: dir})
	const waits = "the program has not loaded this file"
	r := s.OK("session_start", A{"target": "main.py", "timeout_ms": startLimit, "breakpoints": []A{
		{"file": "main.py", "line": 8}, {"file": "late.py", "line": 2, "condition": "n == 1"}, {"file": "copy/late.py", "line": 2}, {"function": "never.double"},
	}})
	r.Stopped("stopped_at_breakpoint", "main.py:8")
	for i, id := range []string{"2", "3", "4"} { // the first one is bound
		at := string(rune('0' + i))
		r.Want(id, "data", "breakpoints", at, "id").Want("false", "data", "breakpoints", at, "verified").Want(waits, "data", "breakpoints", at, "message")
	}
	if steps := r.At("next_steps"); steps != "" {
		t.Errorf("another place is offered for what only waits: %s", steps)
	}
	s.OK("breakpoint", A{"location": "never.py:2"}).Want("false", "data", "breakpoint", "verified").Want(waits, "data", "breakpoint", "message")
	const instead = waits + "; it has loaded "
	r = s.OK("execute", nil).Stopped("stopped_at_breakpoint", "late.py:2")
	r.Want("3", "data", "breakpoints", "0", "id").Want(instead+dir+"/late.py, which has the same name", "data", "breakpoints", "0", "message")
	s.OK("breakpoint", A{"action": "list"}).Want("true", "data", "breakpoints", "1", "verified")
	r = s.OK("execute", nil).Want("terminated", "data", "execution_state", "status")
	r.Want("3", "data", "never_hit", "0", "id").Contains([]string{"data", "never_hit", "0", "message"}, instead).Want(waits, "data", "never_hit", "1", "message")
}
