package prepare

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aidb-mcp/adapters"
)

// A file of variables that is not understood is told of by its line; nothing of
// what stands in it is quoted.
func TestEnvFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), ".env")
	for text, want := range map[string]string{
		"A=1\nB=\"two\nlines\"\n# note\nexport C=3\n": "",
		"A=1\nTOKEN!=hidden\nB=2\n":                   "line 2 ",
		"A=1\n\nB=\"hidden\nC=hidden\n":               "line 3 ",
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		vars, err := Variables(adapters.Request{EnvFile: file, Env: map[string]string{"A": "0"}})
		switch {
		case want == "" && (err != nil || vars["A"] != "0" || vars["B"] != "two\nlines" || vars["C"] != "3"):
			t.Errorf("%q: %v, %v", text, vars, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hidden")):
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
