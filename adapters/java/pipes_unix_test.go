//go:build unix

package java

import (
	"path/filepath"
	"testing"

	"aidb-mcp/internal/system/boundedfile/boundedfiletest"
)

// A named pipe or a device in the place of an archive, a class or a source is not
// waited for.
func TestPipesInPlaceOfPrograms(t *testing.T) {
	dir := t.TempDir()
	pipe, zero := filepath.Join(dir, "Pipe.java"), filepath.Join(dir, "Zero.java")
	boundedfiletest.Endless(t, pipe, zero)
	boundedfiletest.InTime(t, func() {
		for _, path := range []string{pipe, zero} {
			if _, _, err := readArchive(path); err == nil {
				t.Errorf("%s is read as an archive", path)
			}
			if _, err := readClass(path); err == nil {
				t.Errorf("%s is read as a class", path)
			}
			if key := (job{}).key(nil, []string{path}, []string{dir}); key != "" {
				t.Errorf("a build of %s is kept as %s", path, key)
			}
		}
	})
}
