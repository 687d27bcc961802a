//go:build linux

package languages

import (
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

const steppingAmongThreads = `#include <chrono>
#include <thread>

int work(int n) {
  int total = 0;
  for (int i = 0; i < n; i++) {
    int item = i * 2;
    total += item; // breakpoint
  }
  return total;
}

int main() {
  std::thread([] { std::this_thread::sleep_for(std::chrono::minutes(5)); }).detach();
  return work(5) != 20;
}
`

// A step that ends at a breakpoint stops at the debugger's own breakpoint there,
// too: beside it the user's is found, and that of every other thread.
func TestStepsOntoABreakpointAmongThreads(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	for _, debugger := range nativeDebuggers {
		t.Run(debugger, func(t *testing.T) {
			t.Parallel()
			p := testkit.NewProgram(t, "")
			p.Write("stepping.cpp", steppingAmongThreads)
			s := testkit.Start(t, testkit.Options{Dir: p.Dir, Env: withGDB(), Args: []string{"--log-level", "debug"}})
			s.OK("session_start", A{
				"target": "stepping.cpp", "breakpoints": []A{{"file": "stepping.cpp", "line": 8}}, "timeout_ms": startLimit,
				"adapter_options": A{"debugger": debugger},
			}).Stopped("stopped_at_breakpoint", "stepping.cpp:8")
			s.OK("step", A{}).Stopped("stopped_after_step", "stepping.cpp:6")
			s.OK("step", A{}).Stopped("stopped_after_step", "stepping.cpp:7")
			s.OK("step", A{}).Stopped("stopped_at_breakpoint", "stepping.cpp:8").Want("1", "data", "execution_state", "hit_breakpoints", "0")
			s.OK("session", A{"action": "stop"})
			if log := s.Stderr(); strings.Contains(log, "what the other threads have stopped for") {
				t.Errorf("the debugger could not be asked for the other threads:\n%s", log)
			}
		})
	}
}
