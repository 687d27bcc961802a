package change

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func dir(t *testing.T, files map[string]string) string {
	t.Helper()
	d := t.TempDir()
	for name, text := range files {
		path := filepath.Join(d, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

func read(t *testing.T, d, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(d, name))
	if err != nil {
		return "(" + err.Error() + ")"
	}
	return string(text)
}

const diff = "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n"

func TestApplyAndUndo(t *testing.T) {
	d := dir(t, map[string]string{"a.txt": "one\ntwo\nthree\n", "b.txt": "b\r\nc\r\n"})
	patched, err := Patch(d, diff)
	if err != nil {
		t.Fatal(err)
	}
	edited, err := Edits(d, []Edit{{"a.txt", "two", "TWO"}})
	if err != nil {
		t.Fatal(err)
	}
	if patched.Key() != edited.Key() {
		t.Error("the same change has two keys")
	}
	if err := patched.Apply(d); err != nil || read(t, d, "a.txt") != "one\nTWO\nthree\n" {
		t.Errorf("applied: %q, %v", read(t, d, "a.txt"), err)
	}
	if info, _ := os.Stat(filepath.Join(d, "a.txt")); info.Mode().Perm() != 0o755 {
		t.Errorf("it has the rights %s", info.Mode())
	}
	var moved *Moved
	if err := patched.Apply(d); !errors.As(err, &moved) || moved.Name != "a.txt" {
		t.Errorf("applied twice: %v", err)
	}
	if err := patched.Undo(d); err != nil || read(t, d, "a.txt") != "one\ntwo\nthree\n" {
		t.Errorf("undone: %q, %v", read(t, d, "a.txt"), err)
	}
	both, err := Edits(d, []Edit{{"b.txt", "b\nc", "x\ny"}, {"sub/new.txt", "", "new"}, {"b.txt", "y", "z"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := both.Apply(d); err != nil || read(t, d, "b.txt") != "x\r\nz\r\n" || read(t, d, "sub/new.txt") != "new" {
		t.Errorf("%v: %q and %q", err, read(t, d, "b.txt"), read(t, d, "sub/new.txt"))
	}
	if err := both.Undo(d); err != nil || read(t, d, "b.txt") != "b\r\nc\r\n" || !strings.Contains(read(t, d, "sub/new.txt"), "no such") {
		t.Errorf("undone: %v, %q and %q", err, read(t, d, "b.txt"), read(t, d, "sub/new.txt"))
	}
}

func TestRestore(t *testing.T) {
	d := dir(t, map[string]string{"a.txt": "one\ntwo\nthree\n", "b.txt": "b"})
	c, err := Edits(d, []Edit{{"a.txt", "two\n", "2\n2\n"}, {"new.txt", "", "new"}})
	if err != nil {
		t.Fatal(err)
	}
	gone, err := Patch(d, "--- a/b.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n\\ No newline at end of file\n")
	if err != nil {
		t.Fatal(err)
	}
	c.Files = append(c.Files, gone.Files...)
	if err := c.Apply(d); err != nil {
		t.Fatal(err)
	}
	cuts := c.Cuts()
	if cuts[0].Piece != "two" {
		t.Errorf("a cut is %+v", cuts[0])
	}
	back, err := Restore(d, cuts)
	if err != nil {
		t.Fatal(err)
	}
	if err := back.Apply(d); err != nil || read(t, d, "a.txt") != "one\ntwo\nthree\n" || read(t, d, "b.txt") != "b" || !strings.Contains(read(t, d, "new.txt"), "no such") {
		t.Errorf("%v: %q, %q, %q", err, read(t, d, "a.txt"), read(t, d, "b.txt"), read(t, d, "new.txt"))
	}
	var moved *Moved
	if _, err := Restore(d, cuts); !errors.As(err, &moved) {
		t.Errorf("twice: %v", err)
	}
}

// Nothing is written where one of several files cannot be.
func TestAllOrNothing(t *testing.T) {
	d := dir(t, map[string]string{"a.txt": "a", "b.txt": "b"})
	c, err := Edits(d, []Edit{{"a.txt", "a", "A"}, {"b.txt", "b", "B"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(d, "b.txt"), []byte("other"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := c.Apply(d); err == nil || read(t, d, "a.txt") != "a" {
		t.Errorf("%v, and a is %q", err, read(t, d, "a.txt"))
	}
}

func TestRefused(t *testing.T) {
	d := dir(t, map[string]string{"a.txt": "x x\n", "in/b.txt": "b"})
	outside := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(outside, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{"out": filepath.Dir(outside), "dead": "/nowhere/at/all", "file": outside} {
		if err := os.Symlink(target, filepath.Join(d, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		edit Edit
		want string
	}{
		{Edit{"a.txt", "y", "z"}, "does not have"},
		{Edit{"a.txt", "x", "z"}, "more than once, in lines 1, 1"},
		{Edit{"none.txt", "x", "z"}, "there is no none.txt"},
		{Edit{"a.txt", "", "z"}, "is there"},
		{Edit{"../a.txt", "x", "z"}, "no path below"},
		{Edit{outside, "secret", "z"}, "no path below"},
		{Edit{"out/secret", "secret", "z"}, "leads out"},
		{Edit{"out/new", "", "z"}, "leads out"},
		{Edit{"dead/new", "", "z"}, "leads out"},
		{Edit{"file", "secret", "z"}, "leads out"},
	} {
		if _, err := Edits(d, []Edit{c.edit}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.edit, err, c.want)
		}
	}
	for _, name := range []string{"../x", "out/secret", "dead/x"} {
		text := "--- /dev/null\n+++ b/" + name + "\n@@ -0,0 +1 @@\n+x\n"
		if c, err := Patch(d, text); err == nil {
			t.Errorf("a patch of %s is %+v", name, c)
		}
	}
}

// What is written is newer than what it replaces, in whole seconds and even where that is of
// the future: of a file with the same time many tools would not see that it has changed.
func TestWrittenIsNewer(t *testing.T) {
	d := dir(t, map[string]string{"a.txt": "a", "b.txt": "b"})
	now, ahead := time.Now(), time.Now().Add(time.Hour)
	for name, at := range map[string]time.Time{"a.txt": now, "b.txt": ahead} {
		if err := os.Chtimes(filepath.Join(d, name), at, at); err != nil {
			t.Fatal(err)
		}
	}
	c, err := Edits(d, []Edit{{"a.txt", "a", "A"}, {"b.txt", "b", "B"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Apply(d); err != nil {
		t.Fatal(err)
	}
	for name, at := range map[string]time.Time{"a.txt": now, "b.txt": ahead} {
		info, err := os.Stat(filepath.Join(d, name))
		if err != nil || info.ModTime().Unix() <= at.Unix() || info.ModTime().Sub(at) > time.Minute {
			t.Errorf("%s was of %s and is of %s (%v)", name, at, info.ModTime(), err)
		}
	}
}
