//go:build linux

package languages

import (
	"path/filepath"
	"testing"

	"aidb-mcp/internal/testkit"
)

const settable = `#include <cstdio>
#include <string>
#include <vector>

enum Color { Red, Green, Blue };
struct Point { int x; double y; };

bool on = false;
Color color = Red;
std::string title = "old";
namespace app { int limit = 3; }

int main() {
  int n = 4;
  Point p{1, 2};
  Point *q = &p;
  char c = 'a';
  std::vector<int> v{1, 2, 3};
  std::printf("%d %d %s %d %d %d %.1f %c %d\n", on, color, title.c_str(), app::limit, n, p.x, q->y, c, v[1]);
}
`

// TestNativeSets: what is set may be any plain value that an expression names,
// and the value any expression.
func TestNativeSets(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "settable.cpp"), settable, 0o644)
	for _, debugger := range []string{"codelldb", "lldb-dap", "gdb"} {
		t.Run(debugger, func(t *testing.T) {
			t.Parallel()
			s := testkit.Start(t, testkit.Options{Dir: dir, Env: withGDB()})
			s.OK("session_start", A{
				"target": "settable.cpp", "adapter_options": A{"debugger": debugger}, "timeout_ms": startLimit,
				"breakpoints": []A{{"file": "settable.cpp", "line": 19}},
			}).Stopped("stopped_at_breakpoint", "settable.cpp:19")
			for _, set := range []struct{ name, value, now string }{
				{"n", "n * 2 + p.x", "9"},
				{"on", "n > 3", "true"},
				{"color", "Blue", "Blue"},
				{"app::limit", "-3", "-3"},
				{"p.x", "7", "7"},
				{"q->y", "p.x + 0.5", "7.5"},
				{"c", "'z'", "'z'"},
				{"v[1]", "22", "22"},
			} {
				r := s.OK("variable", A{"action": "set", "name": set.name, "value": set.value})
				r.Contains([]string{"data", "result", "v"}, set.now)
			}
			s.Fail("VARIABLE_SET_FAILED", "variable", A{"action": "set", "name": "p", "value": "5"})
			s.Fail("VARIABLE_SET_FAILED", "variable", A{"action": "set", "name": "n", "value": "n +"})
			s.OK("execute", nil).Want("1 2 old -3 9 7 7.5 z 22\n", "data", "output", "stdout")
		})
	}
}
