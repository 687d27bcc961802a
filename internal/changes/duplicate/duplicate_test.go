package duplicate

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

func TestMake(t *testing.T) {
	from, to := filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "b")
	write(t, filepath.Join(from, "bin", "run"), "one")
	write(t, filepath.Join(from, ".git", "HEAD"), "ref")
	for name, target := range map[string]string{"near": "bin/run", "whole": filepath.Join(from, "bin"), "dead": "nowhere"} {
		if err := os.Symlink(target, filepath.Join(from, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := Make(context.Background(), from, to, Limits{10, 1 << 20}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(to, "whole", "run"), []byte("two"), 0o700); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{filepath.Join(from, "bin", "run"): "one", filepath.Join(to, "near"): "two"} {
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%s holds %q, %v", path, got, err)
		}
	}
	if info, err := os.Stat(filepath.Join(to, "bin", "run")); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("its mode is %v, %v", info.Mode(), err)
	}
	if _, err := os.Stat(filepath.Join(to, ".git")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the history was copied: %v", err)
	}
}

func TestTooMuch(t *testing.T) {
	from := t.TempDir()
	write(t, filepath.Join(from, "a"), "1234567890")
	write(t, filepath.Join(from, "b"), "1")
	for _, most := range []Limits{{1, 100}, {10, 9}} {
		var much *TooMuch
		if err := Make(context.Background(), from, filepath.Join(t.TempDir(), "x"), most); !errors.As(err, &much) {
			t.Errorf("%v: %v", most, err)
		}
	}
}
