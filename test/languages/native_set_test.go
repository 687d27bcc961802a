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
	for _, debugger := range viewers() {
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

const bitfields = `#include <cstdio>
enum Mode { Off, Slow, Fast };
struct Bits { unsigned a : 3; int b : 5; bool c : 1; Mode d : 2; struct { unsigned x : 4; unsigned y : 4; }; unsigned char rest; };
int main() {
  Bits bits{5, -3, true, Fast, {3, 9}, 200};
  Bits *p = &bits;
  std::printf("%d %d %d %d %d %d %d\n", bits.a, bits.b, bits.c, bits.d, bits.x, p->y, bits.rest);
}
`

// TestNativeBitfields: setting some bits leaves those beside them.
func TestNativeBitfields(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "bitfields.cpp"), bitfields, 0o644)
	run(t, dir, "g++", "-g", "-O0", "-o", "bitfields", "bitfields.cpp")
	s := testkit.Start(t, testkit.Options{Dir: dir, Env: withGDB()})
	for _, debugger := range viewers() {
		s.OK("session_start", A{
			"target": "bitfields", "adapter_options": A{"debugger": debugger}, "timeout_ms": startLimit,
			"breakpoints": []A{{"file": "bitfields.cpp", "line": 7}},
		})
		for _, set := range []struct{ name, value string }{
			{"bits.a", "2"}, {"bits.b", "-7"}, {"bits.c", "false"}, {"bits.d", "Slow"}, {"bits.x", "7"}, {"p->y", "1"},
		} {
			s.OK("variable", A{"action": "set", "name": set.name, "value": set.value}).Want(set.value, "data", "result", "v")
		}
		if debugger != "gdb" { // it keeps the bits that fit, and the answer shows them
			s.Fail("VARIABLE_SET_FAILED", "variable", A{"action": "set", "name": "bits.a", "value": "9"}).Has("0 to 7")
		}
		s.OK("execute", nil).Want("2 -7 0 1 7 1 200\n", "data", "output", "stdout")
	}
}
