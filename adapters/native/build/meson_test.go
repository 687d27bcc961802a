package build

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
)

func TestMeson(t *testing.T) {
	t.Parallel()
	p := newProject(t, "frameworks/meson-c")
	for _, r := range []adapters.Request{
		{Target: ".", Module: "roman"},
		{Target: "src/main.c"},
		{Target: "meson.build", Module: "roman"},
	} {
		got := p.build(CPP, r)
		wants(t, output(t, got), "MMXXVI")
		if got.Dir != p.dir || got.Modules[0] != p.dir || !hasDebugInfo(got.Program) || strings.HasPrefix(got.Program, p.dir) {
			t.Errorf("%+v: %+v", r, got)
		}
	}
	test := p.build(CPP, adapters.Request{Target: ".", Mode: adapters.Test, Test: "numbers"})
	if test.Env["ROMAN_LARGEST"] != "3999" || filepath.Base(test.Program) != "numbers" {
		t.Errorf("the test is %+v", test)
	}
	p.refuse(CPP, adapters.Request{Target: ".", Mode: adapters.Test, Test: "numers"}, fault.InvalidParam, "no test numers", "did you mean numbers?")
	p.refuse(CPP, adapters.Request{Target: "."}, fault.InvalidTarget, "has 2 programs", "roman, numbers")
	p.refuse(CPP, adapters.Request{Target: ".", Env: map[string]string{"PATH": p.dir}}, fault.BuildFailed, "ninja", "apt install ninja-build")

	p.write("src/main.c", "int main(void) { return none; }\n")
	located(t, p.refuse(CPP, adapters.Request{Target: ".", Module: "roman"}, fault.BuildFailed, "undeclared"), filepath.Join("src", "main.c"), 1)
	p.write("tests/meson.build", "dependency('nowhere')\n")
	located(t, p.refuse(CPP, adapters.Request{Target: ".", Module: "roman"}, fault.BuildFailed, "nowhere", "PKG_CONFIG_PATH"), filepath.Join("tests", "meson.build"), 1)
}

func TestAnExistingMesonTreeIsUsed(t *testing.T) {
	t.Parallel()
	p := newProject(t, "frameworks/meson-c")
	build := filepath.Join(p.dir, "builddir")
	if out, err := exec.Command("meson", "setup", build, p.dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := p.build(CPP, adapters.Request{Target: ".", Module: "roman"}); got.Program != filepath.Join(build, "src", "roman") {
		t.Errorf("built %s", got.Program)
	}
}

func TestOtherBuilders(t *testing.T) {
	t.Parallel()
	bazel := newProject(t, "").write("MODULE.bazel", "").write("BUILD.bazel", "")
	bazel.refuse(CPP, adapters.Request{Target: "."}, fault.InvalidTarget, "not built by what is known here", "bazel build -c dbg", "mode exec")
	gnu := newProject(t, "").write("configure.ac", "")
	gnu.refuse(CPP, adapters.Request{Target: "."}, fault.InvalidTarget, "no makefile yet", "./configure")
	gnu.write("GNUmakefile", "abort:\n\t@exit 1\n").refuse(CPP, adapters.Request{Target: "."}, fault.InvalidTarget, "no makefile yet", "./configure")
}

// A workspace may be a part of a project: what configures that lies above.
func TestAWorkspaceInsideOfAProject(t *testing.T) {
	t.Parallel()
	p := newProject(t, "").write("CMakeLists.txt", "project(shop)\nadd_subdirectory(src)\n").write("src/CMakeLists.txt", "add_executable(shop a.c)\n").
		write("own/CMakeLists.txt", "project(own)\n").write("meson.build", "project('shop', 'c')\nsubdir('src')\n").write("src/meson.build", "executable('shop', 'a.c')\n").
		write("alone/a.c", "")
	at := func(name string) string { return filepath.Join(p.dir, name) }
	for _, c := range []struct {
		top                  func(dir, workspace string) string
		dir, workspace, want string
	}{
		{topCMake, "src", "src", "."}, {topCMake, "src", ".", "."}, {topCMake, "own", "own", "own"}, {topCMake, "own", ".", "."}, {topCMake, "alone", "alone", "alone"},
		{topMeson, "src", "src", "."}, {topMeson, "src", ".", "."}, {topMeson, "alone", "alone", "alone"},
	} {
		if got := c.top(at(c.dir), at(c.workspace)); got != at(c.want) {
			t.Errorf("%s in the workspace %s is configured in %s, want %s", c.dir, c.workspace, got, c.want)
		}
	}
}
