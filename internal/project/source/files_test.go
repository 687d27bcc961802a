package source

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/testkit/filetree"
)

func TestFilesLines(t *testing.T) {
	root := filetree.New(t, map[string]string{
		"unix.go":  "one\ntwo\nthree\n",
		"dos.go":   "\ufeffone\r\ntwo\r\nthree",
		"empty.go": "",
		"blank.go": "\n\n",
	})
	f := NewFiles(nil)
	for _, name := range []string{"unix.go", "dos.go"} {
		path := filepath.Join(root, name)
		for _, tt := range []struct {
			from, to int
			want     []string
		}{
			{1, 3, []string{"one", "two", "three"}},
			{-5, 1, []string{"one"}},
			{3, 99, []string{"three"}},
			{4, 9, nil},
			{3, 2, nil},
		} {
			got, err := f.Lines(path, tt.from, tt.to)
			if err != nil || !cmp.Equal(got, tt.want) {
				t.Errorf("%s %d-%d: %q, %v; want %q", name, tt.from, tt.to, got, err, tt.want)
			}
		}
	}
	for name, want := range map[string]int{"unix.go": 3, "dos.go": 3, "empty.go": 0, "blank.go": 2} {
		if n, err := f.Count(filepath.Join(root, name)); n != want || err != nil {
			t.Errorf("Count(%s) = %d, %v; want %d", name, n, err, want)
		}
	}
	if text, err := f.Text(filepath.Join(root, "unix.go"), 2); text != "two" || err != nil {
		t.Errorf("Text = %q, %v", text, err)
	}
}

func TestFilesErrors(t *testing.T) {
	root := filetree.New(t, map[string]string{"a.go": "one\ntwo\n"})
	f := NewFiles(nil)
	_, err := f.Text(filepath.Join(root, "a.go"), 3)
	if !fault.Is(err, fault.InvalidLocation) || !strings.Contains(err.Error(), "has 2 lines") {
		t.Errorf("past the end: %v", err)
	}
	if _, err := f.Kind(filepath.Join(root, "a.go"), 0); err == nil {
		t.Error("line 0 has a kind")
	}
	if _, err := f.Count(filepath.Join(root, "b.go")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
	if _, err := f.Count(root); err == nil {
		t.Error("a directory has lines")
	}
	big := filepath.Join(root, "big.go")
	if err := os.Truncate(write(t, big, "x"), maxFileSize+1); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Count(big); err == nil || !strings.Contains(err.Error(), "too large") {
		t.Errorf("big file: %v", err)
	}
}

func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFilesNoticeChanges(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.go")
	f := NewFiles(nil)
	expect := func(want string) {
		t.Helper()
		if got, err := f.Text(path, 1); got != want || err != nil {
			t.Errorf("got %q, %v; want %q", got, err, want)
		}
	}
	write(t, path, "first")
	expect("first")
	write(t, path, "longer text") // another size
	expect("longer text")
	write(t, path, "LONGER TEXT") // the same size, another time
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(path, later, later); err != nil {
		t.Fatal(err)
	}
	expect("LONGER TEXT")
}

func TestFilesAreBounded(t *testing.T) {
	dir := t.TempDir()
	f := NewFiles(nil)
	var wg sync.WaitGroup
	for i := range 3 * maxFiles {
		path := write(t, filepath.Join(dir, fmt.Sprintf("f%d.go", i)), fmt.Sprintf("// %d", i))
		wg.Go(func() {
			if text, err := f.Text(path, 1); err != nil || text != fmt.Sprintf("// %d", i) {
				t.Errorf("file %d: %q, %v", i, text, err)
			}
			if kind, err := f.Kind(path, 1); err != nil || kind != Comment {
				t.Errorf("file %d: %v, %v", i, kind, err)
			}
		})
	}
	wg.Wait()
	if len(f.files) > maxFiles {
		t.Errorf("%d files are kept", len(f.files))
	}
}

func TestFindStatement(t *testing.T) {
	path := filepath.Join(filetree.New(t, map[string]string{"a.go": `package a

func f(n int) int {
	x := g(n)
	x   :=   g(n) // again
	if x := g( n ); x > 0 {
		return x
	}
	x := g(n)
	return x
}
`}), "a.go")
	f := NewFiles(nil)
	tests := []struct {
		text string
		near int
		want []int
	}{
		{"x:=g(n)", 0, []int{4, 9}},
		{"  x := g(n)  ", 8, []int{9, 4}},
		{"\n\tx := g(n)\n\treturn x\n", 4, []int{4, 9}},
		{"return x", 0, []int{7, 10}},
		{"// again", 0, []int{5}},
		{"g(n); x", 0, []int{6}},
	}
	for _, tt := range tests {
		got, err := f.FindStatement(path, tt.text, tt.near)
		if err != nil || !cmp.Equal(got, tt.want) {
			t.Errorf("FindStatement(%q, near %d) = %v, %v; want %v", tt.text, tt.near, got, err, tt.want)
		}
	}
}

func TestFindStatementNotFound(t *testing.T) {
	path := filepath.Join(filetree.New(t, map[string]string{"a.go": "package a\n\ntotal += item.Price\n"}), "a.go")
	for text, hint := range map[string]string{
		"total += item.Prise":    "line 3: total += item.Price",
		"completely other stuff": "text of the line",
		" \n ":                   "text of the line",
	} {
		_, err := NewFiles(nil).FindStatement(path, text, 0)
		var f *fault.Error
		if !errors.As(err, &f) || f.Code != fault.InvalidLocation || !strings.Contains(f.Hint, hint) {
			t.Errorf("FindStatement(%q): %#v, want the hint %q", text, err, hint)
		}
	}
}

func TestSameStatement(t *testing.T) {
	if !SameStatement("\tx := 1 ", "x:=1") || SameStatement("x := 1", "x := 2") {
		t.Error("white space matters, or the text does not")
	}
}
