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
	os.Exit(testkit.MainWithRaces(m))
}

func TestScenarios(t *testing.T) {
	t.Parallel()
	testkit.RunScenarios(t, "testdata")
}

// A shortens the arguments of calls.
type A = testkit.A
