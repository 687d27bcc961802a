package debugpy

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// An environment is known by its file, not by its name.
func TestEnvironmentsByAnyName(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"venv", "env", ".venv", "py311", "no"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
		if name == "no" {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, name, "pyvenv.cfg"), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{".venv", "venv", "env", "py311"}
	for i, name := range want {
		want[i] = filepath.Join(dir, name)
	}
	if got := environmentsIn(dir); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
