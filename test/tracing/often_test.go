//go:build linux && amd64

package tracing

import (
	"strconv"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

// Each write stops the program: of 300,000 the last ones are found by what the program itself counts,
// be they made by other code than nearly all of them.
func TestLastOfVeryManyWrites(t *testing.T) {
	t.Parallel()
	underDebugger(t, "gdb", "cpp", func(t *testing.T, s *testkit.Server, p *testkit.Program) {
		t.Helper()
		asked := A{"target": "often.cpp", "location": p.At("often.cpp", "oftenwrong"), "expression": "second->total", "timeout_ms": 120_000}
		r := s.OK("why", asked)
		for i, mark := range []string{"settle", "fee", "load"} {
			r.Want(p.At("often.cpp", "often"+mark), "data", "chain", strconv.Itoa(i), "at")
		}
		r.Want("3", "data", "chain", "0", "value")
		if !strings.Contains(r.Text, "of very many only the first ones and the last ones are noted") {
			t.Errorf("not all writes were counted, and it is not said: %s", r.Text)
		}
		endsOfMany(t, s, asked, p.At("often.cpp", "oftenpay"), p.At("often.cpp", "oftensettle"))
	})
	if !testkit.IsLong() {
		return // what counts knows no language
	}
	underDebugger(t, "gdb", "rust", func(t *testing.T, s *testkit.Server, p *testkit.Program) {
		t.Helper()
		asked := A{"target": "often.rs", "location": p.At("often.rs", "oftenwrong"), "expression": "accounts[1].total", "timeout_ms": 120_000}
		s.OK("why", asked).Want(p.At("often.rs", "oftensettle"), "data", "chain", "0", "at").Want("3", "data", "chain", "0", "value")
		endsOfMany(t, s, asked, p.At("often.rs", "oftenpay"), p.At("often.rs", "oftensettle"))
	})
}

// endsOfMany asks for all writes: the second and the last row are those of two places, and how many lie
// between is not told as if it were known.
func endsOfMany(t *testing.T, s *testkit.Server, asked A, first, last string) {
	t.Helper()
	asked["what"], asked["limit"] = "writes", 4
	r := s.OK("trace", asked)
	var rows [][]string
	r.Decode(&rows, "data", "rows")
	if len(rows) != 4 || !strings.HasSuffix(first, rows[1][0]) || !strings.HasSuffix(last, rows[3][0]) || rows[3][len(rows[3])-1] != "3" {
		t.Errorf("the rows are %q", rows)
	}
	if !strings.HasPrefix(r.Text, "at least ") || !strings.Contains(r.Text, "… after row 2") {
		t.Errorf("it is not said that there were more: %s", r.Text)
	}
}
