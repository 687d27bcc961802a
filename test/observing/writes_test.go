//go:build linux && amd64

package observing

import (
	"strconv"
	"testing"

	"aidb-mcp/internal/testkit"
)

// Who writes a variable of a program that runs on is told, also by a server that is killed
// then: the program lives, and its processor's places are free again.
func TestWrites(t *testing.T) {
	for p, c := range map[*program]struct{ written, line, function string }{
		&programs[0]: {"served", "orders.c:34", "serve"},
		&programs[1]: {"Served", "orders.go:45", "main.(*order).serve"},
	} {
		t.Run(p.language, func(t *testing.T) {
			t.Parallel()
			dir, process := p.start(t, 1000)
			for range 3 {
				s := testkit.Start(t, testkit.Options{Dir: dir})
				observe(t, s, process)
				if !mayObserve(t, s, *p) {
					return
				}
				var id string
				for range 4 {
					armed := s.OK("trace", A{"action": "arm", "what": "writes", "expression": c.written})
					armed.Contains([]string{"data", "how"}, "the processor watches the 8 bytes", "a write costs the program")
					id = armed.At("data", "id")
				}
				s.Fail("CAPABILITY_NOT_SUPPORTED", "trace", A{"action": "arm", "what": "writes", "expression": c.written}).Has("four words of a thread at once", "disarm")
				rows, last := await(t, s, id, 20)
				last.Contains([]string{"summary"}, "writes to "+c.written)
				for i, row := range rows {
					if row[0] != c.line || row[3] != c.function {
						t.Fatalf("a row is %q", row)
					}
					if _, err := strconv.Atoi(row[4]); err != nil || i > 0 && row[4] != rows[i-1][5] {
						t.Fatalf("%q comes after %q", row, rows[max(i-1, 0)])
					}
				}
				s.Kill()
				goesOn(t, process)
			}
			s := testkit.Start(t, testkit.Options{Dir: dir})
			observe(t, s, process)
			id := s.OK("trace", A{"action": "arm", "what": "writes", "expression": c.written}).At("data", "id")
			await(t, s, id, 5)
			s.OK("trace", A{"action": "disarm", "id": id}).Contains([]string{"summary"}, "disarmed "+id, "writes to "+c.written)
			s.OK("session", A{"action": "stop"}).Contains([]string{"summary"}, "the program was left running")
			goesOn(t, process)
			isWhole(t, process)
		})
	}
}
