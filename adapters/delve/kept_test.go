//go:build linux

package delve

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/testkit/filetree"
)

// What was built is linked once, as long as nothing of it has changed, and each build has a
// file of its own.
func TestLinkedOnce(t *testing.T) {
	dir, kept := t.TempDir(), t.TempDir()
	write := func(files map[string]string) {
		t.Helper()
		filetree.Write(t, dir, files)
	}
	a := New(Options{Kept: filepath.Join(kept, "go")}).(*adapter)
	build := func(args ...string) string {
		t.Helper()
		j := job{}
		j.Mode, j.env, j.BuildArgs = adapters.Launch, os.Environ(), args
		b, err := a.build(t.Context(), j, code{from: dir, args: []string{"."}})
		if err != nil {
			t.Fatal(err)
		}
		return b.program
	}
	says := func(program, want string) {
		t.Helper()
		out, err := exec.Command(program).CombinedOutput()
		if err != nil || strings.TrimSpace(string(out)) != want {
			t.Errorf("%s says %q, %v; want %s", filepath.Base(program), out, err, want)
		}
	}
	same := func(one, other string) bool {
		t.Helper()
		a, err := os.Stat(one)
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.Stat(other)
		if err != nil {
			t.Fatal(err)
		}
		return os.SameFile(a, b)
	}
	main := func(text string) map[string]string {
		return map[string]string{"main.go": fmt.Sprintf("package main\n\nfunc main() { println(%q) }\n", text)}
	}

	write(map[string]string{"go.mod": "module example.org/first\n\ngo 1.24\n"})
	write(main("one"))
	first := build()
	again := build()
	if first == again || !same(first, again) {
		t.Errorf("%s and %s: it was linked again", first, again)
	}
	write(main("two"))
	second := build()
	says(second, "two")
	says(first, "one") // which a session may have open
	if build("-ldflags=-X=main.x=y"); same(build(), first) {
		t.Error("an earlier program has come back")
	}
	says(build(), "two")

	write(map[string]string{"go.mod": "module example.org/renamed\n\ngo 1.24\n"})
	if renamed := build(); filepath.Base(renamed) != "renamed" {
		t.Errorf("it is called %s", renamed)
	}
	write(map[string]string{"c.go": "package main\n\nimport \"C\"\n"})
	if _, err := exec.LookPath("gcc"); err == nil { // what the system links may have libraries in it that nobody looks at
		t.Setenv("CGO_ENABLED", "1")
		if same(build(), build()) {
			t.Error("a program with C in it was kept")
		}
	}
}

// Those that were used last are kept, up to a number.
func TestPruneKept(t *testing.T) {
	parent := t.TempDir()
	age := func(name string, hours int) {
		t.Helper()
		filetree.Write(t, parent, map[string]string{name + "/program": "x"})
		at := time.Now().Add(-time.Duration(hours) * time.Hour)
		if err := os.Chtimes(filepath.Join(parent, name, "program"), at, at); err != nil {
			t.Fatal(err)
		}
	}
	for i := range mostKept + 2 {
		age(fmt.Sprintf("p%02d", i), i)
	}
	age(".new-old", 2)
	age(".new-now", 0)
	pruneKept(parent)
	entries, err := os.ReadDir(parent)
	if err != nil {
		t.Fatal(err)
	}
	if first, last := entries[0].Name(), entries[len(entries)-1].Name(); len(entries) != mostKept+1 || first != ".new-now" || last != fmt.Sprintf("p%02d", mostKept-1) {
		t.Errorf("%d are kept, %s to %s", len(entries), first, last)
	}
}
