//go:build linux

package tracing

import (
	"slices"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

// eachNative tells of a program under LLDB, and in the long run under gdb, where the ledgers
// are recorded: all that is told of one file takes one build.
func eachNative(t *testing.T, language, file string, tells ...func(t *testing.T, s *testkit.Server, p *testkit.Program)) {
	t.Helper()
	for _, name := range []string{"lldb", "gdb"}[:testkit.Rounds(1, 2)] {
		underDebugger(t, name, language, tells...)
	}
}

// underDebugger tells of a program under gdb, or under LLDB.
func underDebugger(t *testing.T, name, language string, tells ...func(t *testing.T, s *testkit.Server, p *testkit.Program)) {
	t.Helper()
	env := map[string][]string{"gdb": withGDB(), "lldb": nil}[name]
	t.Run(name, func(t *testing.T) {
		t.Parallel()
		p := testkit.NewProgramOf(t, language, "hunt")
		s := testkit.Start(t, testkit.Options{Dir: p.Dir, Env: env})
		for _, tell := range tells {
			tell(t, s, p)
		}
	})
}

func TestBytesOfRust(t *testing.T) {
	t.Parallel()
	eachNative(t, "rust", "bytes.rs", patternInPlace, operandBehindAReference)
}

func TestNamesOfCpp(t *testing.T) {
	t.Parallel()
	eachNative(t, "cpp", "names.cpp", plainNames, operandsOfALoop, writesThatLieElsewhere)
}

// rustc says of the load of &byte that it belongs to the line which uses byte first:
// there byte is still the one before.
func patternInPlace(t *testing.T, s *testkit.Server, p *testkit.Program) {
	t.Helper()
	var rows [][]string
	s.OK("trace", A{"target": "bytes.rs", "what": "values", "location": p.At("bytes.rs", "put"), "expressions": []string{"place", "byte"}, "timeout_ms": 60_000}).Decode(&rows, "data", "rows")
	for i, want := range []string{"0 7", "1 40", "2 3"} {
		if len(rows) != 3 || strings.Join(rows[i][1:], " ") != want {
			t.Fatalf("the rows are %q", rows)
		}
	}
}

// Names are those of stacks in sessions, also of templates and anonymous namespaces.
func plainNames(t *testing.T, s *testkit.Server, p *testkit.Program) {
	t.Helper()
	r := s.OK("why", A{"target": "names.cpp", "location": p.At("names.cpp", "twice"), "expression": "cents", "condition": "cents == 21", "timeout_ms": 60_000})
	r.Want("main", "data", "chain", "0", "function").Want(p.At("names.cpp", "sum"), "data", "chain", "0", "at")
	var rows [][]string
	s.OK("trace", A{"target": "names.cpp", "what": "calls", "functions": []string{"price", "~Shelf"}, "timeout_ms": 60_000}).Decode(&rows, "data", "rows")
	if len(rows) == 0 || rows[0][1] != "Shelf::price(this={kept:0}, cents=20)" || rows[0][3] != "twice "+p.At("names.cpp", "out") {
		t.Errorf("the calls are %q", rows)
	}
	// a destructor of one line has its object in place too
	if ends := slices.DeleteFunc(rows, func(row []string) bool { return !strings.Contains(row[1], "~Shelf(this={kept:4") }); len(ends) != 4 {
		t.Errorf("the ends of the objects are %q", ends)
	}
}

// A type that is only declared has no members to show, but its pointer is somewhere; the
// body of a loop without braces is a statement of its own.
func operandsOfALoop(t *testing.T, s *testkit.Server, p *testkit.Program) {
	t.Helper()
	r := s.OK("why", A{"target": "names.cpp", "location": p.At("names.cpp", "shown"), "expression": "storage", "timeout_ms": 60_000})
	var operands []struct{ Name, Value string }
	r.Decode(&operands, "data", "chain", "0", "operands")
	names := []string{}
	for _, o := range operands {
		names = append(names, o.Name)
		if o.Name == "sealed" && !strings.HasPrefix(o.Value, "0x") {
			t.Errorf("sealed is %s", o.Value)
		}
	}
	slices.Sort(names)
	if got := strings.Join(names, " "); got != "i sealed storage" { // and nothing of the loop's head
		t.Errorf("the operands are %s", got)
	}
}

// What a statement has read through a reference or a pointer is what was there before it wrote.
func operandBehindAReference(t *testing.T, s *testkit.Server, p *testkit.Program) {
	t.Helper()
	r := s.OK("why", A{"target": "bytes.rs", "location": p.At("bytes.rs", "summed"), "expression": "sum", "timeout_ms": 60_000})
	r.Want("40", "data", "chain", "0", "was").Want("*sum", "data", "chain", "0", "operands", "0", "name").Want("40", "data", "chain", "0", "operands", "0", "value")
}

// Under LLDB a pass of a line is one hit, whatever its first instruction is and whichever
// signal comes there, and what the program works out is the same.
func TestEachPassIsOneHit(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgramOf(t, "cpp", "hunt")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	ask := A{"target": "places.cpp", "what": "values", "expressions": []string{"kept"}, "timeout_ms": 60_000}
	for mark, hits := range map[string]string{"deep": "20", "kept": "50", "call": "50", "mine": "80"} {
		ask["location"] = p.At("places.cpp", mark)
		s.OK("trace", ask).Want(hits, "data", "hits")
	}
	ask["location"], ask["expressions"] = p.At("places.cpp", "told"), []string{"d", "l", "kept", "both", "status"}
	var rows [][]string
	s.OK("trace", ask).Decode(&rows, "data", "rows")
	if len(rows) != 1 || strings.Join(rows[0][1:], " ") != "210 25724 1225 4680 1536" {
		t.Errorf("the rows are %q", rows)
	}
}

// What lies elsewhere in each run cannot be watched: that is said, and no answer is made up.
func TestEntryThatLiesElsewhereInEachRun(t *testing.T) {
	t.Parallel()
	tell := func(t *testing.T, s *testkit.Server, p *testkit.Program) {
		ask := A{"target": "stock.rs", "location": p.At("stock.rs", "stocked"), "expression": `stock["c"]`, "timeout_ms": 60_000}
		r := s.OK("why", ask)
		if r.At("data", "differs") == "" { // it has some hundred places: two runs may have chosen the same
			r = s.OK("why", ask)
		}
		r.Want("it lies at another address in each run, and only an address can be watched", "data", "differs")
		ask["what"] = "writes"
		if r = s.OK("trace", ask); r.At("data", "warnings") == "" {
			r = s.OK("trace", ask)
		}
		r.Contains([]string{"data", "warnings"}, "lies at another address in each run").Contains([]string{"data", "how"}, "HashMap")
	}
	underDebugger(t, "gdb", "rust", tell)
	if testkit.IsLong() { // that it cannot be watched is found out from the addresses, whoever tells them
		underDebugger(t, "lldb", "rust", tell)
	}
}

// What is watched lies elsewhere in the second run too: there it is found anew.
func writesThatLieElsewhere(t *testing.T, s *testkit.Server, p *testkit.Program) {
	t.Helper()
	r := s.OK("trace", A{
		"target": "names.cpp", "what": "writes", "location": p.At("names.cpp", "shown"), "expression": "storage", "timeout_ms": 60_000,
		"against": A{"args": []string{strings.Repeat("x", 4000)}}, // which lie above the stack
	})
	if r.Contains([]string{"summary"}, "both runs are the same"); r.Int("data", "hits") < 2 {
		t.Errorf("its writes are not all seen, in\n%s", r)
	}
}
