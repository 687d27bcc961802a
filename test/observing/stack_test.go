//go:build linux && amd64

package observing

import (
	"strings"
	"testing"
	"time"
)

// Rows of a running program have the callers where they are asked for, as the source has them; where
// nothing reads them, that is said.
func TestStacks(t *testing.T) {
	for _, c := range []struct {
		program
		want string // of a row
	}{
		{programs[0], "total orders.c:27 < serve orders.c:33 < main orders.c:55"},
		{programs[1], "main.total orders.go:32 < main.(*order).serve orders.go:41 < main.main orders.go:79 < (2 of libraries)"},
	} {
		t.Run(c.language, func(t *testing.T) {
			t.Parallel()
			dir, process := c.start(t, 20_000)
			s := withGDB(t, dir)
			observe(t, s, process)
			if !mayObserve(t, s, c.program) {
				return
			}
			s.OK("trace", A{"action": "arm", "what": "calls", "functions": []string{c.total}, "stack": true})
			rows, _ := await(t, s, "", 4)
			for _, row := range rows {
				if stack := row[len(row)-1]; stack != c.want && row[4] != "(it began before)" {
					t.Fatalf("a row is %q", row)
				}
			}
			time.Sleep(300 * time.Millisecond) // some calls more are made
			for range 3 {                      // a limit takes none apart
				var rows [][]string
				s.OK("trace", A{"action": "read", "limit": 1}).Decode(&rows, "data", "rows")
				if len(rows) != 1 || strings.Contains(rows[0][5], "return") {
					t.Errorf("one row that is read alone is %q", rows)
				}
			}
			s.OK("trace", A{"action": "disarm"}).Lacks("could not be", "frame pointer") // what is read after it has the callers, too
		})
	}
	t.Run("by a debugger", func(t *testing.T) {
		t.Parallel()
		dir, process := programs[0].start(t, 20_000)
		s := withGDB(t, dir)
		mayPause(t, s, process, A{"observe": true, "may_pause": true, "debugger": "gdb"})
		s.Fail("CAPABILITY_NOT_SUPPORTED", "trace", A{"action": "arm", "what": "calls", "functions": []string{"total"}, "stack": true}).Has("notes no callers")
		isLeft(t, process)
	})
}
