package source

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/testkit/filetree"
)

func TestCanonicalOneFileManyNames(t *testing.T) {
	root := filetree.New(t, map[string]string{"my dir/größe.go": "x", "other/a.go": "y"})
	want := filepath.Join(root, "my dir", "größe.go")
	link := filepath.Join(root, "link")
	if err := os.Symlink(filepath.Join(root, "my dir"), link); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		want,
		"my dir/größe.go",
		"./my dir/../my dir/größe.go",
		filepath.Join(link, "größe.go"),
		"link/größe.go",
		root + "/other/../my dir/größe.go",
	} {
		got, err := Canonical(name, filepath.Join(root, "other"), root)
		if err != nil || got != want {
			t.Errorf("Canonical(%q) = %q, %v; want %q", name, got, err, want)
		}
	}
}

func TestCanonicalWithoutRootsUsesTheWorkingDirectory(t *testing.T) {
	root := filetree.New(t, map[string]string{"a.go": "x"})
	t.Chdir(root)
	got, err := Canonical("a.go")
	if want := filepath.Join(root, "a.go"); err != nil || got != want {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
}

func TestCanonicalNamesSimilarFiles(t *testing.T) {
	root := filetree.New(t, map[string]string{
		"pkg/calc.go":              "",
		"pkg/calculus.go":          "",
		"pkg/calc.txt":             "",
		"node_modules/x/clac.go":   "",
		"deep/er/still/handler.go": "",
	})
	tests := []struct {
		path, similar string
	}{
		{"pkg/clac.go", "pkg/calc.go"},
		{"calc.go", "pkg/calc.go"},
		{"nowhere/at/all/Handler.go", "deep/er/still/handler.go"},
		{filepath.Join(root, "pkg", "calk.go"), "pkg/calc.go"},
		{"pkg/calc.go/deeper/calc.go", "pkg/calc.go"},
		{"zzzzzz.go", ""},
	}
	for _, tt := range tests {
		_, err := Canonical(tt.path, root)
		var f *fault.Error
		if !errors.As(err, &f) || f.Code != fault.InvalidLocation || !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("Canonical(%q): %#v, want a missing file", tt.path, err)
			continue
		}
		if !strings.Contains(f.Hint, tt.similar) || strings.Contains(f.Hint, "node_modules") {
			t.Errorf("Canonical(%q): hint %q, want %q in it", tt.path, f.Hint, tt.similar)
		}
		if tt.similar == "" && strings.Contains(f.Hint, "did you mean") {
			t.Errorf("Canonical(%q): hint %q names files that are not alike", tt.path, f.Hint)
		}
	}
}

func TestCanonicalRefusesAnEmptyPath(t *testing.T) {
	if got, err := Canonical(" ", t.TempDir()); err == nil {
		t.Errorf("got %q", got)
	}
}

func TestRel(t *testing.T) {
	root := filetree.New(t, map[string]string{"real/pkg/a.go": ""})
	real := filepath.Join(root, "real")
	link := filepath.Join(root, "link")
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(real, "pkg", "a.go")
	tests := []struct{ root, path, want string }{
		{real, file, "pkg/a.go"},
		{link, file, "pkg/a.go"},
		{filepath.Join(real, "pkg"), real, real},
		{real, real + "ly/a.go", real + "ly/a.go"},
		{real, filepath.Join(real, "..a.go"), "..a.go"},
		{"", file, file},
		{real, "rel.go", "rel.go"},
	}
	for _, tt := range tests {
		if got := Rel(tt.root, tt.path); got != tt.want {
			t.Errorf("Rel(%q, %q) = %q, want %q", tt.root, tt.path, got, tt.want)
		}
	}
}

func TestBelow(t *testing.T) {
	for _, c := range []struct {
		path, folder, rest string
		ok                 bool
	}{
		{"/app/x.py", "/app", "x.py", true},
		{"/app/x.py", "/app/", "x.py", true},
		{"/app", "/app", "", true},
		{"/application/x.py", "/app", "", false},
		{`C:\app\x.py`, `C:\app`, "x.py", true},
		{"/app/x.py", "", "", false},
	} {
		if rest, ok := Below(c.path, c.folder); rest != c.rest || ok != c.ok {
			t.Errorf("Below(%q, %q) = %q, %v", c.path, c.folder, rest, ok)
		}
	}
}
