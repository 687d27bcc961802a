//go:build linux && amd64

package profiling

import (
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

// within says that shares are those that the program says itself, as near as samples tell.
func within(t *testing.T, r testkit.Reply, most float64, names ...string) {
	t.Helper()
	functions := rows(r, "functions")
	for _, name := range names {
		want, got := said(t, r, name), functions[name].Total
		if math.Abs(want-got) > most {
			t.Errorf("%s has %.1f %%, and the program says %.1f %%: %s", name, got, want, r)
		}
	}
}

// The shares of a run of Python are those that the program's own clock says: loops, generators,
// what is written in C, and another thread.
func TestSharesOfPython(t *testing.T) {
	dir := folder(t, "shares.py")
	s := testkit.Start(t, testkit.Options{Dir: dir})
	r := s.OK("profile", A{"target": "shares.py", "timeout_ms": 120_000, "save": true})
	within(t, r, 9, "heavy", "light", "native", "aside")
	r.Contains([]string{"data", "ended"}, "exit code 3")
	r.Contains([]string{"data", "cost"}, "the sampler used")
	if _, err := os.Stat(filepath.Join(dir, r.At("data", "file"))); err != nil {
		t.Error(err)
	}
}

// A run of JavaScript: as of Python, and with its worker's time; one that never comes back to
// its event loop is measured all the same.
func TestSharesOfJavaScript(t *testing.T) {
	dir := folder(t, "shares.js")
	for _, file := range []string{"worker.js", "busy.js"} {
		text, err := os.ReadFile(filepath.Join("testdata", file))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, file), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	s := testkit.Start(t, testkit.Options{Dir: dir})
	r := s.OK("profile", A{"target": "shares.js", "timeout_ms": 120_000, "save": true})
	within(t, r, 9, "heavy", "light", "native")
	text, err := os.ReadFile(filepath.Join(dir, r.At("data", "file")))
	var kept struct {
		Nodes   []json.RawMessage `json:"nodes"`
		Samples []int             `json:"samples"`
	}
	if err == nil {
		err = json.Unmarshal(text, &kept)
	}
	if err != nil || !strings.HasSuffix(r.At("data", "file"), ".cpuprofile") || len(kept.Nodes) == 0 || len(kept.Samples) < 500 {
		t.Errorf("the file %s has %d samples: %v", r.At("data", "file"), len(kept.Samples), err)
	}

	r = s.OK("profile", A{"target": "worker.js", "timeout_ms": 120_000})
	within(t, r, 9, "inMain", "inWorker") // by time: how much of a processor each of them gets is the machine's affair
	if functions := rows(r, "functions"); functions["inMain"].Total+functions["inWorker"].Total < 80 {
		t.Errorf("the two threads have less than nearly all: %s", r)
	}

	r = s.OK("profile", A{"target": "busy.js", "seconds": 2, "timeout_ms": 60_000})
	if got := rows(r, "functions")["forever"].Self; got < 80 {
		t.Errorf("forever has %.1f %%: %s", got, r)
	}
	r.Contains([]string{"data", "ended"}, "still running")
}

// held is a row of a profile of memory.
type held struct {
	Type  string `json:"type"`
	Count int64  `json:"count"`
	Grown int64  `json:"grown_count"`
}

func heldOf(t *testing.T, r testkit.Reply, name string) held {
	t.Helper()
	var list []held
	r.Decode(&list, "data", "rows")
	for _, h := range list {
		if h.Type == name {
			return h
		}
	}
	return held{}
}

// Of a leak in Python the objects are counted one by one, and the way to them is told.
func TestLeakOfPython(t *testing.T) {
	s := testkit.Start(t, testkit.Options{Dir: folder(t, "leak.py")})
	r := s.OK("profile", A{"target": "leak.py", "what": "memory", "timeout_ms": 120_000, "max_bytes": 40_000, "limit": 200})
	if got := heldOf(t, r, "__main__.Session"); got.Count != 4000 || float64(got.Grown) != said(t, r, "kept") {
		t.Errorf("%+v sessions: %s", got, r)
	}
	if got := heldOf(t, r, "__main__.Request"); got.Count != 0 {
		t.Errorf("%+v requests are kept: %s", got, r)
	}
	r.Contains([]string{"data", "holder"}, "module __main__", ".KEPT", "Session", ".text")
	if got := rows(r, "lines")["Session.__init__"]; got.Grown == 0 {
		if got = rows(r, "lines")["__init__"]; got.Grown < 4000*100 {
			t.Errorf("Session's line holds %d bytes: %s", got.Grown, r)
		}
	}
}

// Of a leak in JavaScript the same, while the program runs on until its time is over.
func TestLeakOfJavaScript(t *testing.T) {
	s := testkit.Start(t, testkit.Options{Dir: folder(t, "leak.js")})
	r := s.OK("profile", A{"target": "leak.js", "what": "memory", "seconds": 3, "timeout_ms": 120_000, "max_bytes": 40_000, "limit": 200})
	account := heldOf(t, r, "Account")
	if account.Count < 100 || account.Count%20 != 0 || account.Count != account.Grown {
		t.Errorf("%+v accounts, which come by twenties: %s", account, r)
	}
	if got := heldOf(t, r, "Request"); got.Count != 0 {
		t.Errorf("%+v requests are kept: %s", got, r)
	}
	r.Contains([]string{"data", "holder"}, "variable kept", "Map")
}

// Where threads and tasks of Python stand is told, each as often as it is.
func TestWaitsOfPython(t *testing.T) {
	s := testkit.Start(t, testkit.Options{Dir: folder(t, "waits.py")})
	r := s.OK("profile", A{"target": "waits.py", "what": "waits", "seconds": 2, "timeout_ms": 60_000})
	got := rows(r, "rows")
	one := got["grab"].Self
	if one < 10 || math.Abs(got["sleeper"].Self-2*one) > 6 || math.Abs(got["both"].Self-one) > 6 || got["sleeper"].WaitsFor != "await" {
		t.Errorf("a thread stands in grab, two tasks in sleeper, one in both: %s", r)
	}
}

// A program that the debugger has is profiled while it runs, and goes on as before.
func TestRunningScripts(t *testing.T) {
	testkit.Adapters(t)
	for _, p := range []struct{ file, class, root string }{
		{"turns.py", "__main__.Item", ".KEPT"},
		{"turns.js", "Item", "variable kept"},
	} {
		t.Run(p.file, func(t *testing.T) {
			dir := folder(t, p.file)
			s := testkit.Start(t, testkit.Options{Dir: dir})
			s.OK("session_start", A{"target": p.file, "timeout_ms": 0})
			s.Running()
			functions := rows(s.OK("profile", A{"seconds": 2, "timeout_ms": 60_000}), "functions")
			// On a crowded machine two seconds are a few turns of the processor: how they fall between the two
			// is chance then. The tests of shares above hold them to what a program itself has measured.
			if heavy, light := functions["heavy"].Total, functions["light"].Total; heavy+light < 80 || heavy < 1.2*light || light < 5 {
				t.Errorf("heavy has %.1f %%, light %.1f %%, of work that is 70 to 30", heavy, light)
			}
			r := s.OK("profile", A{"what": "memory", "seconds": 1, "timeout_ms": 120_000, "max_bytes": 40_000, "limit": 300})
			if got := heldOf(t, r, p.class); got.Grown <= 0 || got.Grown >= got.Count {
				t.Errorf("%+v have grown: %s", got, r)
			}
			first := s.OK("profile", A{"what": "memory", "timeout_ms": 60_000, "max_bytes": 40_000, "limit": 300})
			second := s.OK("profile", A{"what": "memory", "timeout_ms": 60_000, "max_bytes": 40_000, "limit": 300})
			a, b := heldOf(t, first, p.class), heldOf(t, second, p.class)
			if b.Count-a.Count != b.Grown || b.Grown <= 0 {
				t.Errorf("%+v, then %+v", a, b)
			}
			if err := os.WriteFile(filepath.Join(dir, "end"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
			s.OK("execute", A{"action": "wait", "timeout_ms": 30_000}).Want("terminated", "data", "execution_state", "status").
				Contains([]string{"data", "output", "stdout"}, "as before: True")
		})
	}
}

// A node that runs on is profiled without its debugger, too; what an armed trace holds in it is said, and
// what the next look compares with is what both tell.
func TestObservedJavaScript(t *testing.T) {
	testkit.Adapters(t)
	dir := folder(t, "turns.js")
	run := exec.Command("node", "turns.js")
	run.Dir = dir
	var said strings.Builder
	run.Stdout = &said
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = run.Process.Kill() })
	s := testkit.Start(t, testkit.Options{Dir: dir})
	s.OK("session_start", A{"mode": "attach", "pid": run.Process.Pid, "adapter_options": A{"observe": true}})
	r := s.OK("profile", A{"seconds": 1, "timeout_ms": 60_000})
	if functions := rows(r, "functions"); functions["heavy"].Total <= functions["light"].Total || functions["light"].Total < 5 {
		t.Errorf("work that is 70 to 30 is told as %s", r)
	}
	r.Lacks("the debugger in the program")
	s.OK("trace", A{"action": "arm", "what": "calls", "functions": []string{"round"}})
	r = s.OK("profile", A{"what": "memory", "seconds": 1, "timeout_ms": 120_000, "max_bytes": 40_000, "limit": 300}).Has("traces are armed (1)")
	if got := heldOf(t, r, "Item"); got.Grown <= 0 || got.Grown >= got.Count {
		t.Errorf("%+v have grown: %s", got, r)
	}
	s.OK("trace", A{"action": "disarm"})
	r = s.OK("profile", A{"what": "memory", "timeout_ms": 60_000, "max_bytes": 40_000, "limit": 300}).Lacks("traces are armed")
	if lines := rows(r, "lines"); len(lines) > 0 {
		t.Errorf("a look that tells no lines says of some that they have shrunk: %s", r)
	}
	s.OK("session", A{"action": "stop"})
	if err := os.WriteFile(filepath.Join(dir, "end"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := run.Wait(); err != nil || !strings.Contains(said.String(), "as before: True") {
		t.Errorf("the program has ended with %v, and has said %q", err, said.String())
	}
}
