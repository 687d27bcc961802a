//go:build linux

package languages

import (
	"slices"
	"syscall"
	"testing"

	"aidb-mcp/internal/testkit"
)

// A server that only looks attaches, shows values and evaluates what reads; it
// calls nothing, changes nothing, and leaves the program running. A program that
// is attached to once more stands where the user's code has brought it.
func TestReadOnlyInEachLanguage(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	for _, l := range languages {
		t.Run(l.Name, func(t *testing.T) {
			t.Parallel()
			l.once(t)
			if l.Again != "" && l.Folder == "cpp" {
				testkit.Long(t, "the policy judges expressions by their language: the same as with "+l.Again)
			}
			s := l.subject(t, l.common(t), "--read-only")
			s.Fail("POLICY_DENIED", "session_start", s.args("calls", nil)).Contains([]string{"error", "message"}, "starting a program")
			if l.Outside == nil {
				return
			}
			ticks := s.outside("sleep")
			ticks.next(s)
			args := ticks.attach(A{"breakpoints": []A{s.line("tick", nil)}})
			if slices.Contains(custom, l) { // what its expressions do is not known
				s.OK("session_start", args)
				s.Fail("POLICY_DENIED", "inspect", A{"expression": "n"}).Contains([]string{"error", "message"}, "is not known")
				return
			}
			s.attachesAndPauses(ticks)
			s.OK("session_start", args).Stopped("stopped_at_breakpoint", s.at("tick"))
			s.OK("inspect", nil).Contains([]string{"data", "locals"}, "n")
			n := s.value("n")
			if n == "" || s.value("n + 0") != n || s.value("n >= 0") == "" {
				t.Errorf("n is %q", n)
			}
			for _, call := range []string{s.say("call"), "n = 100", "n += 1", "twice (n)"} {
				s.Fail("POLICY_DENIED", "inspect", A{"expression": call})
				s.Fail("POLICY_DENIED", "breakpoint", A{"location": s.at("tick"), "condition": call})
			}
			s.Fail("POLICY_DENIED", "variable", A{"action": "set", "name": "n", "value": "100"})
			s.OK("breakpoint", A{"location": s.at("tick"), "condition": "n >= 0"})
			s.goOn().Stopped("stopped_at_breakpoint", s.at("tick"))
			s.Fail("POLICY_DENIED", "session", A{"action": "stop", "kill": true})
			s.OK("session", A{"action": "stop"}).Contains([]string{"summary"}, "the program was left running")
			if err := ticks.Command.Process.Signal(syscall.Signal(0)); err != nil {
				t.Errorf("the program is gone: %v", err)
			}
		})
	}
}
