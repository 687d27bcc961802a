//go:build unix

package boundedfile

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aidb-mcp/internal/system/boundedfile/boundedfiletest"
)

func TestRead(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("four"), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := Read(file, 4); string(text) != "four" || err != nil {
		t.Errorf("a file at the limit: %q, %v", text, err)
	}
	if _, err := Read(file, 3); !errors.Is(err, ErrTooLarge) {
		t.Errorf("a file above the limit: %v", err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	if text, err := Read(link, 4); string(text) != "four" || err != nil {
		t.Errorf("a link to a file: %q, %v", text, err)
	}
	if _, err := Read(filepath.Join(dir, "absent"), 9); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

func TestLine(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("one\n\nthree"), 0o600); err != nil {
		t.Fatal(err)
	}
	for number, want := range map[int]string{1: "one", 2: "", 3: "three"} {
		if text, found := Line(file, number); text != want || !found {
			t.Errorf("line %d is %q, %v", number, text, found)
		}
	}
	for _, number := range []int{0, 4} {
		if text, found := Line(file, number); found {
			t.Errorf("line %d is %q", number, text)
		}
	}
	if text, found := Line(file+"s", 1); found {
		t.Errorf("no file has the line %q", text)
	}
}

func TestReadNothingElse(t *testing.T) {
	dir := t.TempDir()
	fifo, toZero := filepath.Join(dir, "fifo"), filepath.Join(dir, "zero")
	boundedfiletest.Endless(t, fifo, toZero)
	for path, want := range map[string]string{
		fifo: "a named pipe", toZero: "a device", "/dev/zero": "a device", dir: "a directory",
	} {
		if _, err := Read(path, 9); !errors.Is(err, ErrNot) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
		if f, err := Open(path); !errors.Is(err, ErrNot) {
			t.Errorf("%s opened: %v, %v", path, f, err)
		}
		if got := Special(path); got != want && path != dir || path == dir && got != "" {
			t.Errorf("%s is %q", path, got)
		}
	}
}

// A file whose readers have to wait, as those of the kernel's log do, is given up.
func TestContentsThatNeverCome(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	if text, err := contents(r, 9); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("%q, %v", text, err)
	}
}
