//go:build linux

package languages

import (
	"os"
	"path/filepath"
	"strings"
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
	r = s.OK("breakpoint", A{"location": "copy/late.py:1"}).Contains([]string{"data", "breakpoint", "message"}, instead)
	s.OK("breakpoint", A{"action": "remove", "id": r.Int("data", "breakpoint", "id")})
	r = s.OK("execute", nil).Want("terminated", "data", "execution_state", "status")
	r.Want("3", "data", "never_hit", "0", "id").Contains([]string{"data", "never_hit", "0", "message"}, instead).Want(waits, "data", "never_hit", "1", "message")
}

// What is shown of bytes has room in a reply, however they are escaped, and the
// rest is read piece by piece; those of a bytearray are shown too.
func TestPythonBytes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "main.py"), `data = bytes(range(128, 256)) * 16
data = data[:2000]
array = bytearray(data)
letters = "a" * 2000
print(len(data))
`, 0o600)
	s := testkit.Start(t, testkit.Options{Dir: dir})
	s.OK("session_start", A{"target": "main.py", "timeout_ms": startLimit, "breakpoints": []A{{"file": "main.py", "line": 5}}})
	for name, begins := range map[string]string{"data": `b'\\x80\\x81`, "array": `bytearray(b'\\x80\\x81`} {
		params, total := map[string]any{"expression": name}, 0
		for pieces := 0; params != nil; pieces++ {
			r := s.OK("inspect", params)
			if pieces == 0 {
				r.Has(begins)
			}
			if len(r.Text) > 4500 || pieces > 10 {
				t.Fatalf("piece %d of %s takes %d bytes", pieces, name, len(r.Text))
			}
			total += strings.Count(r.At("data", "result", "v"), `\x`)
			var omitted []struct {
				Get *struct{ Params map[string]any }
			}
			if params = nil; r.At("omitted") != "" {
				r.Decode(&omitted, "omitted")
				params = omitted[0].Get.Params
			}
		}
		if total != 2000 {
			t.Errorf("%d of the 2000 bytes of %s are shown", total, name)
		}
	}
	r := s.OK("inspect", A{"expression": "letters"})
	if strings.Count(r.At("data", "result", "v"), "a") != 2000 {
		t.Errorf("a text of 2000 letters is not shown whole:\n%s", r)
	}
}

// A process that the program leaves behind as it ends, while it is being joined,
// takes nothing of the output with it and is no failure to warn of.
func TestPythonDaemonAtTheEnd(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "main.py"), `import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(5)
    os._exit(0)
os.wait()
print("done")
`, 0o600)
	s := testkit.Start(t, testkit.Options{Dir: dir})
	for range testkit.Rounds(2, 6) { // it is a matter of milliseconds
		r := s.OK("session_start", A{"target": "main.py", "timeout_ms": startLimit})
		r.Want("terminated", "data", "execution_state", "status").Contains([]string{"data", "output", "stdout"}, "done").Lacks("could not be debugged")
		s.OK("session", A{"action": "stop"})
	}
}
