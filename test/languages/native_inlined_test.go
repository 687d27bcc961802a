//go:build linux

package languages

import (
	"path/filepath"
	"testing"

	"aidb-mcp/internal/testkit"
)

const inlinedCalls = `#include <cstdio>
#include <cstdlib>
static inline int doubled(int n) { return n * 2 + rand() % 2; }
struct Box { int v; int twice() const { return v * 2 + rand() % 3; } };
int main(int argc, char **) {
  Box b{argc};
  int n = doubled(argc);
  n += b.twice();
  std::printf("%d\n", n);
  return doubled(n) > 1000;
}
`

// TestNativeInlined: a function that the compiler has only put into others stops
// at each of its places, one at the very beginning of the other among them.
func TestNativeInlined(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "inlined.cpp"), inlinedCalls, 0o644)
	run(t, dir, "g++", "-g", "-O2", "-o", "inlined", "inlined.cpp")
	for _, debugger := range viewers() {
		t.Run(debugger, func(t *testing.T) {
			t.Parallel()
			s := testkit.Start(t, testkit.Options{Dir: dir, Env: withGDB()})
			s.OK("session_start", A{
				"target": "inlined", "mode": "exec", "language": "cpp", "adapter_options": A{"debugger": debugger}, "timeout_ms": startLimit,
				"breakpoints": []A{{"function": "doubled"}, {"function": "Box::twice"}},
			}).Stopped("stopped_at_breakpoint", "inlined.cpp:3").Contains([]string{"data", "stack"}, "main inlined.cpp:7")
			s.OK("execute", nil).Stopped("stopped_at_breakpoint", "inlined.cpp:4").Contains([]string{"data", "stack"}, "main inlined.cpp:8")
			s.OK("execute", nil).Stopped("stopped_at_breakpoint", "inlined.cpp:3").Contains([]string{"data", "stack"}, "main inlined.cpp:10")
			s.OK("execute", nil).Want("0", "data", "execution_state", "exit_code")
		})
	}
}
