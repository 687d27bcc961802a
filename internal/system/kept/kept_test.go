package kept

import (
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"
)

func files(text string) fstest.MapFS {
	return fstest.MapFS{"a.py": {Data: []byte(text)}, "sub/b.py": {Data: []byte("b")}}
}

func lay(t *testing.T, parent, text string) string {
	t.Helper()
	dir, err := Lay(parent, files(text))
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"a.py": text, "sub/b.py": "b"} {
		if got, err := os.ReadFile(filepath.Join(dir, path)); err != nil || string(got) != want {
			t.Fatalf("%s is %q, %v", path, got, err)
		}
	}
	return dir
}

func TestWhatWasMadeStays(t *testing.T) {
	parent := filepath.Join(t.TempDir(), "kept")
	dir := lay(t, parent, "one")
	made := filepath.Join(dir, "a.pyc")
	if err := os.WriteFile(made, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if again := lay(t, parent, "one"); again != dir {
		t.Errorf("%s, and then %s", dir, again)
	}
	if _, err := os.Stat(made); err != nil {
		t.Error("what was made of them is gone:", err)
	}
	if other := lay(t, parent, "two"); other == dir {
		t.Error("two versions share a folder")
	}
}

func TestDamageIsMended(t *testing.T) {
	parent := t.TempDir()
	dir := lay(t, parent, "one")
	if err := os.WriteFile(filepath.Join(dir, "a.py"), []byte("eno"), 0o600); err != nil {
		t.Fatal(err)
	}
	lay(t, parent, "one")
	if err := os.Remove(filepath.Join(dir, "sub", "b.py")); err != nil {
		t.Fatal(err)
	}
	lay(t, parent, "one")
}

func TestOldVersionsGo(t *testing.T) {
	parent := t.TempDir()
	old, recent := lay(t, parent, "old"), lay(t, parent, "recent")
	foreign := filepath.Join(parent, "another")
	if err := os.Mkdir(foreign, 0o700); err != nil {
		t.Fatal(err)
	}
	long := time.Now().Add(-keptFor - time.Hour)
	for _, dir := range []string{old, foreign} {
		if err := os.Chtimes(dir, long, long); err != nil {
			t.Fatal(err)
		}
	}
	lay(t, parent, "new")
	if _, err := os.Stat(old); err == nil {
		t.Error("the old version is there still")
	}
	for _, dir := range []string{recent, foreign} {
		if _, err := os.Stat(dir); err != nil {
			t.Error("gone with the old one:", err)
		}
	}
}

func TestNoPlaceToKeepThem(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if dir, err := Lay(filepath.Join(path, "below"), files("one")); err == nil {
		t.Error("kept in", dir)
	}
}
