package languages

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

const asyncText = `const { writeFileSync } = require('node:fs');
async function later(x) {
  await null;
  return x + 1;
}
function half(n) {
  return n / 2;
}
async function main() {
  const c = await later(6);
  const d = half(c);
  writeFileSync('ran.txt', String(d));
}
main();
`

// A step into an async function ends in it, not in what node does for it; a step
// over a return statement tells what is returned.
func TestJavaScriptSteps(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	p := testkit.NewProgram(t, "")
	p.Write("later.js", asyncText)
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	s.OK("session_start", A{"target": "later.js", "timeout_ms": startLimit, "breakpoints": []A{{"file": "later.js", "line": 10}, {"file": "later.js", "line": 7}}}).
		Stopped("stopped_at_breakpoint", "later.js:10")
	s.OK("step", A{"action": "into"}).Want("later", "data", "function").Lacks("node_internals")
	r := s.OK("execute", nil).Stopped("stopped_at_breakpoint", "later.js:7")
	r.Want("7", "data", "locals", "n", "v").Want("", "data", "return_value")
	s.OK("step", nil).Stopped("stopped_after_step", "later.js:7").Want("3.5", "data", "return_value", "half", "v").Lacks("Return value")
	s.OK("step", nil).Stopped("stopped_after_step", "later.js:12").Want("3.5", "data", "locals", "d", "v").Want("", "data", "return_value")
}

// A program that is stopped for good does nothing any more, and what the debugger
// itself keeps beside it is not said to be its.
func TestJavaScriptStopsForGood(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	p := testkit.NewProgram(t, "")
	p.Write("later.js", asyncText)
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	s.OK("session_start", A{"target": "later.js", "timeout_ms": startLimit, "breakpoints": []A{{"file": "later.js", "line": 10}}}).
		Stopped("stopped_at_breakpoint", "later.js:10")
	s.OK("session", A{"action": "stop"}).Want("terminated", "data", "execution_state", "status").Lacks("watchdog", "had started")
	if _, err := os.Stat(filepath.Join(p.Dir, "ran.txt")); err == nil {
		t.Error("the program ran on after it was stopped")
	}
}

// A process that is followed is not said to be one in which no breakpoint is hit.
func TestJavaScriptFollowedProcess(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	p := testkit.NewProgram(t, "")
	p.Write("parent.js", `if (process.argv[2]) {
  setTimeout(() => console.log("child"), 1500);
} else {
  require('node:child_process').fork(__filename, ['child']);
}
`)
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	for setting, want := range map[bool]bool{true: false, false: true} {
		r := s.OK("session_start", A{"target": "parent.js", "timeout_ms": startLimit, "breakpoints": []A{{"file": "parent.js", "line": 2, "condition": "false"}},
			"adapter_options": A{"autoAttachChildProcesses": setting}})
		r.Want("terminated", "data", "execution_state", "status")
		if told := strings.Contains(r.At("data", "warnings"), "is not followed"); told != want {
			t.Errorf("with autoAttachChildProcesses %v:\n%s", setting, r)
		}
	}
}
