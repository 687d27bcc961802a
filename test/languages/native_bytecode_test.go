//go:build linux

package languages

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"aidb-mcp/internal/testkit"
)

// LLDB's Python keeps nothing of what it compiles, and compiles 20,000 lines of its
// own, and thousands of ours: the first start with CodeLLDB has them kept, and no later
// one compiles them again.
func TestCodeLLDBIsCompiledOnce(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	home := t.TempDir()
	own := filepath.Join(home, "adapters", "codelldb")
	if err := os.MkdirAll(filepath.Dir(own), 0o755); err != nil {
		t.Fatal(err)
	}
	run(t, home, "cp", "-r", filepath.Join(testkit.Home(), "adapters", "codelldb"), own)
	run(t, own, "find", ".", "-name", "__pycache__", "-prune", "-exec", "rm", "-r", "{}", "+")
	p := testkit.NewProgram(t, "")
	p.Write("once.c", "int main(void) {\n  return 0;\n}\n")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir, Env: []string{"AIDB_HOME=" + home, "PYTHONDONTWRITEBYTECODE=1"}})
	start := A{
		"target": "once.c", "timeout_ms": startLimit, "adapter_options": A{"debugger": "codelldb"},
		"breakpoints": []A{{"file": "once.c", "line": 2}},
	}
	kept := func() []os.FileInfo {
		t.Helper()
		s.OK("session_start", start).Stopped("stopped_at_breakpoint", "once.c:2")
		for _, pattern := range []string{
			"adapters/codelldb/lldb/lib/lldb-python/lldb/__pycache__/__init__.*.pyc", "adapters/codelldb/lldb/lib/python3.*/__pycache__/inspect.*.pyc",
			"cache/native/*/aidb/debugger/lldb/__pycache__/command.*.pyc",
		} {
			if files, err := filepath.Glob(filepath.Join(home, pattern)); err != nil || len(files) != 1 {
				t.Fatalf("kept as %s are %v, %v", pattern, files, err)
			}
		}
		var all []os.FileInfo
		for _, pattern := range []string{"adapters/codelldb/lldb/lib/lldb-python/lldb/__pycache__/__init__.*.pyc", "cache/native/*/aidb/debugger/lldb/__pycache__/command.*.pyc"} {
			files, _ := filepath.Glob(filepath.Join(home, pattern))
			info, err := os.Stat(files[0])
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, info)
		}
		return all
	}
	if first, second := kept(), kept(); !slices.EqualFunc(first, second, os.SameFile) {
		t.Error("the second start has compiled it again")
	}
	run(t, p.Dir, "env", "AIDB_HOME="+home, testkit.Binary(t), "adapters", "verify", "codelldb")
}
