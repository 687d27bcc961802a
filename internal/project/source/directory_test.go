package source

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aidb-mcp/internal/fault"
)

func TestDirectory(t *testing.T) {
	root := t.TempDir()
	in := func(name string) string { return filepath.Join(root, name) }
	if err := errors.Join(os.Mkdir(in("empty"), 0o700), os.WriteFile(in("file"), nil, 0o600), os.Symlink("self", in("self"))); err != nil {
		t.Fatal(err)
	}
	for _, good := range []string{root, in("empty")} {
		if err := Directory(good); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	for name, want := range map[string]string{
		"emty":      "there is no directory " + in("emty") + " did you mean " + in("empty") + "?",
		"none/none": "there is no directory " + in("none/none") + " give the directory",
		"file":      in("file") + " is no directory",
		"file/x":    "is no directory",
		"self":      "leads back to itself",
	} {
		var f *fault.Error
		if err := Directory(in(name)); !errors.As(err, &f) || f.Code != fault.InvalidTarget || !strings.Contains(f.Message+" "+f.Hint, want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}
