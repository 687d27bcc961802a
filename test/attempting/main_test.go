//go:build linux

// Package attempting has the built server try remedies of the same bug in each
// language: testdata/LANGUAGE/till, a till that takes a cent too many off.
package attempting

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

func TestMain(m *testing.M) { os.Exit(testkit.Main(m)) }

// A shortens the arguments of calls.
type A = testkit.A

// tongue is how one language says what all are asked.
type tongue struct {
	Name, File string
	Check      A
	Env        []string
	// Statement is the one that is wrong, and Broken what does not build in its place.
	Statement, Broken string
	// Other is a change in its place that makes the check fail for another reason.
	Other string
	Says  string // a part of what that fails with; empty: till
	// NoSkip is a part of the reason that the statement cannot be skipped; empty: it can.
	NoSkip string
	// Again is the language that this one does again, with its debugger and its builds: that is
	// left to the long run.
	Again string
	// Under is the language whose debugger this one has, under which a running program is changed
	// in the same way.
	Under string
}

var tongues = []tongue{
	{Name: "python", File: "till.py", Check: A{"target": "test_till.py", "module": "unittest", "test": "test_total"}, Statement: "sum -= 1", Broken: "sum -= (", Other: `raise KeyError("till")`},
	{Name: "go", File: "till.go", Check: A{"test": "TestTotal"}, Statement: "sum -= 1", Broken: "sum -= one", Other: `panic("no till")`, NoSkip: "register"},
	{Name: "javascript", File: "till.js", Check: A{"test": "till.test.js::total"}, Statement: "sum -= 1;", Broken: "sum -= (;", Other: `throw new RangeError("no till");`, NoSkip: "jump"},
	{Name: "typescript", File: "till.ts", Check: A{"target": "till.ts"}, Statement: "sum -= 1;", Broken: "sum -= (;", Other: `throw new RangeError("no till");`, NoSkip: "jump", Again: "javascript"},
	{Name: "c", File: "till.c", Check: A{"target": "till.c"}, Env: withGDB(), Statement: "sum -= 1;", Broken: "sum -= one;", Other: `exit(3);`, Says: "exited with code 3", Again: "cpp"},
	{Name: "cpp", File: "till.cpp", Check: A{"target": "till.cpp"}, Env: withGDB(), Statement: "sum -= 1;", Broken: "sum -= one;", Other: `throw std::out_of_range("no till");`},
	{Name: "rust", File: "src/lib.rs", Check: A{"test": "tests::total"}, Env: withGDB(), Statement: "sum -= 1;", Broken: "sum -= one;", Other: `if sum > 0 { panic!("no till"); }`, Under: "cpp"},
	{Name: "java", File: "Till.java", Check: A{"target": "Till.java"}, Statement: "sum -= 1;", Broken: "sum -= one;", Other: `if (sum > 0) throw new ArithmeticException("no till");`, NoSkip: "jump"},
}

// withGDB has the gdb that the tests bring along found before the machine's.
func withGDB() []string {
	dir := filepath.Join(testkit.Home(), "gdb", "bin")
	return []string{"PATH=" + dir + string(os.PathListSeparator) + os.Getenv("PATH")}
}

// python is asked by its own runner: under a debugger pytest takes twice as long to come to
// the test, and what is tried does not depend on it.
var python = tongues[0]

// pytest is the same by the runner that is taken where nobody names one.
var pytest = func() tongue {
	l := python
	l.Check = A{"test": "test_total"}
	return l
}()

// till is a server in a copy of the program.
type till struct {
	*testkit.Server
	*testkit.Program
	tongue
	before map[string]string // the files
	era    string            // the client's, where it matters
	t      *testing.T
}

func open(t *testing.T, l tongue, o testkit.Options) *till {
	t.Helper()
	testkit.Adapters(t)
	p := testkit.NewProgramOf(t, l.Name, "till")
	if l.Name == "typescript" {
		withTSX(t, p)
		l.Check = merge(l.Check, A{"env": A{"TMPDIR": filepath.Dir(p.Dir)}}) // its cache goes with the program
	}
	return reopen(t, l, p, o)
}

// reopen is a server in a program that is there.
func reopen(t *testing.T, l tongue, p *testkit.Program, o testkit.Options) *till {
	t.Helper()
	o.Dir, o.Env = p.Dir, append(o.Env, l.Env...)
	s := &till{Server: testkit.Start(t, o), Program: p, tongue: l, t: t}
	s.before = s.files()
	return s
}

// withTSX installs what turns TypeScript into JavaScript as it is loaded.
func withTSX(t *testing.T, p *testkit.Program) {
	t.Helper()
	modules := filepath.Join(p.Dir, "node_modules")
	if err := os.MkdirAll(modules, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(testkit.Packages(t), "tsx"), filepath.Join(modules, "tsx")); err != nil {
		t.Fatal(err)
	}
}

// files are the names and contents of all files of the workspace.
func (s *till) files() map[string]string {
	s.t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(s.Program.Dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Type()&os.ModeSymlink != 0 {
			return err
		}
		text, err := os.ReadFile(path)
		all[strings.TrimPrefix(path, s.Program.Dir+"/")] = string(text)
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return all
}

// untouched fails the test unless the workspace is as it was, and nothing is left of
// what was tried.
func (s *till) untouched() {
	s.t.Helper()
	if now := s.files(); !maps.Equal(now, s.before) {
		for name := range now {
			if now[name] != s.before[name] {
				s.t.Errorf("%s was written in the workspace", name)
			}
		}
		for name := range s.before {
			if _, there := now[name]; !there {
				s.t.Errorf("%s is gone from the workspace", name)
			}
		}
	}
	s.NothingLeft(20e9)
}

// edit is a candidate that puts a text in place of the wrong statement.
func (l *tongue) edit(text string) A {
	return A{"hypothesis": text, "edits": []A{{"file": l.File, "old": l.Statement, "new": text}}}
}

// right and wrong are candidates; wrong fails with another total.
func (l *tongue) right() A { return l.edit(strings.Replace(l.Statement, "1", "0", 1)) }
func (l *tongue) wrong() A { return l.edit(strings.Replace(l.Statement, "1", "2", 1)) }

// again is a change by which the check fails as before.
func (l *tongue) same() A { return l.edit(strings.Replace(l.Statement, "1", "2 - 1", 1)) }

// at is a candidate that changes the running program at the wrong statement.
func (s *till) at(what A) A {
	return A{"at": merge(A{"location": s.At(s.File, "off")}, what)}
}

// args are those of a call about the language's check.
func (s *till) args(more A) A {
	return merge(A{"check": s.Check, "timeout_ms": 170_000}, more)
}

// try tries candidates.
func (s *till) try(candidates ...A) testkit.Reply {
	s.t.Helper()
	return s.OK("attempt", s.args(A{"candidates": candidates}))
}

// results are those of the rows.
func results(r testkit.Reply) string {
	var rows []struct{ Result string }
	r.Decode(&rows, "data", "candidates")
	var list []string
	for _, row := range rows {
		list = append(list, row.Result)
	}
	return strings.Join(list, " ")
}

// wants fails the test unless the rows have these results.
func wants(t *testing.T, r testkit.Reply, want string) {
	t.Helper()
	if got := results(r); got != want {
		t.Fatalf("the results are %q, want %q, in\n%s", got, want, r)
	}
}

// each runs a test in all languages.
func each(t *testing.T, test func(t *testing.T, s *till)) {
	t.Helper()
	for _, l := range tongues {
		t.Run(l.Name, func(t *testing.T) {
			t.Parallel()
			if l.Again != "" {
				testkit.Long(t, "the same as in "+l.Again)
			}
			test(t, open(t, l, testkit.Options{}))
		})
	}
}

// merge is both, the second before the first.
func merge(a, b A) A {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}
