package workspace_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"aidb-mcp/internal/project/workspace"
	"aidb-mcp/internal/project/workspace/workspacetest"
	"aidb-mcp/internal/testkit/filetree"
)

var shopTree = map[string]string{
	"examples/test_example.py":            "import pytest\ndef test_example(): pass\n",
	"tests/test_cart.py":                  "import pytest\ndef test_total(): pass\ndef test_empty(): pass\n",
	"tests/deep/test_price.py":            "import pytest\ndef test_price(): pass\n",
	"tests/deep/test_tax.py":              "import pytest\ndef test_tax(): pass\n",
	"scripts/clean.py":                    "if __name__ == '__main__':\n    pass\n",
	"shop/__main__.py":                    "print(1)\n",
	"web/package.json":                    `{"main": "server.js"}`,
	"web/server.js":                       "",
	".pytest_cache/v/cache/lastfailed":    "",
	"tests/deep/.pytest_cache/lastfailed": "",
}

func TestStartsOfAFreshCheckout(t *testing.T) {
	tests, programs := workspacetest.Starts(t, known, filetree.New(t, shopTree))
	want := []workspace.Start{{Language: "python", Framework: "pytest", Test: true, Target: "tests/test_cart.py", Name: "test_total"}}
	if diff := cmp.Diff(want, tests); diff != "" {
		t.Errorf("tests (-want +got):\n%s", diff)
	}
	want = []workspace.Start{{Language: "python", Target: "shop"}, {Language: "javascript", Target: "web/server.js"}}
	if diff := cmp.Diff(want, programs); diff != "" {
		t.Errorf("programs (-want +got):\n%s", diff)
	}
}

// What was written last is likely what is worked on, what failed more so.
func TestStartsOfWhatIsWorkedOn(t *testing.T) {
	root := filetree.New(t, shopTree)
	workspacetest.Age(t, root, time.Hour, "examples/test_example.py", "tests/test_cart.py", "tests/deep/test_price.py")
	first := func() workspace.Start {
		tests, _ := workspacetest.Starts(t, known, root)
		return tests[0]
	}
	want := workspace.Start{Language: "python", Framework: "pytest", Test: true, Target: "tests/deep/test_tax.py", Name: "test_tax", Reason: workspace.Changed}
	if diff := cmp.Diff(want, first()); diff != "" {
		t.Errorf("changed (-want +got):\n%s", diff)
	}
	cache := filepath.Join(root, ".pytest_cache", "v", "cache", "lastfailed")
	if err := os.WriteFile(cache, []byte(`{"tests/test_cart.py::test_empty": true, "tests/gone.py::test_x": true}`), 0o600); err != nil {
		t.Fatal(err)
	}
	want = workspace.Start{Language: "python", Framework: "pytest", Test: true, Target: "tests/test_cart.py", Name: "test_empty", Reason: workspace.Failed}
	if diff := cmp.Diff(want, first()); diff != "" {
		t.Errorf("failed (-want +got):\n%s", diff)
	}
}

func TestStartsThatAreWanted(t *testing.T) {
	p, err := known.Detect(filetree.New(t, shopTree))
	if err != nil {
		t.Fatal(err)
	}
	tests, programs := p.Starts(workspace.StartFilter{Language: func(name string) bool { return name == "javascript" }})
	if len(tests) != 0 || len(programs) != 1 || programs[0].Target != "web/server.js" {
		t.Errorf("javascript: %+v %+v", tests, programs)
	}
	if tests, _ = p.Starts(workspace.StartFilter{Framework: "unittest"}); len(tests) != 0 {
		t.Errorf("unittest: %+v", tests)
	}
}

// A test of the language that most of the project is written in comes first.
func TestStartsOfSeveralLanguages(t *testing.T) {
	tests, _ := workspacetest.Starts(t, known, filetree.New(t, map[string]string{
		"go.mod": "module shop\n", "cmd/shop/main.go": "package main\n\nfunc main() {}\n",
		"cmd/shop/main_test.go": "package main\n\nimport \"testing\"\n\nfunc TestShop(t *testing.T) {}\n",
		"api/test_api.py":       "import pytest\ndef test_api(): pass\n",
	}))
	if len(tests) != 2 || tests[0].Language != "go" || tests[1].Language != "python" {
		t.Errorf("%+v", tests)
	}
}
