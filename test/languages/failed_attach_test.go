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
			p := l.program(t)
			s := &subject{Server: testkit.Start(t, testkit.Options{Dir: p.Dir, Env: l.Env}), language: l, Program: p, t: t}
			ticks := s.outside("sleep")
			ticks.next(s)
			args := A{"timeout_ms": startLimit, "exceptions": []string{"nosuch"}}
			for key, value := range ticks.Attach(ticks.Command.Process.Pid) {
				args[key] = value
			}
			s.Fail("VALIDATION_INVALID_PARAM", "session_start", args)
			ticks.drain()
			ticks.next(s)
		})
	}
}
