//go:build linux

package languages

import (
	"slices"
	"testing"

	"aidb-mcp/internal/testkit"
)

// A start that fails after it has attached to a program lets that run on.
func TestAFailedAttachLetsGo(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	for _, l := range languages {
		if l.Outside == nil || slices.Contains(custom, l) {
			continue
		}
		t.Run(l.Name, func(t *testing.T) {
			t.Parallel()
			l.once(t)
			s := l.subject(t, l.program(t))
			ticks := s.outside("sleep")
			ticks.next(s)
			s.Fail("VALIDATION_INVALID_PARAM", "session_start", ticks.attach(A{"exceptions": []string{"nosuch"}}))
			ticks.drain()
			ticks.next(s)
		})
	}
}
