//go:build linux

package languages

import (
	"path/filepath"
	"testing"

	"aidb-mcp/internal/testkit"
)

const optionals = `#include <optional>
#include <string>
struct Item { std::optional<std::string> note; int count; };
struct Shelf {
  Item item{"fresh", 3};
  int count() {
    Item *first = &item;
    return first->count;
  }
};
int main() { return Shelf{}.count() - 3; }
`

// TestNativeOptionals: what is named by its path is shown whatever it is; LLDB's
// compiler of expressions dies of these types.
func TestNativeOptionals(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "optionals.cpp"), optionals, 0o644)
	run(t, dir, "g++", "-g", "-O0", "-std=c++17", "-o", "optionals", "optionals.cpp")
	s := testkit.Start(t, testkit.Options{Dir: dir, Env: withGDB()})
	for _, debugger := range viewers() {
		s.OK("session_start", A{
			"target": "optionals", "adapter_options": A{"debugger": debugger}, "timeout_ms": startLimit,
			"breakpoints": []A{{"file": "optionals.cpp", "line": 8}},
		}).Stopped("stopped_at_breakpoint", "optionals.cpp:8")
		for expression, want := range map[string]string{"first->count": "3", "first->note": "fresh", "this->item.count": "3", "first": "count", "this": "item"} {
			s.OK("inspect", A{"expression": expression}).Contains([]string{"data", "result"}, want)
		}
		s.OK("execute", nil).Want("0", "data", "execution_state", "exit_code")
	}
	s.OK("session_start", A{
		"target": "optionals", "timeout_ms": startLimit, "breakpoints": []A{{"file": "optionals.cpp", "line": 8}},
	})
	s.OK("inspect", A{"expression": "item.count"}).Want("3", "data", "result", "v") // of this
}
