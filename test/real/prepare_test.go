//go:build linux

package real

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
	"aidb-mcp/internal/testkit/registry"
)

// ready is the file that stands in a project when it is built.
const ready = ".ready"

// home is the folder of the fetched projects.
func home() string {
	if dir := os.Getenv("AIDB_REAL"); dir != "" {
		return dir
	}
	return filepath.Join(testkit.Home(), "real")
}

// prepare fetches, changes and builds a project where this has not been done
// yet, and returns its folder. That is named after all that went into it, and is
// final from the start: debug information and environments hold its path.
func (p *project) prepare(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(home(), p.Name+"-"+p.key(t))
	if err := os.MkdirAll(home(), 0o755); err != nil {
		t.Fatal(err)
	}
	defer testkit.Alone(t, dir+".lock")()
	if _, err := os.Stat(filepath.Join(dir, ready)); err == nil {
		return dir
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	for _, pin := range p.Pins {
		if err := pin.Fetch(filepath.Join(dir, pin.Into)); err != nil {
			t.Fatalf("fetching %s: %v", pin.Name, err)
		}
	}
	if err := p.overlay(dir); err != nil {
		t.Fatal(err)
	}
	for _, e := range p.Edits {
		if err := e.apply(dir); err != nil {
			t.Fatal(err)
		}
	}
	for _, command := range p.Build {
		if err := registry.Run(dir, command...); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, ready), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// key changes with all that goes into a prepared project.
func (p *project) key(t *testing.T) string {
	t.Helper()
	sum := sha256.New()
	fmt.Fprintf(sum, "%q %q %q\n", p.Pins, p.Edits, p.Build)
	err := filepath.WalkDir(p.testdata(), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		fmt.Fprintf(sum, "%q %q\n", path[len(p.testdata()):], text)
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return hex.EncodeToString(sum.Sum(nil)[:4])
}

// testdata is the folder of our own files for this project.
func (p *project) testdata() string {
	return filepath.Join(testkit.Root(), "test", "real", "testdata", p.Name)
}

// overlay puts our own files beside the real code, without the ending .in, which
// keeps those of them that the tools of this repository would read as its own.
func (p *project) overlay(dir string) error {
	from := os.DirFS(p.testdata())
	if _, err := fs.Stat(from, "."); err != nil {
		return nil
	}
	return fs.WalkDir(from, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(dir, path), 0o755)
		}
		text, err := fs.ReadFile(from, path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, strings.TrimSuffix(path, ".in")), text, 0o644)
	})
}

// apply changes a file of the project.
func (e edit) apply(dir string) error {
	file := filepath.Join(dir, e.File)
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if n := strings.Count(string(text), e.Old); n != 1 {
		return fmt.Errorf("%s contains %q %d times", e.File, e.Old, n)
	}
	return os.WriteFile(file, []byte(strings.Replace(string(text), e.Old, e.New, 1)), 0o644)
}
