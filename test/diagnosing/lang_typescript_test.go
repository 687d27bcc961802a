//go:build linux

package diagnosing

import (
	"maps"
	"path/filepath"
	"testing"

	"aidb-mcp/internal/testkit"
)

var typescript = tongue{
	Name: "typescript", Again: "javascript", Prepare: withTSX, Failures: ofTypeScript(),
	Not: map[string]string{
		"deadlock": "a program has one thread, and nobody holds a promise", "channel": "a promise that never settles ends the program",
		"thread": "tsx does not compile the file of a worker thread",
	},
}

// ofTypeScript are the failures of JavaScript as TypeScript words them.
func ofTypeScript() map[string]failure {
	all := failuresOf("src/faulty.ts", "src/shop.test.ts")
	maps.DeleteFunc(all, func(name string, _ failure) bool { return name == "thread" || name == "called" })
	return all
}

// withTSX installs what turns TypeScript into JavaScript as it is loaded, and lets it
// keep its cache where it goes with the program.
func withTSX(t *testing.T, p *testkit.Program) A {
	t.Helper()
	install(t, p, "tsx")
	return A{"env": A{"TMPDIR": filepath.Dir(p.Dir)}}
}
