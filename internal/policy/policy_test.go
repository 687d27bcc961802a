package policy

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aidb-mcp/internal/fault"
)

// ground is a folder that may be used, with links, beside one that may not.
func ground(t *testing.T) (p Policy, in, out string) {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	in, out = filepath.Join(base, "in"), filepath.Join(base, "out")
	for _, dir := range []string{filepath.Join(in, "sub"), filepath.Join(out, "deep"), filepath.Join(base, "in-beside")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{filepath.Join(in, "a.go"), filepath.Join(out, "b.go")} {
		if err := os.WriteFile(file, []byte("package x\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{
		"in/escape": out, "in/file.go": filepath.Join(out, "b.go"), "in/deep": filepath.Join(out, "deep"), "in/inner": filepath.Join(in, "sub"),
		"in/dangling": filepath.Join(out, "none"), "in/loop": filepath.Join(in, "loop"), "way-in": in,
	} {
		if err := os.Symlink(to, filepath.Join(base, link)); err != nil {
			t.Fatal(err)
		}
	}
	if p, err = p.Within([]string{filepath.Join(base, "way-in")}); err != nil {
		t.Fatal(err)
	}
	return p, in, out
}

func TestPaths(t *testing.T) {
	t.Parallel()
	p, in, out := ground(t)
	for path, want := range map[string]bool{
		in: true, in + "/a.go": true, in + "/sub/new.go": true, in + "/no/such/dir/x": true, in + "/inner": true, in + "/sub/../a.go": true,
		filepath.Dir(in) + "/way-in/a.go": true,
		out:                               false, out + "/b.go": false, in + "/../out/b.go": false, in + "/escape/b.go": false, in + "/file.go": false,
		in + "/escape/new.go": false, in + "/dangling": false, in + "/dangling/x": false, in + "/loop": false, in + "-beside": false, in + "-new": false,
		// The link first, then the dots: out. The dots by their text: in.
		in + "/deep/../b.go": false,
		"/":                  false,
	} {
		if got := p.Allows(path); got != want {
			t.Errorf("%s: %v", path, got)
		}
		err := p.Path("target", path)
		if (err == nil) != want {
			t.Errorf("%s: %v", path, err)
		}
		if err != nil && !fault.Is(err, fault.PolicyDenied) {
			t.Errorf("%s: %v is no denial", path, err)
		}
	}
	var free Policy
	if err := free.Path("target", "/etc/passwd"); err != nil || free.Text("x", "/etc", "/") != nil || free.Tool("x", "/etc/x", "/") != nil {
		t.Errorf("without a policy: %v", err)
	}
}

func TestPathsAsTheyAreGiven(t *testing.T) {
	t.Parallel()
	p, in, out := ground(t)
	for path, want := range map[string]bool{
		"": true, "a.go": true, "./sub": true, "new": true, "../out/b.go": false, "escape": false, "file://" + in + "/a.go": true, "file://" + out: false,
		"~/x": false, out: false, "com.example.Main": true, "./...": true, "../...": false,
	} {
		if err := p.Located("target", path, in, ""); (err == nil) != want {
			t.Errorf("%q: %v", path, err)
		}
	}
	for path, want := range map[string]bool{"x.py": true, "../x.py": false, "../../out/b.go": false, "../../x.py": false, in + "/x.py": true} {
		if err := p.Located("test", path, in, "sub"); (err == nil) != want {
			t.Errorf("%q from sub: %v", path, err)
		}
	}
	for text, want := range map[string]bool{
		"-tags=x": true, "-race": true, "/etc/passwd": false, "-o=" + out + "/x": false, "-o=" + in + "/x": true, "a/../../out/x": false, "see and/or": true,
		"--x=../out": false, "..": false, "1..2": true, "~/x": false,
		"lib:" + out + "/x": false, "-cp=lib:" + out: false, "webpack:///./x": true, "https://example.com/x": true,
	} {
		if err := p.Text("build_args", text, in); (err == nil) != want {
			t.Errorf("%q: %v", text, err)
		}
	}
	first := filepath.SplitList(os.Getenv("PATH"))[0]
	for path, want := range map[string]bool{"python3": true, filepath.Join(first, "python3"): true, "./file.go": true, out + "/python": false, "escape/python": false} {
		if err := p.Tool("runtime_path", path, in); (err == nil) != want {
			t.Errorf("%q: %v", path, err)
		}
	}
}

func TestProcesses(t *testing.T) {
	t.Parallel()
	p, in, out := ground(t)
	for name, test := range map[string]struct {
		is   Process
		want bool
	}{
		"inside":                     {Process{Program: in + "/a.go", Dir: out}, true},
		"outside":                    {Process{Program: out + "/b.go", Dir: out}, false},
		"a script inside":            {Process{"/usr/bin/python3", out, []string{"-X", "dev", in + "/a.go"}}, true},
		"a script by its directory":  {Process{"/usr/bin/python3", in, []string{"a.go"}}, true},
		"a script outside":           {Process{"/usr/bin/python3", in, []string{out + "/b.go"}}, false},
		"a module":                   {Process{"/usr/bin/python3", in, []string{"-m", "app"}}, true},
		"a module outside":           {Process{"/usr/bin/python3", out, []string{"-m", "app"}}, false},
		"a link":                     {Process{"/usr/bin/python3", in, []string{"file.go"}}, false},
		"nothing is known":           {Process{}, false},
		"only its directory, inside": {Process{Dir: in}, true},
	} {
		err := p.Process("pid", 7, test.is)
		if (err == nil) != test.want || err != nil && !strings.Contains(err.Error(), "process 7") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDenials(t *testing.T) {
	t.Parallel()
	var all Policy
	if all.Start() != nil || all.Attach("pid") != nil || all.Change("x", "") != nil || all.String() != "" {
		t.Error("the zero policy forbids something")
	}
	look, here := Policy{ReadOnly: true}, Policy{NoAttach: true}
	both := Policy{ReadOnly: true, NoAttach: true}
	if look.Attach("pid") != nil || here.Start() != nil || here.Change("x", "") != nil {
		t.Error("too much is forbidden")
	}
	for want, err := range map[string]error{
		"starting a program is refused":     look.Start(),
		"setting a variable is refused":     look.Change("setting a variable", "action"),
		"attaching to a program is refused": here.Attach("pid"),
		"it calls a function":               look.Evaluate("expression", "f()", "it calls a function"),
	} {
		if f, ok := errors.AsType[*fault.Error](err); !ok || f.Code != fault.PolicyDenied || !strings.Contains(f.Message, want) || !strings.HasPrefix(f.Hint, "allowed are ") {
			t.Errorf("%s: %#v", want, err)
		}
	}
	if f, _ := errors.AsType[*fault.Error](both.Start()); strings.Contains(f.Hint, "attach") {
		t.Errorf("what is allowed is forbidden too: %s", f.Hint)
	}
	confined, in, _ := ground(t)
	for _, p := range []Policy{look, here, both, confined} {
		if !strings.Contains(p.String(), "AIDB_POLICY_DENIED") {
			t.Errorf("%+v says %q", p, p)
		}
	}
	if !strings.Contains(confined.String(), filepath.Dir(in)) {
		t.Errorf("the folders are not named: %s", confined)
	}
}

func TestFoldersMustExist(t *testing.T) {
	t.Parallel()
	_, in, _ := ground(t)
	for _, dir := range []string{in + "/none", in + "/a.go"} {
		if _, err := (Policy{}).Within([]string{dir}); err == nil || !strings.Contains(err.Error(), "--allow-root") || strings.Contains(err.Error(), "lstat") {
			t.Errorf("%s: %v", dir, err)
		}
	}
}
