//go:build linux

package languages

import (
	"testing"

	"aidb-mcp/internal/testkit"
)

// TestNativeCallsThatFail: a call in an expression that a signal or an exception ends is taken out
// of the program again, which goes on as if nobody had asked.
func TestNativeCallsThatFail(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	p := testkit.NewProgram(t, "")
	p.Write("call.cpp", `int risky(int *p) { return *p; }
int thrower(int n) { throw n; }

int main(int argc, char **) {
  int n = argc > 9 ? thrower(1) + risky(&argc) : 6;
  return n + 1; // stop
}
`)
	for debugger, env := range map[string][]string{"codelldb": nil, "gdb": withGDB()} {
		t.Run(debugger, func(t *testing.T) {
			t.Parallel()
			s := testkit.Start(t, testkit.Options{Dir: p.Dir, Env: env})
			s.OK("session_start", A{
				"target": "call.cpp", "timeout_ms": startLimit, "breakpoints": []A{{"file": "call.cpp", "line": 6}}, "adapter_options": A{"debugger": debugger},
			}).Stopped("stopped_at_breakpoint", "call.cpp:6")
			for _, call := range []string{"risky(0)", "thrower(1)"} {
				s.Fail("EVALUATION_FAILED", "inspect", A{"expression": call})
			}
			s.OK("inspect", A{"expression": "n"}).Want("6", "data", "result", "v")
			s.OK("execute", A{"timeout_ms": startLimit}).Want("7", "data", "execution_state", "exit_code")
		})
	}
}
