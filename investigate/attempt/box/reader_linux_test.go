package box

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A path is read to its end, over the border of its page too, and not beyond what is there.
func TestAPathOverTwoPages(t *testing.T) {
	page := os.Getpagesize()
	memory, err := unix.Mmap(-1, 0, 3*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Munmap(memory)
	if err := unix.Mprotect(memory[2*page:], unix.PROT_NONE); err != nil {
		t.Fatal(err)
	}
	path := "/" + strings.Repeat("a", 300)
	for name, at := range map[string]int{"across": page - 100, "at the end": 2*page - len(path) - 1} {
		clear(memory[:2*page])
		copy(memory[at:], path)
		if got, err := (&reader{}).textAt(os.Getpid(), uintptr(unsafe.Pointer(&memory[at]))); err != nil || got != path {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	copy(memory, strings.Repeat("a", 2*page))
	if got, err := (&reader{}).textAt(os.Getpid(), uintptr(unsafe.Pointer(&memory[0]))); err == nil {
		t.Errorf("a path without an end: %d bytes", len(got))
	}
}

// A file is told from what it was by what is in it, however big its parts are; what is no
// file is none.
func TestStateOfAFile(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "file")
	was := map[string]string{}
	for _, text := range []string{"", "x", strings.Repeat("x", 200_000), strings.Repeat("x", 199_999) + "y"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		is := (&reader{}).fileState(name)
		if other, known := was[is]; is == "" || known {
			t.Errorf("%d bytes are told as %d are: %q", len(text), len(other), is)
		}
		if again := (&reader{}).fileState(name); again != is {
			t.Errorf("the same file is %q and %q", is, again)
		}
		was[is] = text
	}
	pipe := filepath.Join(dir, "pipe")
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, pipe, filepath.Join(dir, "none")} {
		if is := (&reader{}).fileState(path); is != "" {
			t.Errorf("%s has the state %q", path, is)
		}
	}
}
