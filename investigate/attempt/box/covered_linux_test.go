package box_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"aidb-mcp/internal/system/process"
	"aidb-mcp/investigate/attempt/box"
)

// file writes a file and returns its path.
func file(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// open opens a box, with what else it covers.
func open(t *testing.T, dir string, covered ...box.Covered) *box.Box {
	t.Helper()
	return openWithin(t, dir, box.Limits{Written: 8 << 20, Covered: covered})
}

func openWithin(t *testing.T, dir string, limits box.Limits) *box.Box {
	t.Helper()
	root := process.NewRoot(slog.Default())
	t.Cleanup(root.Close)
	b, err := box.New(root, limits).Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if b.Copied {
		t.Skip("this system lays no overlays")
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

// What a box writes in a covered directory is its own, and it sees what was there; what is
// shared in it is everybody's.
func TestCoveredDirectory(t *testing.T) {
	cache := t.TempDir()
	kept := file(t, filepath.Join(cache, "tree/object.o"), "old")
	b := open(t, workspace(t), box.Covered{Dir: cache, Shared: []string{".locks"}})
	out, err := run(t, b, "cd "+cache+" && cat tree/object.o && echo new > tree/object.o && cat tree/object.o && echo x > .locks/a")
	if err != nil || out != "oldnew\n" {
		t.Errorf("in the box: %q, %v", out, err)
	}
	if text, _ := os.ReadFile(kept); string(text) != "old" {
		t.Errorf("outside it is %q", text)
	}
	if text, _ := os.ReadFile(filepath.Join(cache, ".locks/a")); string(text) != "x\n" {
		t.Errorf("what is shared is %q", text)
	}
}

// Of what lies outside of the workspace a box tells what was read, run and looked at, and
// not what it has made itself.
func TestReads(t *testing.T) {
	dir, outside := workspace(t), t.TempDir()
	read := file(t, filepath.Join(outside, "read.txt"), "x")
	looked := file(t, filepath.Join(outside, "looked.txt"), "x")
	through := filepath.Join(outside, "link.txt")
	if err := os.Symlink(file(t, filepath.Join(outside, "far", "target.txt"), "x"), through); err != nil {
		t.Fatal(err)
	}
	changed := file(t, filepath.Join(outside, "changed.txt"), "x")
	unread := file(t, filepath.Join(outside, "unread.txt"), "x")
	cache := t.TempDir()
	cached := file(t, filepath.Join(cache, "made/again"), "x")
	b := openWithin(t, dir, box.Limits{Written: 8 << 20, Caches: []string{cache}})
	if _, err := run(t, b, "cat code.txt "+read+" "+through+" "+cached+" && cd "+outside+" && test -f looked.txt && echo y > changed.txt && cat changed.txt && mkdir made && echo z > made/z && mv made moved && cat moved/z"); err != nil {
		t.Fatal(err)
	}
	r := b.Reads()
	if r == nil {
		t.Skip("this kernel does not tell what is read")
	}
	for _, want := range []string{read, looked, filepath.Join(outside, "far", "target.txt"), "/bin/cat"} {
		whole, err := filepath.EvalSymlinks(want)
		if err != nil || !slices.Contains(r.Files, whole) {
			t.Errorf("%s is not told (%v)", want, err)
		}
	}
	for _, path := range r.Files {
		if path == changed || path == unread || path == cached || strings.HasPrefix(path, dir) || strings.Contains(path, "moved") {
			t.Errorf("%s is told", path)
		}
	}
	if r.Unsettled {
		t.Error("nobody else has written anything")
	}
}

// What somebody else writes while the box reads it is not settled: here that is this test.
func TestReadsOfWhatChanges(t *testing.T) {
	outside := t.TempDir()
	read, ready, open_ := file(t, filepath.Join(outside, "read.txt"), "x"), filepath.Join(outside, "ready"), filepath.Join(outside, "go")
	for _, pipe := range []string{ready, open_} {
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b := open(t, workspace(t))
	go func() {
		_, _ = os.ReadFile(ready)
		_ = os.WriteFile(read, []byte("y"), 0o644)
		_ = os.WriteFile(open_, nil, 0o600)
	}()
	if _, err := run(t, b, "cat "+read+"; echo > "+ready+"; cat "+open_); err != nil {
		t.Fatal(err)
	}
	if r := b.Reads(); r != nil && (!r.Unsettled || slices.Contains(r.Files, read)) {
		t.Errorf("it is told as if it were settled: %+v", r)
	}
}

// Root may write what belongs to others, in a box as outside.
func TestRootAndForeignFiles(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root may give files away")
	}
	dir := workspace(t)
	for _, name := range []string{"sub", "sub/deep.txt"} {
		if err := os.Chown(filepath.Join(dir, name), 502, 502); err != nil {
			t.Fatal(err)
		}
	}
	b := open(t, dir)
	if out, err := run(t, b, "stat -c %u sub && echo new > sub/deep.txt && touch sub/more && cat sub/deep.txt"); err != nil || out != "502\nnew\n" {
		t.Errorf("in the box: %q, %v", out, err)
	}
	if text, _ := os.ReadFile(filepath.Join(dir, "sub/deep.txt")); string(text) != "deep" {
		t.Errorf("outside it is %q", text)
	}
}
