package testkit

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// CustomTables is the settings file with the adapters of testdata/custom, as a
// variable of the environment.
func CustomTables() string {
	return "AIDB_CONFIG=" + filepath.Join(Root(), "testdata", "custom", "config.json")
}

// Tables is a settings file with these tables of adapters, by language, as a
// variable of the environment.
func Tables(t testing.TB, tables any) string {
	t.Helper()
	text, err := json.Marshal(map[string]any{"adapters": tables})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "config.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return "AIDB_CONFIG=" + file
}
