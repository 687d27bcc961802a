//go:build linux

// Package tracing asks the built server how values came to be, of the same program in
// each language: testdata/LANGUAGE/ledger.
package tracing

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

func TestMain(m *testing.M) { os.Exit(testkit.Main(m)) }

// A shortens the arguments of calls.
type A = testkit.A

// tongue is how one language says what all are asked.
type tongue struct {
	Name string
	// Folder is that below testdata; empty: Name.
	Folder string
	// Env are added to the server's environment.
	Env  []string
	File string // as locations show it
	// Start are the arguments of session_start that start the ledger.
	Start A
	// Prepare makes a copy of a program ready to run, and answers what its start needs
	// besides; nil where there is nothing to do.
	Prepare func(t *testing.T, p *testkit.Program) A
	// Say are the expressions of the questions, by what they are about.
	Say map[string]string
	// Functions are the names of functions: fee, fib.
	Functions map[string]string
	// Not are the questions that cannot be answered, by their names in [questions], each
	// with a part of the reason that the tool gives.
	Not map[string]string
	// Ends are the chains that end earlier than those of the others, by what the question
	// is about: the language's ledger works something out there.
	Ends map[string]string
	// Second says that it is a language under another debugger.
	Second bool
	// Through is the language that a compiler makes of this one.
	Through string
	// Like is the language with which this one shares its recorder.
	Like string
	// Long are the kinds of values that why is asked about in the long run alone: to the
	// recorder they are the same as others, or another test here has them with many more.
	Long []string
	// Bugs are programs whose fault shows far from its cause.
	Bugs []bug
}

var tongues = []tongue{golang, java, javascript, python, ruby, typescript, cpp, cppLLDB, rust, rustLLDB}

func (l tongue) folder() string { return cmp.Or(l.Folder, l.Name) }

// ledger is a server in a copy of the program.
type ledger struct {
	*testkit.Server
	*testkit.Program
	tongue
}

func open(t *testing.T, l tongue) *ledger {
	t.Helper()
	p := testkit.NewProgramOf(t, l.folder(), "ledger")
	l.prepare(t, p)
	return &ledger{testkit.Start(t, testkit.Options{Dir: p.Dir, Env: l.Env}), p, l}
}

// prepare makes a copy of a program ready to run, and answers what its start needs
// besides.
func (l *tongue) prepare(t *testing.T, p *testkit.Program) A {
	t.Helper()
	if l.Prepare == nil {
		return nil
	}
	more := l.Prepare(t, p)
	l.Start = maps.Clone(l.Start)
	maps.Copy(l.Start, more)
	return more
}

// with are the arguments of a question: the start, and more.
func (l *ledger) with(more A) A {
	all := A{"timeout_ms": 60_000}
	for _, m := range []A{l.Start, more} {
		maps.Copy(all, m)
	}
	return all
}

func (l *ledger) at(mark string) string { return l.At(l.File, mark) }

// again leaves to the long run what a second debugger does again.
func (l *tongue) again(t *testing.T) {
	t.Helper()
	if l.Second {
		testkit.Long(t, "again with the second debugger of "+l.folder())
	}
}

// shares leaves to the long run what depends on the recorder alone, which another language
// has too.
func (l *tongue) shares(t *testing.T) {
	t.Helper()
	if other := cmp.Or(l.Through, l.Like); other != "" {
		testkit.Long(t, "again with the recorder of "+other)
	}
}

// steps are the chain of a reply to why, each as "mark kind".
func (l *ledger) steps(r testkit.Reply) []string {
	var chain []struct{ At, Kind string }
	r.Decode(&chain, "data", "chain")
	var list []string
	for _, c := range chain {
		name := c.At
		for mark := range l.Marks {
			if c.At == l.at(mark) {
				name = mark
			}
		}
		list = append(list, strings.TrimSpace(fmt.Sprint(name, " ", c.Kind)))
	}
	return list
}
