//go:build linux

// Package test holds the end-to-end tests: the built binary, spoken to over real
// stdio with the official client, debugging the programs of testdata/go.
//
// The scenarios below testdata read as documentation and hold whole replies;
// the tests beside them assert what a golden cannot say: process tables, limits,
// races and what happens when something is killed. They read the process table
// of Linux and run there only.
package test

import (
	"os"
	"testing"

	"aidb-mcp/internal/testkit"
)

func TestMain(m *testing.M) {
	if helper() {
		return
	}
	os.Exit(testkit.Main(m))
}

func TestScenarios(t *testing.T) {
	t.Parallel()
	testkit.RunScenarios(t, "testdata")
}

// A shortens the arguments of calls.
type A = testkit.A

// open copies a program and starts a server in its directory.
func open(t *testing.T, program string) (*testkit.Server, *testkit.Program) {
	t.Helper()
	p := testkit.NewProgram(t, program)
	return testkit.Start(t, testkit.Options{Dir: p.Dir}), p
}

// breakAt is the breakpoints argument for one line of main.go.
func breakAt(p *testkit.Program, mark string) []A {
	return []A{{"file": "main.go", "line": p.Line(mark)}}
}

// spin starts the current directory's program and waits until it has printed
// its line and runs on.
func spin(t *testing.T, s *testkit.Server) {
	t.Helper()
	s.OK("session_start", A{"target": ".", "timeout_ms": 0})
	s.Running()
	testkit.Eventually(t, testkit.CallLimit, "a line of output", func() bool {
		return s.OK("inspect", A{"target": "output"}).At("data", "stdout", "0") != ""
	})
}

// stopAt copies a program and starts it up to a marked line of main.go.
func stopAt(t *testing.T, program, mark string) (*testkit.Server, *testkit.Program) {
	t.Helper()
	s, p := open(t, program)
	s.OK("session_start", A{"target": ".", "breakpoints": breakAt(p, mark)}).
		Stopped("stopped_at_breakpoint", p.At("main.go", mark))
	return s, p
}
