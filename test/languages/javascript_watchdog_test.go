//go:build linux

package languages

import (
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

const forkingText = `const { fork } = require('node:child_process');
function twice(n) {
  return n * 2;
}
if (process.argv[2]) {
  process.send(twice(21));
  process.disconnect();
} else {
  fork(__filename, ['child']).once('message', (answer) => console.log('answer', answer));
}
`

// watchdogs counts the processes that pass on what node's inspectors say: those
// that do it at once, which are ours, and js-debug's own, which cannot.
func watchdogs(pid int) (ours, slow int) {
	for _, p := range testkit.Descendants(pid) {
		switch {
		case strings.Contains(p.Command, " watch-node "):
			ours++
		case strings.Contains(p.Command, "watchdog.js"):
			slow++
		}
	}
	return ours, slow
}

// Each process of a program has its inspector heard without delay, and ends as if
// nobody had listened. A program that ends is seen to end each time: so often,
// because one of our attempts hung one program in five.
func TestJavaScriptIsHeardAtOnce(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	p := testkit.NewProgram(t, "")
	p.Write("forking.js", forkingText)
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	for range 10 {
		s.OK("session_start", A{"target": "forking.js", "timeout_ms": startLimit, "breakpoints": []A{{"file": "forking.js", "line": 3}}}).
			Stopped("stopped_at_breakpoint", "forking.js:3").Want("21", "data", "locals", "n", "v")
		if ours, slow := watchdogs(s.PID()); ours != 2 || slow != 0 {
			t.Errorf("%d processes of ours listen to the two nodes, and %d of js-debug's", ours, slow)
		}
		s.OK("step", nil).Want("42", "data", "return_value", "twice", "v")
		s.OK("execute", A{"timeout_ms": startLimit}).Want("terminated", "data", "execution_state", "status").
			Want("0", "data", "execution_state", "exit_code").Contains([]string{"data"}, "answer 42")
	}
}

// Where our process cannot be started js-debug's own does its work.
func TestJavaScriptWithoutOurWatchdog(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	p := testkit.NewProgram(t, "")
	p.Write("forking.js", strings.Replace(forkingText, "fork(__filename", "process.env.AIDB_WATCHDOG = '/nowhere';\n  fork(__filename", 1))
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	s.OK("session_start", A{"target": "forking.js", "timeout_ms": startLimit, "breakpoints": []A{{"file": "forking.js", "line": 3}}}).
		Stopped("stopped_at_breakpoint", "forking.js:3")
	if ours, slow := watchdogs(s.PID()); ours != 1 || slow != 1 {
		t.Errorf("%d processes of ours listen, and %d of js-debug's; want one each", ours, slow)
	}
	s.OK("execute", A{"timeout_ms": startLimit}).Want("terminated", "data", "execution_state", "status")
}
