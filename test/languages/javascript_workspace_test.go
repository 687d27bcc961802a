//go:build linux

package languages

import (
	"os"
	"path/filepath"
	"testing"

	"aidb-mcp/internal/testkit"
)

// TestJavaScriptWorkspace stops in the source of another package of the same
// workspaces, which the program uses in its compiled form.
func TestJavaScriptWorkspace(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgramOf(t, "javascript", "workspace")
	link(t, p, "typescript", "@types/node", "tsx")
	scope := filepath.Join(p.Dir, "node_modules", "@ws")
	if err := os.MkdirAll(scope, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"core", "app"} {
		if err := os.Symlink(filepath.Join("..", "..", "packages", name), filepath.Join(scope, name)); err != nil {
			t.Fatal(err)
		}
		compileIn(t, filepath.Join(p.Dir, "packages", name))
	}
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	const core = "packages/core/src/index.ts"
	at := func(text string) string { return core + ":" + lineOf(t, p, core, text) }
	targets := []string{"packages/app/src/main.ts", "packages/app"}
	for _, target := range targets[:testkit.Rounds(1, 2)] { // test/frameworks starts a package of npm's workspaces
		s.OK("session_start", A{"target": target, "env": leavings(p), "timeout_ms": startLimit, "breakpoints": []A{
			{"file": core, "line": lineOf(t, p, core, "// [sum]")},
			{"file": core, "function": "Cart.total"},
			{"function": "discount"},
		}}).Stopped("stopped_at_breakpoint", at("// [total]"))
		s.OK("execute", nil).Stopped("stopped_at_breakpoint", at("// [sum]")).Want("0", "data", "locals", "sum", "v")
		s.OK("breakpoint", A{"action": "remove", "id": 1})
		s.OK("execute", nil).Stopped("stopped_at_breakpoint", at("// [discount]")).Want("130", "data", "locals", "total", "v")
		s.OK("execute", nil).Want("total 117\n", "data", "output", "stdout").Want("0", "data", "execution_state", "exit_code")
	}
}
