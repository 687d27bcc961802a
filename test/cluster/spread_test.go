//go:build linux

package cluster

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
)

// noting is a program that notes each of its runs, with where it lies, in a file outside of its
// workspace, and fails in the n-th run at a place, or waits then at a pipe.
const noting = `import os, sys

def run(log, at, nth):
    here = os.path.dirname(os.path.abspath(__file__))
    with open(log, "a") as f:
        f.write(here + "\n")
    runs = open(log).read().splitlines().count(here)
    if at in here and (nth == runs or nth == 0):
        if len(sys.argv) > 4:
            open(sys.argv[4] + ".there", "w").close()
            open(sys.argv[4]).read()
            return
        raise ValueError("run %d at %s" % (runs, os.path.basename(here)))

run(sys.argv[1], sys.argv[2], int(sys.argv[3]))
`

// team is a cluster whose machines have a workspace of the same name.
type team struct {
	*gateway
	dirs     map[string]string
	machines map[string]*testkit.Wire
	log      string
	t        *testing.T
}

// newTeam has a workspace with the same content on each machine, and another on three.
func newTeam(t *testing.T, names ...string) *team {
	t.Helper()
	testkit.Adapters(t)
	principals := filepath.Join(t.TempDir(), "principals")
	if err := os.WriteFile(principals, []byte(`{"bob": {"workers": 1}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	tm := &team{gateway: begin(t, "--principals", principals), dirs: map[string]string{}, machines: map[string]*testkit.Wire{}, t: t}
	for _, name := range names {
		tm.add(name)
	}
	return tm
}

// add adds a machine.
func (tm *team) add(name string, more ...string) {
	tm.t.Helper()
	dir := filepath.Join(tm.t.TempDir(), name)
	text := noting
	if name == "three" {
		text += "# another\n"
	}
	for file, text := range map[string]string{"main.py": text, "calc.py": "def total(a, b):\n    return a - b\n", "check.py": check} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			tm.t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
			tm.t.Fatal(err)
		}
	}
	tm.dirs[name] = dir
	workspaces := map[string]string{"shop": dir}
	if name == "two" {
		workspaces["own"] = dir
	}
	tm.machines[name] = tm.machine(tm.t, name, tm.cluster, workspaces, append(more, "--audit-log", dir+".acts")...)
}

// check fails as long as calc.py subtracts. It notes where it was run, by the name of its machine's folder.
const check = `import sys
from calc import total

with open(sys.argv[1], "a") as f:
    f.write(open("/proc/self/cwd/calc.py").read().splitlines()[-1] + "\n")
got = total(2, 3)
assert got == 5, "total is %d" % got
`

// diagnose has the program diagnosed in so many runs.
func (tm *team) diagnose(t *testing.T, s *testkit.Server, repeat int, at string, nth int, more ...string) testkit.Reply {
	t.Helper()
	tm.log = filepath.Join(t.TempDir(), "runs")
	return s.OK("diagnose", A{"target": "main.py", "args": append([]string{tm.log, at, fmt.Sprint(nth)}, more...), "repeat": repeat, "timeout_ms": 300_000})
}

// wantParts looks into the record of acts of a machine.
func (tm *team) wantParts(machine string, all ...string) {
	tm.t.Helper()
	text, err := os.ReadFile(tm.dirs[machine] + ".acts")
	if err != nil {
		tm.t.Fatal(err)
	}
	for _, want := range all {
		if !strings.Contains(string(text), want) {
			tm.t.Errorf("the record of %s lacks %s:\n%s", machine, want, text)
		}
	}
}

// runs counts the runs at each machine's folder.
func (tm *team) runs() (all int, by map[string]int) {
	tm.t.Helper()
	text, err := os.ReadFile(tm.log)
	if err != nil {
		tm.t.Fatal(err)
	}
	by = map[string]int{}
	for line := range strings.Lines(string(text)) {
		all++
		by[filepath.Base(strings.TrimSpace(line))]++
	}
	return all, by
}

// Runs are spread over the machines that hold the same workspace; a failure is told where it fell.
func TestRunsAreSpread(t *testing.T) {
	tm := newTeam(t, "one", "three", "two")
	tm.tenant = "red"
	tm.add("four") // which has the same workspace, and is another tenant's
	tm.tenant = ""
	s := tm.agent(t, "shop")
	t.Run("none fails", func(t *testing.T) {
		r := tm.diagnose(t, s, 6, "nowhere", 0)
		all, by := tm.runs()
		r.Want("ok", "data", "verdict").Want("6", "data", "runs", "made").Want("0", "data", "runs", "failed").Lacks("four")
		if all != 6 || by["two"] == 0 || by["one"]+by["two"] != 6 {
			t.Errorf("%d runs were made: %v", all, by)
		}
		r.Has(fmt.Sprintf("here: 0 of %d runs failed", by["one"]), fmt.Sprintf("on two: 0 of %d runs failed", by["two"]), "on three: none: its content is another")
		tm.wantParts("two", `"part":true`, `"name":"diagnose"`, `"target":"main.py"`, `"outcome":"ok"`)
	})
	t.Run("each call is helped", func(t *testing.T) { // who has just helped is not busy
		testkit.Long(t, "so is the one after this")
		for range 3 {
			r := tm.diagnose(t, s, 3, "nowhere", 0)
			if _, by := tm.runs(); by["two"] == 0 {
				t.Errorf("runs were made: %v\n%s", by, r.At("data", "runs", "how"))
			}
		}
	})
	t.Run("one fails elsewhere", func(t *testing.T) {
		r := tm.diagnose(t, s, 8, "two", 2)
		all, by := tm.runs()
		r.Want("flaky", "data", "verdict").Want("exception", "data", "fails_as").Want(fmt.Sprint(all), "data", "runs", "made").Want("1", "data", "runs", "failed").
			Want("main.py:13", "data", "location").Want("", "session_id").
			Has("run 2 at two", fmt.Sprintf("on the machine two, and none of %d here", by["one"]), fmt.Sprintf("on two: 1 of %d runs failed", by["two"]), tm.dirs["two"]) // as the value of here
	})
	t.Run("each fails there", func(t *testing.T) {
		testkit.Long(t, "investigate/spread sets aside who fails each time")
		r := tm.diagnose(t, s, 6, "two", 0)
		_, by := tm.runs()
		r.Want("ok", "data", "verdict").Want("6", "data", "runs", "made").Has("on two: none: it fails each time there (2 of 2, not counted)")
		if by["one"] != 6 || by["two"] != 2 {
			t.Errorf("runs were made: %v", by)
		}
	})
	t.Run("one fails here, too", func(t *testing.T) {
		r := tm.diagnose(t, s, 400, "/", 3)
		all, by := tm.runs()
		r.Want("flaky", "data", "verdict").Want(fmt.Sprint(all), "data", "runs", "made").Has("run 3 at one", fmt.Sprintf("here: 1 of %d runs failed", by["one"]))
		if r.At("session_id") == "" {
			t.Errorf("no session stands:\n%s", r)
		}
		s.OK("inspect", A{"expression": "nth"}).Want("3", "data", "result", "v")
		s.OK("session", A{"action": "stop"})
	})
	t.Run("one who may have one worker", func(t *testing.T) {
		testkit.Long(t, "internal/cluster/link gives no more seats than a principal may have")
		bob := tm.agentOf(t, another, "shop")
		r := tm.diagnose(t, bob, 3, "nowhere", 0)
		if all, by := tm.runs(); all != 3 || len(by) != 1 {
			t.Errorf("runs were made: %v", by)
		}
		r.Want("", "data", "runs", "how")
		bob.CloseInput()
	})
	t.Run("a machine is busy", func(t *testing.T) { tm.leavesAlone(t, s) })
	t.Run("a machine is killed", func(t *testing.T) { tm.losesTwo(t, s) })
}

// leavesAlone has another principal work on two, which then makes no runs for others.
func (tm *team) leavesAlone(t *testing.T, s *testkit.Server) {
	fifo := tm.fifo(t)
	bob := tm.agentOf(t, another, "own")
	over := make(chan struct{})
	go func() {
		defer close(over)
		bob.Call("diagnose", A{"target": "main.py", "args": []string{filepath.Join(filepath.Dir(fifo), "bob"), "two", "1", fifo}, "timeout_ms": longest})
	}()
	waitFor(t, fifo+".there")
	testkit.Eventually(t, longest*time.Millisecond, "two to be left alone", func() bool {
		tm.diagnose(t, s, 2, "nowhere", 0)
		_, by := tm.runs()
		return by["one"] == 2
	})
	release(t, fifo)
	<-over
	testkit.Eventually(t, longest*time.Millisecond, "two to help again", func() bool { // machines tell once a second that others' calls are over
		tm.diagnose(t, s, 2, "nowhere", 0)
		_, by := tm.runs()
		return by["two"] > 0
	})
}

// losesTwo kills two while it makes a run.
func (tm *team) losesTwo(t *testing.T, s *testkit.Server) {
	fifo := tm.fifo(t)
	two := tm.machines["two"]
	go func() {
		waitFor(t, fifo+".there")
		two.Kill()
	}()
	r := tm.diagnose(t, s, 8, "two", 2, fifo)
	_, by := tm.runs()
	r.Want("ok", "data", "verdict").Want("8", "data", "runs", "made").Has("on two: 0 of 1 runs failed, then no more: the machine two is gone")
	if by["one"] != 7 || by["two"] != 2 { // the second of two was begun, and does not count
		t.Errorf("runs were made: %v", by)
	}
	testkit.NoneLeft(t, time.Minute, func() (left []testkit.Proc) {
		for _, p := range testkit.Processes() {
			if strings.Contains(p.Command, fifo) {
				left = append(left, p)
			}
		}
		return left
	})
}

// fifo is a pipe at which a run waits, after it has said so by a file beside it.
func (tm *team) fifo(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func waitFor(t *testing.T, file string) {
	testkit.Eventually(t, longest*time.Millisecond, file, func() bool {
		_, err := os.Stat(file)
		return err == nil
	})
}

// release lets the run at a pipe go on.
func release(t *testing.T, fifo string) {
	t.Helper()
	if err := os.WriteFile(fifo, []byte("go on"), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Candidates are tried on the machines that hold the same workspace, each once, where the check fails as
// it does here and the machine allows it.
func TestCandidatesAreSpread(t *testing.T) {
	tm := newTeam(t, "one", "three", "two")
	tm.add("zero", "--read-only")
	s := tm.agent(t, "shop")
	log := filepath.Join(t.TempDir(), "tried")
	var candidates []A
	for _, with := range []string{"a * b", "a", "b", "a + b", "a / b"} {
		candidates = append(candidates, A{"edits": []A{{"file": "calc.py", "old": "a - b", "new": with}}})
	}
	r := s.OK("attempt", A{"candidates": candidates, "check": A{"target": "check.py", "args": []string{log}}, "parallel": 1, "timeout_ms": 300_000})
	t.Log(r.At("data", "how"))
	r.Want("4", "data", "winner").Has("on three: none: its content is another", "on zero: none: ", "read-only")
	here, elsewhere := 0, 0
	for i := range candidates {
		result := "failed"
		if i == 3 {
			result = "passed"
		}
		r.Want(result, "data", "candidates", strconv.Itoa(i), "result")
		switch on := r.At("data", "candidates", strconv.Itoa(i), "on"); on {
		case "":
			here++
		case "two":
			elsewhere++
		default:
			t.Errorf("%d was tried on %s", i, on)
		}
	}
	r.Has(fmt.Sprintf("here: %d tried", here), fmt.Sprintf("on two: %d tried", elsewhere))
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	runs := map[string]int{}
	for line := range strings.Lines(string(text)) {
		runs[strings.TrimSpace(line)]++
	}
	for with, want := range map[string]int{"a * b": 1, "a": 1, "b": 1, "a + b": 3, "a / b": 1} { // what has won is tried twice more
		if runs["return "+with] != want {
			t.Errorf("return %s was tried %d times", with, runs["return "+with])
		}
	}
	if elsewhere == 0 || runs["return a - b"] != 3 { // here, there, and here again where a candidate has passed
		t.Errorf("%d were tried elsewhere; without any change: %v", elsewhere, runs)
	}
	for name, dir := range tm.dirs {
		if text, err := os.ReadFile(filepath.Join(dir, "calc.py")); err != nil || !strings.Contains(string(text), "a - b") {
			t.Errorf("the workspace of %s has changed: %s, %v", name, text, err)
		}
	}
	s.OK("attempt", A{"action": "apply", "check": A{"target": "check.py", "args": []string{log}}})
	if text, err := os.ReadFile(filepath.Join(tm.dirs["one"], "calc.py")); err != nil || !strings.Contains(string(text), "a + b") {
		t.Errorf("what won is not written: %s, %v", text, err)
	}
}
