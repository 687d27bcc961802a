//go:build unix

package store_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aidb-mcp/internal/store"
)

func TestTheStoreIsForThisUserAlone(t *testing.T) {
	k := keep(t, newPlace(t))
	if err := k.note("step"); err != nil {
		t.Fatal(err)
	}
	for suffix, want := range map[string]os.FileMode{"": 0o600, "-wal": 0o600, "-shm": 0o600, ".lock": 0o600, "/..": 0o700 | os.ModeDir} {
		info, err := os.Lstat(filepath.Clean(k.place + suffix))
		if suffix == "/.." {
			info, err = os.Lstat(filepath.Dir(k.place))
		}
		if err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v, want %v", suffix, info.Mode(), err, want)
		}
	}
}

// So is one that was made to keep attempts.
func TestAttemptsAreForThisUserAlone(t *testing.T) {
	m := remember(t, newPlace(t), 1)
	for path, want := range map[string]os.FileMode{m.place: 0o600, m.place + ".lock": 0o600, filepath.Dir(m.place): 0o700 | os.ModeDir} {
		if info, err := os.Lstat(path); err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v, want %v", path, info.Mode(), err, want)
		}
	}
	if err := os.Chmod(m.place, 0o666); err != nil {
		t.Fatal(err)
	}
	for call, err := range m.all(t.Context()) {
		if err == nil || !strings.Contains(err.Error(), "can be written by other users") {
			t.Errorf("%s: %v", call, err)
		}
	}
}

// A store that may not be written says so, whether or not it can be read then.
func TestAttemptsInAReadOnlyFolder(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere")
	}
	m := remember(t, newPlace(t), 1)
	for path, mode := range map[string]os.FileMode{m.place: 0o400, filepath.Dir(m.place): 0o500} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(path, 0o700) })
	}
	for call, err := range m.all(t.Context()) {
		if err == nil || !strings.Contains(err.Error(), "it cannot be written") {
			t.Errorf("%s: %v", call, err)
		}
	}
}

func TestStoresOfOthersAreRefused(t *testing.T) {
	dir := t.TempDir()
	for name, test := range map[string]struct {
		make func(place string) error
		says string
	}{
		"folder": {func(place string) error { return os.Chmod(filepath.Dir(place), 0o777) }, "its folder can be written by other users"},
		"file": {func(place string) error {
			if err := os.WriteFile(place, nil, 0o600); err != nil {
				return err
			}
			return os.Chmod(place, 0o666)
		}, "can be written by other users"},
		"link":      {func(place string) error { return os.Symlink("/dev/null", place) }, "symbolic link"},
		"directory": {func(place string) error { return os.Mkdir(place, 0o700) }, "no regular file"},
	} {
		t.Run(name, func(t *testing.T) {
			place := filepath.Join(dir, name, "aidb.db")
			if err := os.Mkdir(filepath.Dir(place), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := test.make(place); err != nil {
				t.Fatal(err)
			}
			k := keep(t, place)
			err := k.note("step")
			if err == nil || !strings.Contains(err.Error(), test.says) {
				t.Errorf("writing: %v", err)
			}
			if name == "folder" {
				return // there is nothing to read
			}
			if _, err := store.Read(t.Context(), place, time.Time{}, "tool"); err == nil || !strings.Contains(err.Error(), test.says) {
				t.Errorf("reading: %v", err)
			}
		})
	}
}
