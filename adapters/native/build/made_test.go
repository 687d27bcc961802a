package build

import (
	"os"
	"path/filepath"
	"testing"
)

func TestProgramsOfAMakefileBesideThemAreMadeAnew(t *testing.T) {
	for text, want := range map[string]bool{
		"app: app.o\n\tcc -o $@ $^\n":          true,
		"all: app\nlib app tool: common.o\n":   true,
		"app::\n\ttouch app\n":                 true,
		"PROG := app\nall: tool\n":             false,
		"app = 1\napp := 2\ntool: app.o\n":     false,
		"\tapp: not a rule\napps: application": false,
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "Makefile"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := isMadeHere(filepath.Join(dir, "app")); got != want {
			t.Errorf("made here: %v, want %v, by\n%s", got, want, text)
		}
	}
}
