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

const beginsInlined = `#include <cstdio>
struct Base {
  __attribute__((always_inline)) Base() {}
};
struct Box : Base {
  int v;
  __attribute__((always_inline)) Box() : v(7) {}
};
int main(int argc, char **) {
  Box b;
  std::printf("%d %d\n", b.v, argc);
}
`

// TestNativeInlinedAtTheBeginning: a function whose first line is a call that the compiler
// has put there is stopped in, and not in what is called: nothing of that has run.
func TestNativeInlinedAtTheBeginning(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "begins.cpp"), beginsInlined, 0o644)
	run(t, dir, "g++", "-g", "-O0", "-o", "begins", "begins.cpp")
	for _, debugger := range viewers() {
		t.Run(debugger, func(t *testing.T) {
			t.Parallel()
			s := testkit.Start(t, testkit.Options{Dir: dir, Env: withGDB()})
			start := func(more A) testkit.Reply {
				more["target"], more["mode"], more["language"], more["timeout_ms"] = "begins", "exec", "cpp", startLimit
				more["adapter_options"] = A{"debugger": debugger}
				return s.OK("session_start", more)
			}
			start(A{"stop_on_entry": true}).Stopped("stopped_at_entry", "begins.cpp:10").Want("1", "data", "locals", "argc", "v")
			s.OK("inspect", A{"expression": "argc + 1"}).Want("2", "data", "result", "v")
			start(A{"breakpoints": []A{{"function": "main"}}}).Stopped("stopped_at_breakpoint", "begins.cpp:10").Want("main", "data", "function")
			s.OK("execute", nil).Want("0", "data", "execution_state", "exit_code")
		})
	}
}
