//go:build linux && amd64

package observing

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
	"aidb-mcp/internal/testkit/registry"
)

// newestPython is a Python that takes code which is put to it while it runs. Few machines have one yet.
var newestPython = registry.Pin{
	From: registry.Maven, Name: "org.bytedeco:cpython:3.14.3-1.5.13:jar:linux-x86_64",
	Sum: "eb5f1a6fe2dc498ac18927189a37f28a47b0ba06ae6bd85112eff023fe2eb46f",
}

// takesCode is such an interpreter.
func takesCode(t *testing.T) string {
	t.Helper()
	if path, err := exec.LookPath("python3.14"); err == nil {
		return path
	}
	if err := os.MkdirAll(testkit.Clients(), 0o755); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(testkit.Clients(), "python-"+newestPython.Sum[:8])
	defer testkit.Alone(t, dir+".lock")()
	home := filepath.Join(dir, "org/bytedeco/cpython/linux-x86_64")
	python, ready := filepath.Join(home, "bin", "python3.14"), filepath.Join(dir, ".ready")
	if _, err := os.Stat(ready); err == nil {
		return python
	}
	if err := newestPython.Fetch(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(python, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(ready, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	return python
}

// A running Python that takes code by itself is observed without a debugger, as often as one comes, and
// is left whole also by a server that is killed.
func TestPythonThatTakesCode(t *testing.T) {
	p := startCounted(t, takesCode(t), "counted.py", "0.001")
	observe := A{"mode": "attach", "pid": p.Pid, "adapter_options": A{"observe": true}}
	s := testkit.Start(t, testkit.Options{Dir: p.dir})
	s.OK("session_start", observe).Want("running", "data", "execution_state", "status")
	checkPassesAndWrites(t, s)
	refusals(t, s, "counted.py")
	s.OK("profile", A{"what": "waits", "seconds": 1}).Has("counted.py:").Lacks("own cost")
	s.OK("profile", A{"seconds": 1}).Has("counted.py:").Lacks("own cost")
	s.OK("profile", A{"what": "memory", "seconds": 1}).Has("objects by type")
	id := s.OK("trace", A{"action": "arm", "what": "calls", "functions": []string{"Shop.serve"}}).At("data", "id")
	rows, _ := await(t, s, id, 30)
	if n := checkCalls(t, rows, 4); n < 15 {
		t.Errorf("%d of %d calls have a result: %q", n, len(rows), rows)
	}
	s.OK("session", A{"action": "stop"}).Contains([]string{"summary"}, "the program was left running")
	p.leftAlone(t)
	for range testkit.Rounds(3, 50) {
		s := testkit.Start(t, testkit.Options{Dir: p.dir})
		attach(t, s, observe)
		await(t, s, s.OK("trace", A{"action": "arm", "what": "calls", "functions": []string{"Shop.serve"}}).At("data", "id"), 20)
		s.Kill()
		p.leftAlone(t)
	}
}

// asleep is a program whose main thread waits until a file is there.
const asleep = `import os, sys, threading, time

woken = threading.Event()

def price(n):
    return n * 3

def work():
    n = 0
    while not os.path.exists("wake"):
        n += 1
        price(n)
        time.sleep(0.01)
    woken.set()

threading.Thread(target=work).start()
print("ready", flush=True)
woken.wait()
time.sleep(0.2)
own = {"own", "__name__", "__doc__", "__package__", "__loader__", "__spec__", "__builtins__", "__file__", "__cached__", "__annotations__", "__conditional_annotations__", "os", "sys", "threading", "time", "woken", "price", "work"}
print("woken", sorted(set(globals()) - own), [m for m in sys.modules if m.startswith(("_aidb", "aidb"))])
`

// A main thread that waits takes nothing: that is said, what was put to it is not done later either, and
// the debugger comes by its other way.
func TestPythonWhoseMainThreadWaits(t *testing.T) {
	dir, tmp := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "asleep.py"), []byte(asleep), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(takesCode(t), "asleep.py")
	cmd.Dir = dir
	said := &strings.Builder{}
	cmd.Stdout, cmd.Stderr = said, said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	time.Sleep(500 * time.Millisecond) // its main thread comes to wait
	s := testkit.Start(t, testkit.Options{Dir: dir, Env: []string{"TMPDIR=" + tmp}})
	s.OK("session_start", A{"mode": "attach", "pid": cmd.Process.Pid, "adapter_options": A{"observe": true}})
	s.Fail("CAPABILITY_NOT_SUPPORTED", "trace", A{"action": "arm", "what": "calls", "functions": []string{"price"}}).Has("its main thread", "ran no Python code")
	s.OK("session", A{"action": "stop"})
	s.OK("session_start", A{"mode": "attach", "pid": cmd.Process.Pid, "timeout_ms": 120_000}).Want("running", "data", "execution_state", "status") // by gdb, which is slow on a busy machine
	id := s.OK("trace", A{"action": "arm", "what": "calls", "functions": []string{"price"}}).At("data", "id")
	await(t, s, id, 10)
	s.OK("session", A{"action": "stop"})
	if err := os.WriteFile(filepath.Join(dir, "wake"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-ended:
		if err != nil || strings.Count(said.String(), "\n") != 2 || !strings.Contains(said.String(), "woken [] []") {
			t.Errorf("the program says %q, %v", said, err)
		}
	case <-time.After(patience):
		t.Fatal("the program does not end")
	}
	if left, _ := filepath.Glob(filepath.Join(tmp, "aidb-*.py*")); len(left) > 1 { // of what was put to it in vain first, nobody can tell it any more
		t.Errorf("there are still %q", left)
	}
}
