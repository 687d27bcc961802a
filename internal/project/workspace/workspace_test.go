package workspace_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"aidb-mcp/internal/project/workspace"
	"aidb-mcp/internal/project/workspace/workspacetest"
	"aidb-mcp/internal/testkit/filetree"
)

func TestDetectOtherLanguages(t *testing.T) {
	root := filetree.New(t, map[string]string{
		"package.json":              "{}",
		"web/app.ts":                "",
		"web/app.test.tsx":          "",
		"web/old.js":                "",
		"jest.config.js":            "",
		"svc/pyproject.toml":        "",
		"svc/conftest.py":           "",
		"svc/.venv/pyvenv.cfg":      "",
		"tools/py311/pyvenv.cfg":    "",
		"tools/py311/lib/z.py":      "if __name__ == '__main__':\n    pass\n",
		"svc/.venv/bin/python":      "",
		"svc/.venv/lib/a/b.py":      "",
		"node_modules/x/index.js":   "",
		"node_modules/package.json": "",
		"pkg/mod/a.b/c@v1.2.0/a.go": "package c\n",
		"pkg/mod/cache/download/x":  "",
		"mods/a.b/c@v1.2.0/a.go":    "package c\n",
	})
	want := &workspace.Project{
		Root:      root,
		Languages: []workspace.Language{{Name: "javascript", Files: 2}, {Name: "typescript", Files: 2}, {Name: "python", Files: 1}},
		Builds: []workspace.Build{
			{Path: "package.json", Kind: "npm package", Language: "javascript"},
			{Path: "svc/pyproject.toml", Kind: "Python project", Language: "python"},
		},
		Frameworks:   []workspace.Framework{{Language: "javascript", Name: "jest"}, {Language: "python", Name: "pytest"}},
		Environments: []workspace.Environment{{Language: "python", Path: "svc/.venv", Interpreter: "svc/.venv/bin/python"}, {Language: "python", Path: "tools/py311"}},
	}
	if diff := cmp.Diff(want, workspacetest.Detect(t, known, root), cmpopts.IgnoreUnexported(workspace.Project{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestLimits(t *testing.T) {
	files := map[string]string{}
	for i := range workspace.MaxList + 5 {
		files[fmt.Sprintf("p%03d/main.go", i)] = "package main\n\nfunc main() {}\n"
	}
	var tests strings.Builder
	tests.WriteString("package t\n")
	for i := range workspace.MaxNames + 7 {
		fmt.Fprintf(&tests, "func TestN%d(t *testing.T) {}\n", i)
	}
	files["t_test.go"] = tests.String()
	files[strings.Repeat("d/", workspace.MaxDepth+2)+"main.go"] = "package main\n"
	p := workspacetest.Detect(t, known, filetree.New(t, files))
	if len(p.Programs) != workspace.MaxList || !p.Truncated {
		t.Errorf("%d programs, truncated %v", len(p.Programs), p.Truncated)
	}
	if s := p.Tests[0]; len(s.Names) != workspace.MaxNames || s.Total != workspace.MaxNames+7 {
		t.Errorf("%d of %d names", len(s.Names), s.Total)
	}
}

func TestDetectThroughALink(t *testing.T) {
	root := filetree.New(t, map[string]string{"a/main.go": "package main\n\nfunc main() {}\n"})
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(root, link); err != nil {
		t.Fatal(err)
	}
	p := workspacetest.Detect(t, known, link)
	if p.Root != root || !slices.ContainsFunc(p.Programs, func(g workspace.Program) bool { return g.Path == "a" }) {
		t.Errorf("%+v", p)
	}
}

func TestDetectNoDirectory(t *testing.T) {
	root := filetree.New(t, map[string]string{"a.go": ""})
	for _, bad := range []string{filepath.Join(root, "missing"), filepath.Join(root, "a.go")} {
		if p, err := known.Detect(bad); err == nil {
			t.Errorf("known.Detect(%s) = %+v", bad, p)
		}
	}
}

// A directory with very many entries is looked at in part, and named; one of a package
// manager is not even listed.
func TestDetectVeryMany(t *testing.T) {
	root := filetree.New(t, map[string]string{"main.py": pyGuard, "node_modules/big/one.py": pyGuard, "zoo/test_zoo.py": pyTest})
	for i := range workspace.MaxEntries/2 + 10 {
		if err := os.Link(filepath.Join(root, "main.py"), filepath.Join(root, "node_modules", "big", fmt.Sprint(i))); err != nil {
			t.Fatal(err)
		}
	}
	check := func(leftOut ...string) {
		t.Helper()
		began := time.Now()
		p := workspacetest.Detect(t, known, root)
		if took := time.Since(began); took > 10*workspace.MaxTime {
			t.Errorf("it took %s", took)
		}
		if p.Truncated != (leftOut != nil) || !slices.Equal(p.LeftOut, leftOut) || len(p.Programs) == 0 || p.Programs[0].Path != "." || len(p.Tests) != 1 {
			t.Errorf("%+v", p)
		}
	}
	check()
	if err := os.Rename(filepath.Join(root, "node_modules"), filepath.Join(root, "data")); err != nil {
		t.Fatal(err)
	}
	check("data/big")
}

// Links are not followed, so that those which lead back have no end.
func TestDetectLinksInACircle(t *testing.T) {
	root := filetree.New(t, map[string]string{"app/main.py": pyGuard})
	for link, to := range map[string]string{"app/up": "..", "self": "self", "app/here": ".", "pyproject.toml": "pyproject.toml", "tests": "app/up/tests"} {
		if err := os.Symlink(to, filepath.Join(root, link)); err != nil {
			t.Fatal(err)
		}
	}
	p := workspacetest.Detect(t, known, root)
	if p.Truncated || len(p.Programs) != 1 || p.Programs[0].Path != "app" {
		t.Errorf("%+v", p)
	}
}

// What several languages have in one directory is listed in the order in which they look.
func TestDetectLanguagesInOneDirectory(t *testing.T) {
	p := workspacetest.Detect(t, known, filetree.New(t, map[string]string{
		"package.json": `{"main": "a.js"}`, "a.js": "run()\n", "M.java": "class M {\n    public static void main(String[] a) {}\n}\n", "c.cpp": "int main() {}\n",
		"r.rs": "fn main() {}\n", "p.py": pyGuard, "g.go": "package main\n\nfunc main() {}\n",
	}))
	var got []string
	for _, program := range p.Programs {
		got = append(got, program.File)
	}
	if want := []string{"g.go", "p.py", "a.js", "r.rs", "M.java", "c.cpp"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
