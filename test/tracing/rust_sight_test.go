//go:build linux

package tracing

import (
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

// joinedRows are the rows of a table, each as its values without the place.
func joinedRows(r testkit.Reply) string {
	var rows [][]string
	r.Decode(&rows, "data", "rows")
	var out []string
	for _, row := range rows {
		out = append(out, strings.Join(row[1:], " "))
	}
	return strings.Join(out, ", ")
}

func TestWaitsOfRust(t *testing.T) {
	t.Parallel()
	eachNative(t, "rust", "waits.rs", lineIsOneHit, valueThatWasNotKept)
}

func TestSightsOfRust(t *testing.T) {
	t.Parallel()
	eachNative(t, "rust", "sights.rs", operandOfALastStatement, linesBeforeAValue, units)
}

// A macro lies in several places of the code, and so does a line that waits: one pass of
// it is one hit, whether it has to wait or not.
func lineIsOneHit(t *testing.T, s *testkit.Server, p *testkit.Program) {
	t.Helper()
	for mark, passes := range map[string]string{"doubled": "3", "awaited": "3", "added": "3", "waited": "1"} {
		for _, args := range [][]string{nil, {"waits"}} {
			if args == nil && mark != "awaited" && !testkit.IsLong() {
				continue
			}
			ask := A{"target": "waits.rs", "args": args, "what": "values", "location": p.At("waits.rs", mark), "expressions": []string{"waits"}, "timeout_ms": 60_000}
			s.OK("trace", ask).Want(passes, "data", "hits")
		}
	}
}

// What an async function has not kept while it waited is not shown as a number.
func valueThatWasNotKept(t *testing.T, s *testkit.Server, p *testkit.Program) {
	t.Helper()
	ask := A{"target": "waits.rs", "args": []string{"waits"}, "what": "values", "location": p.At("waits.rs", "added"), "expressions": []string{"v", "n"}, "timeout_ms": 60_000}
	var rows [][]string
	s.OK("trace", ask).Decode(&rows, "data", "rows")
	for i, v := range []string{"2", "4", "50"} {
		if len(rows) != 3 || rows[i][1] != v || !strings.Contains(rows[i][2], "not readable here") {
			t.Fatalf("the rows are %q", rows)
		}
	}
}

// An operand is read as the write could see it, though its block ends with that.
func operandOfALastStatement(t *testing.T, s *testkit.Server, p *testkit.Program) {
	t.Helper()
	r := s.OK("why", A{"target": "sights.rs", "location": p.At("sights.rs", "sighted"), "expression": "sum", "timeout_ms": 60_000})
	r.Want("v", "data", "chain", "0", "operands", "1", "name").Want("6", "data", "chain", "0", "operands", "1", "value")
}

// A variable is no change of the line before it has a value, and code of a library that
// the compiler has put into a function is no line of it.
func linesBeforeAValue(t *testing.T, s *testkit.Server, p *testkit.Program) {
	t.Helper()
	r := s.OK("trace", A{"target": "sights.rs", "what": "lines", "function": "area", "timeout_ms": 60_000})
	var rows [][]string
	r.Decode(&rows, "data", "rows")
	for _, row := range rows {
		line := strings.Join(row, " ")
		if !strings.Contains(row[0], "sights.rs:") {
			t.Errorf("a line of another function: %q", row)
		}
		for _, name := range []string{"extra", "later"} {
			if strings.Contains(line, name+" = 4294967295") || strings.Contains(line, name+"=4294967295") {
				t.Errorf("%s before it has a value: %q", name, row)
			}
		}
	}
	if len(rows) == 0 {
		t.Error("there are no lines")
	}
}

// LLDB has no value of the type (): what holds one is known all the same.
func units(t *testing.T, s *testkit.Server, p *testkit.Program) {
	t.Helper()
	r := s.OK("trace", A{"target": "sights.rs", "what": "values", "location": p.At("sights.rs", "locked"), "expressions": []string{"lock", "seen"}, "timeout_ms": 60_000})
	if got := joinedRows(r); got != "() size=1 {1: ()}" {
		t.Errorf("they are %q", got)
	}
}

// A debugger that takes one type for another of its name lives on, and says which variant it is.
func TestRustNamesakes(t *testing.T) {
	t.Parallel()
	eachNative(t, "rust", "namesakes.rs", func(t *testing.T, s *testkit.Server, p *testkit.Program) {
		s.OK("session_start", A{"target": "namesakes.rs", "breakpoints": []A{{"file": "namesakes.rs", "line": p.Line("namesakes")}}, "timeout_ms": 60_000}).
			Stopped("stopped_at_breakpoint", p.At("namesakes.rs", "namesakes")).Contains([]string{"data", "locals", "rt", "v"}, "inner: Multi(")
	})
}
