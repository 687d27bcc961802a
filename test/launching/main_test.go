//go:build linux

// Package launching starts programs by the configurations of editors: with their
// tasks, their compounds and all that may be wrong with them.
package launching

import (
	"os"
	"path/filepath"
	"testing"

	"aidb-mcp/internal/testkit"
)

func TestMain(m *testing.M) { os.Exit(testkit.Main(m)) }

// A shortens the arguments of calls.
type A = testkit.A

// startLimit is for starts on a busy machine.
const startLimit = 120_000

// workspace is a directory with these files.
func workspace(t testing.TB, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
