package handlers

import (
	"errors"
	"slices"
	"testing"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/session"
	"aidb-mcp/tools"
)

// What a kind of trace passes over would narrow another question than the one it answers.
func TestWhatATraceMakesNothingOfIsRefused(t *testing.T) {
	for _, c := range []struct {
		p     tools.TraceParams
		armed bool
		field string // that is refused; empty: none
		hint  string
	}{
		{p: tools.TraceParams{What: "first", Condition: "x < 0", Location: "till.py:4"}, field: "location",
			hint: `give the place as scope: "scope":["till.py:4"]; the function or file that it lies in has more of the moments`},
		{p: tools.TraceParams{What: "first", Condition: "x < 0", Scope: []string{"till.py:4"}, Expressions: []tools.Expression{"x"}}},
		{p: tools.TraceParams{What: "calls", Functions: []string{"total"}, Condition: "x < 0"}, field: "condition",
			hint: `leave it out; {"what":"first","condition":…,"scope":[…]} finds the first call at which it holds`},
		{p: tools.TraceParams{What: "calls", Functions: []string{"total"}, Condition: "x < 0"}, armed: true},
		{p: tools.TraceParams{What: "values", Location: "till.py:4", Expression: "x"}, field: "expression", hint: "it takes location, expressions, condition"},
		{p: tools.TraceParams{What: "values", Location: "till.py:4", Expressions: []tools.Expression{"x"}, Condition: "x < 0"}},
		{p: tools.TraceParams{What: "writes", Expression: "x", Condition: "x < 0"}, field: "condition", hint: "it takes expression, location"},
		{p: tools.TraceParams{What: "writes", Expression: "x", Location: "till.py:4"}},
		{p: tools.TraceParams{What: "writes", Expression: "x", Location: "till.py:4"}, armed: true, field: "location", hint: "it takes expression"},
		{p: tools.TraceParams{What: "lines", Function: "total", Scope: []string{"till.py"}}, field: "scope", hint: "it takes function, call, condition, expressions"},
		{p: tools.TraceParams{What: "lines", Function: "total", Call: 2, Condition: "x < 0", Expressions: []tools.Expression{"x"}}},
	} {
		var f *fault.Error
		if err := checkTaken(&c.p, c.armed); !errors.As(err, &f) {
			if err != nil || c.field != "" {
				t.Errorf("%+v: %v, want %q refused", c.p, err, c.field)
			}
		} else if f.Field != c.field || f.Hint != c.hint {
			t.Errorf("%+v: %q refused with %q, want %q with %q", c.p, f.Field, f.Hint, c.field, c.hint)
		}
	}
}

// Of the second run that is told which was not said of the first.
func TestNotesOfTheSecondRun(t *testing.T) {
	first := &session.Recording{Warnings: []string{"both"}}
	second := &session.Recording{Warnings: []string{"both", "there is no place to watch"}, Exit: &process.ExitStatus{Code: 3}}
	want := []string{"the second run: exit code 3", "the second run: there is no place to watch"}
	if got := notesOfSecond(second, first); !slices.Equal(got, want) {
		t.Errorf("the notes are %q, want %q", got, want)
	}
}
