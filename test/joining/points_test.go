package joining

import (
	"slices"
	"testing"

	godap "github.com/google/go-dap"

	"aidb-mcp/internal/testkit"
)

// An editor sets breakpoints at functions, with conditions, and takes away its own only.
func TestFunctionBreakpointsOfAnEditor(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "")
	p.Write("main.go", `package main

import "fmt"

func twice(n int) int {
	return 2 * n
}

func main() {
	total := 0 // @mark start
	for i := range 10 {
		total += twice(i)
	}
	fmt.Println(total) // @mark end
}
`)
	p.Write("go.mod", "module loop\n\ngo 1.24\n")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	s.OK("session_start", A{"target": ".", "breakpoints": []string{p.At("main.go", "start"), p.At("main.go", "end")}})
	e := join(t, shown(t, s), "ada")
	e.event("stopped", nil)
	var set struct{ Breakpoints []godap.Breakpoint }
	e.ok("setFunctionBreakpoints", A{"breakpoints": []A{{"name": "main.twice", "condition": "n == 4"}, {"name": "main.nothing"}}}, &set)
	if len(set.Breakpoints) != 2 || !set.Breakpoints[0].Verified || set.Breakpoints[1].Verified || set.Breakpoints[1].Message == "" {
		t.Fatalf("%+v", set)
	}
	r := s.OK("execute", A{"action": "continue"}).Has("main.twice")
	if did := acts(t, r); r.At("data", "locals", "n", "v") != "4" || !slices.Contains(did, "ada set breakpoint 3 at main.twice if n == 4") {
		t.Errorf("%q: %s", did, r.Text)
	}
	e.ok("setFunctionBreakpoints", A{"breakpoints": []A{}}, &set)
	s.OK("execute", A{"action": "continue"}).Stopped("stopped_at_breakpoint", p.At("main.go", "end")).Has("removed breakpoint 3 (main.twice)")
	if r := s.OK("breakpoint", A{"action": "list"}).Has(p.At("main.go", "start")); len(set.Breakpoints) != 0 {
		t.Errorf("%+v beside %s", set, r.Text)
	}
}
