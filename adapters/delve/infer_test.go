package delve

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/testkit"
)

func TestInferredMode(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "subtests")
	bin := testkit.NewProgram(t, "exit0").Build(".")
	p.Write("checks/a_test.go", "package checks\n")
	for _, tt := range []struct {
		name string
		r    adapters.Request
		want adapters.Mode
	}{
		{"directory", adapters.Request{Target: "."}, adapters.Launch},
		{"nothing", adapters.Request{}, adapters.Launch},
		{"file", adapters.Request{Target: "price.go"}, adapters.Launch},
		{"import path", adapters.Request{Target: "example.org/x"}, adapters.Launch},
		{"test file", adapters.Request{Target: "price_test.go"}, adapters.Test},
		{"only tests", adapters.Request{Target: "./checks"}, adapters.Test},
		{"test name", adapters.Request{Target: ".", Test: "TestOther"}, adapters.Test},
		{"binary", adapters.Request{Target: bin}, adapters.Exec},
		{"core", adapters.Request{Target: bin, CoreFile: "core"}, adapters.Core},
		{"pid", adapters.Request{Target: bin, PID: 7}, adapters.Attach},
		{"port", adapters.Request{Port: 4040}, adapters.RemoteAttach},
		{"said", adapters.Request{Target: ".", Mode: adapters.Test}, adapters.Test},
	} {
		tt.r.Workspace = p.Dir
		if j, err := understand(tt.r); err != nil || j.Mode != tt.want {
			t.Errorf("%s: %s, %v; want %s", tt.name, j.Mode, err, tt.want)
		}
	}
}

func TestClaims(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "subtests")
	bin := testkit.NewProgram(t, "exit0").Build(".")
	empty := t.TempDir()
	if err := os.WriteFile(filepath.Join(p.Dir, "notes.txt"), []byte("no program"), 0o644); err != nil {
		t.Fatal(err)
	}
	claim := func(r adapters.Request) int {
		if r.Workspace == "" {
			r.Workspace = p.Dir
		}
		return testAdapter().Claims(r)
	}
	if got := claim(adapters.Request{Target: "price.go"}); got != 100 {
		t.Errorf("a Go file: %d", got)
	}
	for name, r := range map[string]adapters.Request{
		"a directory":           {Target: "."},
		"a binary":              {Target: bin},
		"a core of a Go binary": {Target: bin, CoreFile: "core"},
		"nothing, in a module":  {},
		"a missing Go file":     {Target: "nowhere.go"},
		"an import path":        {Target: "example.org/x"},
		"ourselves":             {PID: os.Getpid()},
	} {
		if got := claim(r); got < 30 {
			t.Errorf("%s: %d", name, got)
		}
	}
	for name, r := range map[string]adapters.Request{
		"a text file":             {Target: "notes.txt"},
		"an empty directory":      {Target: empty, Workspace: empty},
		"nothing, in no module":   {Workspace: empty},
		"a Python file":           {Target: "app.py", Workspace: empty},
		"an absent absolute path": {Target: "/nowhere/at/all"},
	} {
		if got := claim(r); got != 0 {
			t.Errorf("%s: %d", name, got)
		}
	}
}

// refused plans what must be refused and returns the fault.
func refused(t *testing.T, r adapters.Request, code fault.Code) *fault.Error {
	t.Helper()
	p, err := testAdapter().Plan(t.Context(), r, nil)
	if err == nil {
		p.Close()
		t.Fatalf("planned %+v", r)
	}
	var f *fault.Error
	if !errors.As(err, &f) {
		t.Fatalf("not a fault: %v", err)
	}
	if f.Code != code {
		t.Errorf("code %s, want %s: %v", f.Code, code, err)
	}
	if f.Hint == "" {
		t.Errorf("no hint: %v", err)
	}
	return f
}

func TestRefusedTargets(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "vendored")
	p.Write("notes.txt", "no program")
	p.Write("cmd/other/special.go", "//go:build special\n\npackage main\n\nfunc main() {}\n")
	for _, tt := range []struct {
		name    string
		r       adapters.Request
		code    fault.Code
		message string
		hint    string
	}{
		{"missing file", adapters.Request{Target: "cmd/app/mian.go"}, fault.InvalidTarget, "there is no", "main.go"},
		{"missing directory", adapters.Request{Target: "./cmd/ap"}, fault.InvalidTarget, "there is no", "app"},
		{"no Go files", adapters.Request{Target: "./cmd"}, fault.InvalidTarget, "no main package", "cmd/app"},
		{"library", adapters.Request{Target: "./internal/text"}, fault.InvalidTarget, "package text, not a main package", "cmd/app"},
		{"file of a library", adapters.Request{Target: "internal/text/text.go"}, fault.InvalidTarget, "package text", "cmd/app"},
		{"build tags", adapters.Request{Target: "./cmd/other"}, fault.InvalidTarget, "special.go", "-tags"},
		{"no such package", adapters.Request{Target: "example.org/vendored/cmd/apq"}, fault.InvalidTarget, "neither a file nor a package", "cmd/app"},
		{"many packages", adapters.Request{Target: "./..."}, fault.InvalidTarget, "many packages", "cmd/app"},
		{"not Go", adapters.Request{Target: "notes.txt"}, fault.InvalidTarget, "neither Go source nor a Go binary", ""},
		{"not a binary", adapters.Request{Target: "notes.txt", Mode: adapters.Exec}, fault.InvalidTarget, "not an executable built by Go", ""},
		{"source as a binary", adapters.Request{Target: "./cmd/app", Mode: adapters.Exec}, fault.InvalidTarget, "not a binary", "launch"},
		{"no tests", adapters.Request{Target: "./cmd/app", Mode: adapters.Test}, fault.InvalidTarget, "no test files", ""},
		{"no pid", adapters.Request{Mode: adapters.Attach}, fault.MissingParam, "pid", "1234"},
		{"no port", adapters.Request{Mode: adapters.RemoteAttach}, fault.MissingParam, "port", "dlv"},
		{"no core", adapters.Request{Mode: adapters.Core}, fault.MissingParam, "core_file", ""},
		{"no cwd", adapters.Request{Target: "./cmd/app", Cwd: "nowhere"}, fault.InvalidParam, "nowhere", ""},
		{"no env file", adapters.Request{Target: "./cmd/app", EnvFile: "no.env"}, fault.InvalidParam, "no.env", "NAME=value"},
		{"no toolchain", adapters.Request{Target: "./cmd/app", RuntimePath: "nogo"}, fault.InvalidParam, "runtime_path", ""},
		{"unknown option", adapters.Request{Target: "./cmd/app", Options: []byte(`{"max_string_length":1}`)}, fault.InvalidParam, "max_string_length", "maxStringLen"},
		{"options of a wrong type", adapters.Request{Target: "./cmd/app", Options: []byte(`{"maxStringLen":"much"}`)}, fault.InvalidParam, "maxStringLen", ""},
		{"strange mode", adapters.Request{Target: "./cmd/app", Mode: "replay"}, fault.InvalidParam, "replay", "launch"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.r.Workspace = p.Dir
			f := refused(t, tt.r, tt.code)
			contains(t, f.Message, tt.message)
			contains(t, f.Hint, tt.hint)
			if f.Field == "" {
				t.Errorf("no field is named: %v", f)
			}
		})
	}
}

func TestUnknownTest(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "subtests")
	f := refused(t, adapters.Request{Target: ".", Test: "TestDiscuont", Workspace: p.Dir}, fault.InvalidParam)
	contains(t, f.Hint, "TestDiscount")
}

func TestWhatIsBuilt(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "")
	p.Write("go.mod", "module built\n\ngo 1.25\n")
	p.Write("one.go", "package main\n\nfunc main() { two() }\n")
	p.Write("two.go", "package main\n\nfunc two() {}\n")
	p.Write("gen.go", "//go:build ignore\n\npackage main\n\nfunc main() {}\n")
	p.Write("lib/lib.go", "package lib\n")
	p.Write("lib/tool.go", "//go:build ignore\n\npackage main\n\nfunc main() {}\n")
	loose := testkit.NewProgram(t, "")
	loose.Write("one.go", "package main\n\nfunc main() { two() }\n")
	loose.Write("two.go", "package main\n\nfunc two() {}\n")
	for _, tt := range []struct {
		dir, target string
		want        []string
	}{
		{p.Dir, "one.go", []string{"."}},
		{p.Dir, ".", []string{"."}},
		{p.Dir, "gen.go", []string{filepath.Join(p.Dir, "gen.go")}},
		{p.Dir, "lib/tool.go", []string{filepath.Join(p.Dir, "lib", "tool.go")}},
		{loose.Dir, "one.go", []string{filepath.Join(loose.Dir, "one.go"), filepath.Join(loose.Dir, "two.go")}},
	} {
		j, err := understand(adapters.Request{Target: tt.target, Workspace: tt.dir})
		if err != nil {
			t.Fatal(err)
		}
		c, err := j.locateCode(nil)
		if err != nil || !slices.Equal(c.args, tt.want) {
			t.Errorf("%s: %v, %v; want %v", tt.target, c.args, err, tt.want)
		}
		b, err := testAdapter().(*adapter).build(t.Context(), j, c)
		if err != nil {
			t.Errorf("%s: %v", tt.target, err)
		}
		os.RemoveAll(b.scratch)
	}
}

func TestCancelledBuildLeavesNothing(t *testing.T) {
	p := testkit.NewProgram(t, "averages")
	scratch := t.TempDir()
	t.Setenv("TMPDIR", scratch)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := testAdapter().Plan(ctx, adapters.Request{Target: ".", Workspace: p.Dir}, nil)
	if !fault.Is(err, fault.Cancelled) {
		t.Errorf("got %v", err)
	}
	left, _ := filepath.Glob(filepath.Join(scratch, "aidb-*", "*"))
	if len(left) != 1 || filepath.Base(left[0]) != "lock" {
		t.Errorf("left behind: %v", left)
	}
}
