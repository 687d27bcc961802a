//go:build linux

package test

import (
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

// What an expression of numbers comes to is what the program itself prints for it.
func TestNumbersAsTheProgramComputes(t *testing.T) {
	t.Parallel()
	s, _ := testkit.OpenAt(t, "numbers", "computed")
	var printed []string
	s.OK("inspect", A{"target": "output"}).Decode(&printed, "data", "stdout")
	compared := 0
	for _, line := range printed {
		expression, want, ok := strings.Cut(line, " is ")
		if !ok {
			continue
		}
		compared++
		if got := s.OK("inspect", A{"expression": expression}).At("data", "result", "v"); got != want {
			t.Errorf("%s: %s, the program prints %s", expression, got, want)
		}
	}
	if compared < 25 {
		t.Errorf("only %d expressions in %q", compared, printed)
	}
	locals := s.OK("inspect", nil)
	locals.Want("-0", "data", "locals", "minus", "v").Want("-0", "data", "locals", "minus32", "v")
	locals.Want("[0.1,-0,0.3]", "data", "locals", "row", "v").Want("(NaN+1i)", "data", "locals", "odd", "v")
	s.OK("inspect", A{"expression": "row", "depth": 1}).Want("-0", "data", "result", "children", "[1]", "v")
	s.Fail("EVALUATION_FAILED", "inspect", A{"expression": "f32 == f64"}).Has("mismatched types")
}

// Conditions and log messages compare numbers as the program does.
func TestNumbersInConditions(t *testing.T) {
	t.Parallel()
	s, p := testkit.Open(t, "numbers")
	r := s.OK("session_start", A{"target": ".", "breakpoints": []A{
		{"file": "main.go", "line": p.Line("grown"), "condition": "tenth == 0.3"},
		{"file": "main.go", "line": p.Line("grown"), "log_message": "{i}: {tenth == 0.3} {sum == 0.30000000000000004}"},
	}})
	r.Stopped("stopped_at_breakpoint", p.At("main.go", "grown"))
	s.OK("inspect", A{"expression": "i"}).Want("3", "data", "result", "v")
	r.Want("0: false false\n1: false false\n2: false true\n3: true false\n", "data", "output", "log")
	s.OK("run_until", A{"location": p.At("main.go", "grown"), "condition": "sum > 0.1*5"}).Has("stopped")
	s.OK("inspect", A{"expression": "i"}).Want("5", "data", "result", "v")
}

// A single log message with a computation is the engine's, not Delve's.
func TestNumbersInLogMessages(t *testing.T) {
	t.Parallel()
	s, p := testkit.Open(t, "numbers")
	r := s.OK("session_start", A{"target": ".", "breakpoints": []A{
		{"file": "main.go", "line": p.Line("grown"), "log_message": "{i}: {tenth == 0.3}"},
	}})
	r.Want("0: false\n1: false\n2: false\n3: true\n4: false\n5: false\n", "data", "output", "log")
}

// The named results of a function that has not begun hold what was left in
// memory, and nothing is said of them.
func TestResultsNotSetYet(t *testing.T) {
	t.Parallel()
	s, p := testkit.Open(t, "numbers")
	r := s.OK("session_start", A{"target": ".", "breakpoints": []A{{"function": "main.half"}}})
	r.Stopped("stopped_at_breakpoint", p.At("main.go", "half"))
	for _, name := range []string{"whole", "text", "list", "err"} {
		r.Want("(not set yet)", "data", "locals", name, "v")
		s.Fail("EVALUATION_FAILED", "inspect", A{"expression": name + " == nil"}).Has(name + " is not set yet")
	}
	r.Want("9", "data", "locals", "n", "v")
	s.OK("inspect", A{"expression": "n + 1"}).Want("10", "data", "result", "v")
	s.OK("step", nil).Stopped("stopped_after_step", p.At("main.go", "half-begun")).Want("0", "data", "changed_variables", "whole", "new")
	s.OK("inspect", A{"expression": "err == nil"}).Want("true", "data", "result", "v")
}

// A condition that cannot be evaluated names its breakpoint, what was wrong and what to do.
func TestConditionsThatFail(t *testing.T) {
	t.Parallel()
	for condition, why := range map[string]string{
		"i":           "a bool is wanted and this is none: compare it with something",
		"i + 1":       "a bool is wanted and this is none",
		"missing > 1": "there is no missing here",
	} {
		s, p := testkit.Open(t, "numbers")
		r := s.OK("session_start", A{"target": ".", "breakpoints": []A{{"file": "main.go", "line": p.Line("grown"), "condition": condition}}})
		r.Stopped("stopped_at_breakpoint", p.At("main.go", "grown")).Want("1", "data", "execution_state", "hit_breakpoints", "0")
		r.Contains([]string{"summary"}, `the condition "`+condition+`" of breakpoint 1 failed: `+why)
	}
	// NaN is beyond Delve, and not an error: the condition is false.
	s, p := testkit.Open(t, "numbers")
	r := s.OK("session_start", A{"target": ".", "breakpoints": []A{{"file": "main.go", "line": p.Line("computed"), "condition": "nan < 3"}}})
	r.Want("terminated", "data", "execution_state", "status")
}

// A type of the frame's own package is named as the source there names it.
func TestConversionsToTypesOfThePackage(t *testing.T) {
	t.Parallel()
	s, p := testkit.Open(t, "workspace")
	r := s.OK("session_start", A{"target": "./app", "breakpoints": []A{{"file": "lib/lib.go", "line": p.Line("priced")}}})
	r.Want("lib.Total", "data", "function")
	for expression, want := range map[string]string{
		"amount(count)": "3", "amount(count) + 1": "4", "amount(count) == sum": "true", "amount(count).double()": "6",
		"amount(twice(count))": "6", "int(amount(count)) * 2": "6",
	} {
		s.OK("inspect", A{"expression": expression}).Want(want, "data", "result", "v")
	}
	s.Fail("EVALUATION_FAILED", "inspect", A{"expression": "missing(count)"}).Has("there is no missing here").Lacks("main.missing")
}
