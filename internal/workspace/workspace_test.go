package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func detect(t *testing.T, root string) *Project {
	t.Helper()
	p, err := Detect(root)
	if err != nil {
		t.Fatal(err)
	}
	for i := range p.Tests {
		p.Tests[i].Changed = time.Time{} // is now
	}
	for i := range p.Programs {
		p.Programs[i].Changed = time.Time{}
	}
	return p
}

func TestDetectGo(t *testing.T) {
	root := tree(t, map[string]string{
		"go.mod":                   "module example.com/shop\n\ngo 1.26\n",
		"Makefile":                 "test:\n",
		"doc.go":                   "// Package shop sells.\npackage shop\n",
		"cmd/shop/doc.go":          "// Shop sells things. It has more to say.\npackage main\n",
		"cmd/shop/run.go":          "package main\n\nvar x int\n\nfunc main() {}\n",
		"cmd/broken/main.go":       "// Broken does not compile.\npackage main\n\nfunc main() {\n\tif {\n",
		"lib/mainless.go":          "package main\n\nfunc helper() {}\n",
		"gen.go":                   "//go:build ignore\n\npackage main\n\nfunc main() {}\n",
		"price/price.go":           "package price\n",
		"price/price_test.go":      "package price\n\nimport (\n\t\"testing\"\n\t\"github.com/stretchr/testify/require\"\n)\n\nfunc TestMain(m *testing.M) {}\nfunc TestSum(t *testing.T) { require.True(t, true) }\nfunc Testify(t *testing.T) {}\nfunc Test(t *testing.T) {}\nfunc Test_low(t *testing.T) {}\nfunc TestHelper() {}\nfunc BenchmarkSum(b *testing.B) {}\n",
		"price/x_test.go":          "package price_test\n\nimport \"testing\"\n\nfunc TestOutside(t *testing.T) {}\n",
		"price/testdata/p/main.go": "package main\n\nfunc main() {}\n",
		"vendor/v/main.go":         "package main\n\nfunc main() {}\n",
		".git/hooks/main.go":       "package main\n\nfunc main() {}\n",
		"_old/main.go":             "package main\n\nfunc main() {}\n",
	})
	want := &Project{
		Root:      root,
		Languages: []Language{{"go", 9}},
		Builds: []Build{
			{Path: "Makefile", Kind: "Makefile"},
			{Path: "go.mod", Kind: "Go module", Language: "go", Name: "example.com/shop"},
		},
		Programs: []Program{
			{Language: "go", Path: "cmd/broken", File: "cmd/broken/main.go", Line: 4, Doc: "Broken does not compile."},
			{Language: "go", Path: "cmd/shop", File: "cmd/shop/run.go", Line: 5, Doc: "Shop sells things."},
		},
		Tests: []Suite{{
			Language: "go", Framework: "go test", Path: "price",
			Names: []string{"TestSum", "Test", "Test_low", "TestOutside"}, Total: 4,
		}, {
			Language: "go", Framework: "go benchmark", Path: "price", Names: []string{"BenchmarkSum"}, Total: 1,
		}},
		Frameworks: []Framework{{"go", "go benchmark"}, {"go", "go test"}, {"go", "testify"}},
	}
	if diff := cmp.Diff(want, detect(t, root)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDetectOtherLanguages(t *testing.T) {
	root := tree(t, map[string]string{
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
	want := &Project{
		Root:      root,
		Languages: []Language{{"javascript", 2}, {"typescript", 2}, {"python", 1}},
		Builds: []Build{
			{Path: "package.json", Kind: "npm package", Language: "javascript"},
			{Path: "svc/pyproject.toml", Kind: "Python project", Language: "python"},
		},
		Frameworks:   []Framework{{"javascript", "jest"}, {"python", "pytest"}},
		Environments: []Environment{{Language: "python", Path: "svc/.venv", Interpreter: "svc/.venv/bin/python"}, {Language: "python", Path: "tools/py311"}},
	}
	if diff := cmp.Diff(want, detect(t, root)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestLimits(t *testing.T) {
	files := map[string]string{}
	for i := range maxList + 5 {
		files[fmt.Sprintf("p%03d/main.go", i)] = "package main\n\nfunc main() {}\n"
	}
	var tests strings.Builder
	tests.WriteString("package t\n")
	for i := range maxNames + 7 {
		fmt.Fprintf(&tests, "func TestN%d(t *testing.T) {}\n", i)
	}
	files["t_test.go"] = tests.String()
	files[strings.Repeat("d/", maxDepth+2)+"main.go"] = "package main\n"
	p := detect(t, tree(t, files))
	if len(p.Programs) != maxList || !p.Truncated {
		t.Errorf("%d programs, truncated %v", len(p.Programs), p.Truncated)
	}
	if s := p.Tests[0]; len(s.Names) != maxNames || s.Total != maxNames+7 {
		t.Errorf("%d of %d names", len(s.Names), s.Total)
	}
}

func TestDetectThroughALink(t *testing.T) {
	root := tree(t, map[string]string{"a/main.go": "package main\n\nfunc main() {}\n"})
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(root, link); err != nil {
		t.Fatal(err)
	}
	p := detect(t, link)
	if p.Root != root || !slices.ContainsFunc(p.Programs, func(g Program) bool { return g.Path == "a" }) {
		t.Errorf("%+v", p)
	}
}

func TestDetectNoDirectory(t *testing.T) {
	root := tree(t, map[string]string{"a.go": ""})
	for _, bad := range []string{filepath.Join(root, "missing"), filepath.Join(root, "a.go")} {
		if p, err := Detect(bad); err == nil {
			t.Errorf("Detect(%s) = %+v", bad, p)
		}
	}
}

// A directory with very many entries is looked at in part, and named; one of a package
// manager is not even listed.
func TestDetectVeryMany(t *testing.T) {
	root := tree(t, map[string]string{"main.py": pyGuard, "node_modules/big/one.py": pyGuard, "zoo/test_zoo.py": pyTest})
	for i := range maxEntries/2 + 10 {
		if err := os.Link(filepath.Join(root, "main.py"), filepath.Join(root, "node_modules", "big", fmt.Sprint(i))); err != nil {
			t.Fatal(err)
		}
	}
	check := func(leftOut ...string) {
		t.Helper()
		began := time.Now()
		p := detect(t, root)
		if took := time.Since(began); took > 10*maxTime {
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
	root := tree(t, map[string]string{"app/main.py": pyGuard})
	for link, to := range map[string]string{"app/up": "..", "self": "self", "app/here": ".", "pyproject.toml": "pyproject.toml", "tests": "app/up/tests"} {
		if err := os.Symlink(to, filepath.Join(root, link)); err != nil {
			t.Fatal(err)
		}
	}
	p := detect(t, root)
	if p.Truncated || len(p.Programs) != 1 || p.Programs[0].Path != "app" {
		t.Errorf("%+v", p)
	}
}
