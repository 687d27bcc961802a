package project

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"aidb-mcp/internal/project/workspace"
	"aidb-mcp/internal/project/workspace/workspacetest"
	"aidb-mcp/internal/testkit/filetree"
)

// known is the language of these tests.
var known = workspace.Languages{&Support}

func TestDetectGo(t *testing.T) {
	root := filetree.New(t, map[string]string{
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
	want := &workspace.Project{
		Root:      root,
		Languages: []workspace.Language{{Name: "go", Files: 9}},
		Builds: []workspace.Build{
			{Path: "Makefile", Kind: "Makefile"},
			{Path: "go.mod", Kind: "Go module", Language: "go", Name: "example.com/shop"},
		},
		Programs: []workspace.Program{
			{Language: "go", Path: "cmd/broken", File: "cmd/broken/main.go", Line: 4, Doc: "Broken does not compile."},
			{Language: "go", Path: "cmd/shop", File: "cmd/shop/run.go", Line: 5, Doc: "Shop sells things."},
		},
		Tests: []workspace.Suite{{
			Language: "go", Framework: "go test", Path: "price",
			Names: []string{"TestSum", "Test", "Test_low", "TestOutside"}, Total: 4,
		}, {
			Language: "go", Framework: "go benchmark", Path: "price", Special: true, Names: []string{"BenchmarkSum"}, Total: 1,
		}},
		Frameworks: []workspace.Framework{{Language: "go", Name: "go benchmark"}, {Language: "go", Name: "go test"}, {Language: "go", Name: "testify"}},
	}
	if diff := cmp.Diff(want, workspacetest.Detect(t, known, root), cmpopts.IgnoreUnexported(workspace.Project{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
