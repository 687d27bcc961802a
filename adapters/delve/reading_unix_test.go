//go:build unix

package delve

import (
	"go/build"
	"go/parser"
	"os"
	"path/filepath"
	"testing"

	"aidb-mcp/adapters/delve/serve"
	"aidb-mcp/internal/system/boundedfile/boundedfiletest"
)

// Whoever opens a named pipe that nobody writes to waits for ever; one in the
// place of a Go file or of a program keeps nobody.
func TestPipesInPlaceOfFiles(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte("package main\n\nfunc main() {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	pipe, zero := filepath.Join(dir, "pipe_test.go"), filepath.Join(dir, "zero.go")
	boundedfiletest.Endless(t, pipe, zero)
	boundedfiletest.InTime(t, func() {
		for _, path := range []string{pipe, zero} {
			if _, err := serve.BuildInfo(path); err == nil {
				t.Errorf("%s is read as a program", path)
			}
			if parsed := parse(path, parser.SkipObjectResolution); parsed != nil {
				t.Errorf("%s is read as %v", path, parsed.Name)
			}
			if !hasDebugInfo(path) || isDelve(path) || isGoBinary(path) || packageName(path) != "" || testsIn(path) != nil {
				t.Errorf("%s is taken for something", path)
			}
		}
		c := goBuild()
		if pkg, err := c.ImportDir(dir, build.IgnoreVendor); err == nil {
			t.Logf("the package is %v", pkg.Name)
		}
	})
}
