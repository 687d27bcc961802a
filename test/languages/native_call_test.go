//go:build linux

package languages

import (
	"bufio"
	"os/exec"
	"path/filepath"
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

// TestNativeCallThatStandsIsTakenOut: a call in an expression that stands at a breakpoint is no part
// of an attached program, which lives on when the session is stopped then.
func TestNativeCallThatStandsIsTakenOut(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	p := testkit.NewProgram(t, "")
	p.Write("ticks.cpp", `#include <cstdio>
#include <unistd.h>

int ask(int n) {
  return n + 1; // asked
}

int main() {
  for (int n = 0;; n++) {
    printf("%d\n", n);
    fflush(stdout);
    usleep(20000); // here
  }
}
`)
	binary := filepath.Join(p.Dir, "ticks")
	if out, err := exec.Command("g++", "-g", "-O0", "-o", binary, filepath.Join(p.Dir, "ticks.cpp")).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for ending, end := range map[string]func(*testkit.Server){
		"stopped": func(s *testkit.Server) { s.OK("session", A{"action": "stop"}).Has("the program was left running") },
		"killed":  func(s *testkit.Server) { s.Kill() },
	} {
		for debugger, env := range map[string][]string{"codelldb": nil, "gdb": withGDB()} {
			t.Run(debugger+"/"+ending, func(t *testing.T) {
				t.Parallel()
				program := exec.Command(binary)
				out, err := program.StdoutPipe()
				if err == nil {
					err = program.Start()
				}
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { _ = program.Process.Kill(); _ = program.Wait() })
				s := testkit.Start(t, testkit.Options{Dir: p.Dir, Env: env})
				s.OK("session_start", A{
					"mode": "attach", "pid": program.Process.Pid, "timeout_ms": startLimit,
					"breakpoints": []A{{"file": "ticks.cpp", "line": 12}}, "adapter_options": A{"debugger": debugger},
				})
				s.OK("execute", A{"action": "wait", "timeout_ms": startLimit}).Stopped("stopped_at_breakpoint", "ticks.cpp:12")
				s.OK("breakpoint", A{"action": "set", "location": "ticks.cpp:5"})
				s.Call("inspect", A{"expression": "ask(1)"}) // gdb stops in it, LLDB does not
				end(s)
				lines := bufio.NewReader(out)
				for range 100 { // more than it has written until now, into a pipe that nobody read
					if _, err := lines.ReadString('\n'); err != nil {
						t.Fatalf("the program has ended: %v", err)
					}
				}
			})
		}
	}
}
