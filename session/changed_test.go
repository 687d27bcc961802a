package session

import (
	"os"
	"path/filepath"
	"testing"

	"aidb-mcp/adapters"
)

// lending is an adapter whose programs need what lies above.
type lending struct {
	adapters.Adapter
	above []string
}

func (l lending) Info() adapters.Info { return adapters.Info{Above: l.above} }

func lay(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
}

// A copy lies below links to what is installed above the workspace, and nowhere else
// where there is nothing.
func TestCopyKeepsWhatIsInstalledAbove(t *testing.T) {
	root, scratch := t.TempDir(), filepath.Join(t.TempDir(), "copy")
	from := filepath.Join(root, "packages", "one")
	lay(t, filepath.Join(root, "shared", "inc", "index.js"), "x")
	lay(t, filepath.Join(root, "other", "index.js"), "x")
	lay(t, filepath.Join(from, "index.js"), "x")
	to, err := linkSurroundings(lending{above: []string{"shared"}}, from, scratch)
	if err != nil || to != filepath.Join(scratch, "packages", "one") {
		t.Fatalf("it is to lie in %s, %v", to, err)
	}
	if _, err := os.Stat(filepath.Join(to, "..", "..", "shared", "inc", "index.js")); err != nil {
		t.Error(err)
	}
	if exists(filepath.Join(scratch, "other")) || exists(to) || exists(filepath.Join(scratch, "packages", "shared")) {
		t.Error("more is there than what is needed")
	}
	for _, adapter := range []adapters.Adapter{nil, lending{}, lending{above: []string{"nothing"}}} {
		if to, err := linkSurroundings(adapter, from, filepath.Join(root, "plain")); err != nil || to != filepath.Join(root, "plain") {
			t.Errorf("%v: it is to lie in %s, %v", adapter, to, err)
		}
	}
}

// What was built before the patch is not in the copy, so that it is built again; a
// source is, and so is what only leads out of it.
func TestWhatWasBuiltIsNotInTheCopy(t *testing.T) {
	to := t.TempDir()
	lay(t, filepath.Join(to, "prog"), "\x7fELF\x00\x00")
	lay(t, filepath.Join(to, "main.c"), "int main;")
	if err := os.Symlink(filepath.Join(to, "prog"), filepath.Join(to, "tool")); err != nil {
		t.Fatal(err)
	}
	for target, built := range map[string]bool{"main.c": false, "tool": false, "nowhere": false, filepath.Join(to, "prog"): true} {
		c := &Changed{to: to}
		c.Request.Program.Target, c.Request.Program.Workspace, c.Request.Program.Mode = target, to, adapters.Exec
		c.unbuild()
		if (c.built != "") != built || (c.Request.Program.Mode == adapters.Launch) != built {
			t.Errorf("%s: built %q, mode %s", target, c.built, c.Request.Program.Mode)
		}
	}
	if exists(filepath.Join(to, "prog")) || !exists(filepath.Join(to, "main.c")) {
		t.Error("the program is still there, or the source is gone")
	}
}
