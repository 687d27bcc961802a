package workspace

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// age makes files of a tree look as if they had been written some time ago.
func age(t *testing.T, root string, by time.Duration, names ...string) {
	t.Helper()
	at := time.Now().Add(-by)
	for _, name := range names {
		if err := os.Chtimes(filepath.Join(root, filepath.FromSlash(name)), at, at); err != nil {
			t.Fatal(err)
		}
	}
}

func startsOf(t *testing.T, root string) (tests, programs []Start) {
	t.Helper()
	p, err := Detect(root)
	if err != nil {
		t.Fatal(err)
	}
	return p.Starts(Wanted{})
}

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
	tests, programs := startsOf(t, tree(t, shopTree))
	want := []Start{{Language: "python", Framework: "pytest", Test: true, Target: "tests/test_cart.py", Name: "test_total"}}
	if diff := cmp.Diff(want, tests); diff != "" {
		t.Errorf("tests (-want +got):\n%s", diff)
	}
	want = []Start{{Language: "python", Target: "shop"}, {Language: "javascript", Target: "web/server.js"}}
	if diff := cmp.Diff(want, programs); diff != "" {
		t.Errorf("programs (-want +got):\n%s", diff)
	}
}

// What was written last is likely what is worked on, what failed more so.
func TestStartsOfWhatIsWorkedOn(t *testing.T) {
	root := tree(t, shopTree)
	age(t, root, time.Hour, "examples/test_example.py", "tests/test_cart.py", "tests/deep/test_price.py")
	first := func() Start {
		tests, _ := startsOf(t, root)
		return tests[0]
	}
	want := Start{Language: "python", Framework: "pytest", Test: true, Target: "tests/deep/test_tax.py", Name: "test_tax", Reason: Changed}
	if diff := cmp.Diff(want, first()); diff != "" {
		t.Errorf("changed (-want +got):\n%s", diff)
	}
	cache := filepath.Join(root, ".pytest_cache", "v", "cache", "lastfailed")
	if err := os.WriteFile(cache, []byte(`{"tests/test_cart.py::test_empty": true, "tests/gone.py::test_x": true}`), 0o600); err != nil {
		t.Fatal(err)
	}
	want = Start{Language: "python", Framework: "pytest", Test: true, Target: "tests/test_cart.py", Name: "test_empty", Reason: Failed}
	if diff := cmp.Diff(want, first()); diff != "" {
		t.Errorf("failed (-want +got):\n%s", diff)
	}
}

func TestStartsThatAreWanted(t *testing.T) {
	p, err := Detect(tree(t, shopTree))
	if err != nil {
		t.Fatal(err)
	}
	tests, programs := p.Starts(Wanted{Language: func(name string) bool { return name == "javascript" }})
	if len(tests) != 0 || len(programs) != 1 || programs[0].Target != "web/server.js" {
		t.Errorf("javascript: %+v %+v", tests, programs)
	}
	if tests, _ = p.Starts(Wanted{Framework: "unittest"}); len(tests) != 0 {
		t.Errorf("unittest: %+v", tests)
	}
}

// A test of the language that most of the project is written in comes first.
func TestStartsOfSeveralLanguages(t *testing.T) {
	tests, _ := startsOf(t, tree(t, map[string]string{
		"go.mod": "module shop\n", "cmd/shop/main.go": "package main\n\nfunc main() {}\n",
		"cmd/shop/main_test.go": "package main\n\nimport \"testing\"\n\nfunc TestShop(t *testing.T) {}\n",
		"api/test_api.py":       "import pytest\ndef test_api(): pass\n",
	}))
	if len(tests) != 2 || tests[0].Language != "go" || tests[1].Language != "python" {
		t.Errorf("%+v", tests)
	}
}
