package debugpy

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A package is compiled whatever the environment says, and once.
func TestDebugpyIsCompiledOnce(t *testing.T) {
	t.Parallel()
	script, err := boot.ReadFile("boot/compiling.py")
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	for _, name := range []string{"debugpy/_vendored/pydevd/pydevd.py", "debugpy/server/cli.py"} {
		path := filepath.Join(home, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("x = 1\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const compiling = `
home = sys.argv[1]
print("compiled", is_compiled(home))
print("ended with", compile_ahead(home).wait())
print("compiled", is_compiled(home), os.listdir(os.path.join(home, "debugpy", "_vendored", "pydevd", "__pycache__")) != [])
print("again", compile_ahead(home))
`
	cmd := exec.Command("python3", "-c", string(script)+compiling, home)
	cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	want := "compiled False\nended with 0\ncompiled True True\nagain None\n"
	if diff := cmp.Diff(want, string(out)); diff != "" {
		t.Error(diff)
	}
}
