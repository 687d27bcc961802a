package session

import (
	"strings"
	"testing"

	"aidb-mcp/internal/system/mend"
)

// What is told of a program that was let go is what was seen, less what was so before.
func TestDescribeSight(t *testing.T) {
	trap := []mend.Trap{{Address: 0x401000}}
	for name, c := range map[string]struct {
		now, before mend.Sight
		want        string
	}{
		"free":               {now: mend.Sight{IsAlive: true}, want: "the program was left running"},
		"ended":              {want: "the program (process 7) ended while it was let go"},
		"traced":             {now: mend.Sight{IsAlive: true, Tracer: 9}, want: "is traced by process 9"},
		"stopped":            {now: mend.Sight{IsAlive: true, IsStopped: true}, want: "stands still: SIGCONT lets it go on"},
		"stopped before":     {now: mend.Sight{IsAlive: true, IsStopped: true}, before: mend.Sight{IsStopped: true}, want: "the program was left running"},
		"breakpoints left":   {now: mend.Sight{IsAlive: true, Traps: trap}, want: "end it when it comes to them: 0x401000"},
		"probes from before": {now: mend.Sight{IsAlive: true, Traps: trap}, before: mend.Sight{Traps: trap}, want: "the program was left running"},
	} {
		if got := describeSight(7, c.now, c.before); !strings.HasSuffix(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
