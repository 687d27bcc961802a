//go:build linux

package languages

import "strings"

// attachesAndPauses: a start that fails after it has attached to a program lets that run
// on. One that is attached to with stop_on_entry is paused then: it has begun long ago. It
// is shown where the user's code has brought it, not inside its sleep; only an idle program
// of node's has none.
func (s *subject) attachesAndPauses(ticks *process) {
	s.t.Helper()
	s.Fail("VALIDATION_INVALID_PARAM", "session_start", ticks.attach(A{"exceptions": []string{"nosuch"}}))
	ticks.drain()
	ticks.next(s)
	r := s.OK("session_start", ticks.attach(A{"stop_on_entry": true})).
		Want("paused", "data", "execution_state", "status").
		Want("pause", "data", "execution_state", "stop_reason")
	if at := r.At("data", "location"); s.Name != "javascript" && s.Name != "typescript" && !strings.HasPrefix(at, s.File+":") {
		s.t.Errorf("at %q, not in %s:\n%s", at, s.File, r)
	}
	s.OK("session", A{"action": "stop"}).Contains([]string{"summary"}, "the program was left running")
	ticks.drain()
	ticks.next(s)
}
