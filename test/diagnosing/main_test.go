//go:build linux

// Package diagnosing asks the built server what went wrong, of the same failures in
// each language: testdata/LANGUAGE/faulty.
package diagnosing

import (
	"cmp"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

func TestMain(m *testing.M) { os.Exit(testkit.Main(m)) }

// A shortens the arguments of calls.
type A = testkit.A

// tongue is how one language fails.
type tongue struct {
	Name string
	// Folder is that below testdata; empty: Name.
	Folder string
	// Env are added to the server's environment.
	Env []string
	// Start are the arguments of all starts; those of a failure are added.
	Start A
	// Prepare makes a copy of the program ready to run, and answers what its start needs
	// besides; nil where there is nothing to do.
	Prepare func(t *testing.T, p *testkit.Program) A
	// Failures are the language's own by the names in [usual], and others.
	Failures map[string]failure
	// Not are the usual failures that there are none of in this language, each with the
	// reason.
	Not map[string]string
	// Again is the language whose failures these are, through a compiler: in the short
	// run it has those that are essential.
	Again string
	// Long are the failures of the long run: others fail by the same rule.
	Long []string
}

// essential are the failures that a language which has those of another again has in
// the short run, too.
var essential = []string{"no_test", "unbuilt", "test"}

// failure is one way to fail, with what diagnose must say of it.
type failure struct {
	Start   A
	Verdict string
	At      string // "file@mark" or "file@mark|mark" where it may stand at either; empty: not held
	Culprit string
	Value   string   // of the culprit
	Why     string   // a part of what is wrong with it
	Message string   // a part of it
	Parts   []string // "expression = value", all of them, in order
	Frames  []string // "file@mark function name=value …", the first ones
	Locals  []string // the names of all of them
	Left    string   // of an expectation: what was compared, or what was got
	Right   string   // and with what
	Calls   []string // each is a part of one row
	Has     []string // parts of the reply
	Lacks   []string
	Most    int // bytes of the reply; 0: plain
}

// usual are the failures that each language has, or says why not.
var usual = []string{
	"member", "index", "key", "zero", "result", "exit_code", "caught", "busy", "blocked", "network", "deadlock", "channel",
	"overflow", "memory", "awaited", "thread", "task", "child", "library", "no_test", "unbuilt", "test", "test_error", "fine",
}

// plain is how long a diagnosis may be that has nothing unusual in it.
const plain = 3500

var tongues = []tongue{cpp, golang, java, javascript, python, ruby, rust, typescript}

func (l tongue) folder() string { return cmp.Or(l.Folder, l.Name) }

// shop is a server in a copy of the program.
type shop struct {
	*testkit.Server
	*testkit.Program
	tongue
}

func open(t *testing.T, l tongue) *shop {
	t.Helper()
	p := testkit.NewProgramOf(t, l.folder(), "faulty")
	l.Start = maps.Clone(l.Start)
	if l.Start == nil {
		l.Start = A{}
	}
	if l.Prepare != nil {
		maps.Copy(l.Start, l.Prepare(t, p))
	}
	return &shop{testkit.Start(t, testkit.Options{Dir: p.Dir, Env: l.Env}), p, l}
}

// with are the arguments of a diagnosis: the start, and more.
func (s *shop) with(more ...A) A {
	all := A{"timeout_ms": 60_000, "keep": false}
	maps.Copy(all, s.Start)
	for _, m := range more {
		env, _ := m["env"].(A)
		given, _ := all["env"].(A)
		maps.Copy(all, m)
		if env != nil && given != nil {
			both := maps.Clone(given)
			maps.Copy(both, env)
			all["env"] = both
		}
	}
	return all
}

// at is "file:line" of "file@mark".
func (s *shop) at(where string) string {
	file, mark, _ := strings.Cut(where, "@")
	return s.At(file, mark)
}

// here says that a place is one of "file@mark|mark".
func (s *shop) here(place, where string) bool {
	file, marks, _ := strings.Cut(where, "@")
	return slices.ContainsFunc(strings.Split(marks, "|"), func(mark string) bool { return s.At(file, mark) == place })
}

// by is the failure as another start comes to it.
func (f failure) by(start A) failure {
	f.Start = start
	return f
}
