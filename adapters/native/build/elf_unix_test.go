//go:build unix

package build

import (
	"path/filepath"
	"testing"

	"aidb-mcp/internal/system/boundedfile/boundedfiletest"
)

// A named pipe or a device in the place of a program keeps nobody.
func TestPipesInPlaceOfPrograms(t *testing.T) {
	dir := t.TempDir()
	pipe, zero := filepath.Join(dir, "app"), filepath.Join(dir, "zero")
	boundedfiletest.Endless(t, pipe, zero)
	boundedfiletest.InTime(t, func() {
		for _, path := range []string{pipe, zero} {
			if isMadeByRust(path) || RustMain(path) != "" || isExecutable(path) || !hasDebugInfo(path) {
				t.Errorf("%s is taken for something", path)
			}
		}
	})
}
