//go:build linux

package waiting

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"aidb-mcp/internal/testkit"
)

// While all tasks of trio wait, what runs them is on no stack.
func TestTrio(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgramOf(t, "python", "waits")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir, Env: []string{"PYTHONPATH=" + trioPackages(t)}})
	s.OK("diagnose", A{"target": "nursery.py", "timeout_ms": 12_000, "keep": true}).Want("blocked", "data", "verdict")
	s.OK("session", A{"action": "status"}).Want("paused", "data", "execution_state", "status")
	told := s.OK("inspect", A{"target": "waits"})
	kernel{Waits: []wait{
		{At: "wants", For: "lock (trio.Lock", Held: "trio task __main__.keeper", Taken: "locks"},
		{At: "receives", For: "MemoryReceiveChannel.receive: messages"},
		{At: "sleeps", For: "(trio)"},
		{At: "nursery", For: "NurseryManager"},
	}}.compare(t, told, p, tongue{File: "nursery.py"})
	told.Lacks("TrioToken", "<init>")
}

// trioPackages is a folder with trio and what it needs.
func trioPackages(t *testing.T) string {
	t.Helper()
	return packages(t, "trio-0.22.2", "trio==0.22.2", "attrs==25.3.0", "outcome==1.3.0.post0", "sniffio==1.3.1", "sortedcontainers==2.4.0", "idna==3.10", "exceptiongroup==1.3.0", "typing_extensions==4.14.0")
}

// packages is a folder with such packages of Python, fetched once for all runs.
func packages(t *testing.T, name string, list ...string) string {
	t.Helper()
	dir := filepath.Join(testkit.Clients(), name, "site-packages") // as what it is
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	defer testkit.Alone(t, dir+".lock")()
	if _, err := os.Stat(dir); err == nil {
		return dir
	}
	fetched := t.TempDir()
	out, err := exec.Command("python3", append([]string{"-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary", ":all:", "--target", fetched}, list...)...).CombinedOutput()
	if err == nil {
		err = os.CopyFS(dir+".new", os.DirFS(fetched))
	}
	if err == nil {
		err = os.Rename(dir+".new", dir)
	}
	if err != nil {
		t.Fatalf("fetching %s: %v\n%s", name, err, out)
	}
	return dir
}
