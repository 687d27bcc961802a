package debugpy

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
)

func TestStatements(t *testing.T) {
	t.Parallel()
	cases := map[string]bool{
		"x": false, "x == 1": false, "x <= 1": false, "f(a=1)": false, "(y := 3)": false, "lambda a=1: a": false,
		`"a = b"`: false, "[i for i in x if i != 2]": false, `d["="]`: false, "importer": false,
		"x = 1": true, "x += 1": true, "x >>= 1": true, "a.b[2] = 3": true, "import os": true, "del x": true,
		"x; y": true, "for i in x: print(i)": true, "assert x": true, `s = "="`: true,
	}
	for text, want := range cases {
		if got := isStatement(text); got != want {
			t.Errorf("isStatement(%q) = %v", text, got)
		}
	}
}

func TestReadTest(t *testing.T) {
	t.Parallel()
	cases := map[string]writtenTest{
		"tests/test_x.py::TestY::test_z[a::b]": {file: "tests/test_x.py", names: []string{"TestY", "test_z"}, params: "[a::b]"},
		"test_z":                               {names: []string{"test_z"}},
		"TestY.test_z":                         {names: []string{"TestY", "test_z"}},
		"TestY::test_z":                        {names: []string{"TestY", "test_z"}},
		"tests.test_x.TestY.test_z":            {names: []string{"tests", "test_x", "TestY", "test_z"}},
		"tests/test_x.py":                      {file: "tests/test_x.py"},
		"tests/unit":                           {file: "tests/unit"},
	}
	for text, want := range cases {
		if diff := cmp.Diff(want, readTest(text), cmp.AllowUnexported(writtenTest{})); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

func TestTracebackWithoutTheDebugger(t *testing.T) {
	t.Parallel()
	const written = `before
Traceback (most recent call last):
  File "/usr/lib/python3.11/runpy.py", line 198, in _run_module_as_main
    return _run_code(code, main_globals, None,
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  File "/home/u/adapters/debugpy/debugpy/__main__.py", line 71, in <module>
    cli.main()
  File "pydevd.py", line 308, in _exec
  File "/home/u/app.py", line 3, in <module>
    f()
  File "/home/u/app.py", line 2, in f
    import runpy; runpy.run_path("x")
ValueError: bad
    indented
0.00s - Debugger warning: It seems that frozen modules are being used, which may
after`
	const want = `before
Traceback (most recent call last):
  File "/home/u/app.py", line 3, in <module>
    f()
  File "/home/u/app.py", line 2, in f
    import runpy; runpy.run_path("x")
ValueError: bad
    indented
after`
	d := &dialect{base: plainBase()}
	var kept []string
	for line := range strings.Lines(written) {
		if line = strings.TrimSuffix(line, "\n"); !d.Noise("stderr", line) {
			kept = append(kept, line)
		}
	}
	if diff := cmp.Diff(want, strings.Join(kept, "\n")); diff != "" {
		t.Error(diff)
	}
	if d.Noise("stdout", "0.00s - Debugger warning: It seems that frozen modules are being used, which may") {
		t.Error("what the program prints is not noise")
	}
}

func TestChain(t *testing.T) {
	t.Parallel()
	stack := "  File \"a.py\", line 1\nKeyError: 'x'\n" + links[0] + "  File \"a.py\", line 2\nValueError: no: colon\n" + links[1] + "  File \"a.py\", line 3\nTimeoutError: \n" + links[1] + "  File \"a.py\", line 4\nRuntimeError\n"
	chain, own := splitChain(stack)
	if !strings.HasSuffix(own, "RuntimeError\n") || len(chain) != 3 {
		t.Fatalf("%q %v", own, chain)
	}
	if chain[0].TypeName != "TimeoutError" || chain[0].Message != "" {
		t.Errorf("%+v", chain[0])
	}
	if chain[1].TypeName != "ValueError" || chain[1].Message != "no: colon" || chain[2].TypeName != "KeyError" {
		t.Errorf("%+v", chain)
	}
}

func TestVariables(t *testing.T) {
	t.Parallel()
	d := &dialect{base: plainBase()}
	got := d.Variables("a.b", []godap.Variable{
		{Name: "000", Value: "1", EvaluateName: "other[0]"},
		{Name: "140400710183048", Value: "2"},
		{Name: "kind", EvaluateName: "d[('t', 1)].kind", Value: "[]", VariablesReference: 7},
		{Name: "more", Value: "[100:200]"},
		{Name: "len()", Value: "200", EvaluateName: "len(other)"},
	})
	want := []godap.Variable{
		{Name: "[0]", Value: "1", EvaluateName: "a.b[0]"},
		{Name: "[1]", Value: "2"},
		{Name: "kind", EvaluateName: "a.b.kind", Value: "[]"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := childPath("a + b", "a + b[2]"); got != "(a + b)[2]" {
		t.Error(got)
	}
	if got := d.Range("x", "dict", 3, 2); got != "dict(list(x.items())[3:5])" {
		t.Error(got)
	}
}

func TestDefinitions(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("shop/cart.py", "class Cart:\n    def __init__(self):\n        self.n = 0\n    def total(self):\n        return self.n\n")
	write("shop/__init__.py", "def total():\n    return 1\n")
	write(".venv/lib/x.py", "def hidden(): pass\n")
	write("env/pyvenv.cfg", "")
	write("env/x.py", "def hidden(): pass\n")
	find := func(name string) (at []adapters.Place, like []string) {
		t.Helper()
		at, like, err := (&dialect{}).Definitions(t.Context(), name, []string{root})
		if err != nil {
			t.Fatal(err)
		}
		return at, like
	}
	cart := filepath.Join(root, "shop/cart.py")
	for name, want := range map[string][]adapters.Place{
		"Cart.total":           {{File: cart, Line: 5}},
		"shop.cart.Cart.total": {{File: cart, Line: 5}},
		"Cart":                 {{File: cart, Line: 3}},
		"shop.total":           {{File: filepath.Join(root, "shop/__init__.py"), Line: 2}},
		"hidden":               nil,
	} {
		at, _ := find(name)
		if diff := cmp.Diff(want, at); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if at, _ := find("total"); len(at) != 2 {
		t.Errorf("total is found at %v", at)
	}
	if _, like := find("Cart.totl"); len(like) == 0 || like[0] != "Cart.total" {
		t.Errorf("like Cart.totl are %v", like)
	}
}
