//go:build linux

package cluster

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

// noting is a program that notes each of its runs, with where it lies, in a file outside of its
// workspace, and fails as its second argument says: never, or in the n-th run at a place.
const noting = `import os, sys

def run(log, at, nth):
    here = os.path.dirname(os.path.abspath(__file__))
    with open(log, "a") as f:
        f.write(here + "\n")
    runs = open(log).read().splitlines().count(here)
    if at in here and (nth == runs or nth == 0):
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
	tm := &team{gateway: begin(t), dirs: map[string]string{}, machines: map[string]*testkit.Wire{}, t: t}
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
	tm.machines[name] = tm.machine(tm.t, name, tm.cluster, map[string]string{"shop": dir}, more...)
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
func (tm *team) diagnose(s *testkit.Server, repeat int, at string, nth int) testkit.Reply {
	tm.t.Helper()
	tm.log = filepath.Join(tm.t.TempDir(), "runs")
	return s.OK("diagnose", A{"target": "main.py", "args": []string{tm.log, at, fmt.Sprint(nth)}, "repeat": repeat, "timeout_ms": longest})
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

// Runs are spread over the machines that hold the same workspace.
func TestRunsAreSpread(t *testing.T) {
	tm := newTeam(t, "one", "three", "two")
	s := tm.agent(t, "shop")

	r := tm.diagnose(s, 14, "nowhere", 0)
	all, by := tm.runs()
	t.Log(r.At("data", "runs"), by)
	r.Want("ok", "data", "verdict").Want("14", "data", "runs", "made").Want("0", "data", "runs", "failed")
	if all != 14 || by["three"] != 0 || by["two"] == 0 || by["one"] == 0 {
		t.Errorf("%d runs were made: %v", all, by)
	}
	r.Has(fmt.Sprintf("here: 0 of %d runs failed", by["one"]), fmt.Sprintf("on two: 0 of %d runs failed", by["two"]), "on three: none: its content is another")
}
