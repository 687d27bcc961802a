package handlers

import (
	"strings"
	"testing"

	"aidb-mcp/session"
	"aidb-mcp/tools"
)

func TestNotesComeOnlyWhenAskedFor(t *testing.T) {
	notes := func() []string { return []string{"because"} }
	quiet := &Call{request: &request{Params: &tools.StepParams{}}}
	if got := quiet.notes(notes); got != nil {
		t.Errorf("unasked: %q", got)
	}
	verbose := &Call{request: &request{Params: &tools.StepParams{Brief: tools.Brief{Verbose: true}}}}
	if got := verbose.notes(notes); len(got) != 1 {
		t.Errorf("asked: %q", got)
	}
}

func TestViewNotes(t *testing.T) {
	v := &session.View{
		State: session.State{Status: session.StoppedException},
		StopView: session.StopView{
			Frame: &session.Frame{Function: "main.mean"}, Top: &session.Frame{Function: "runtime.fatalpanic"},
			Locals: []session.Variable{{Name: "xs", Ref: 1}},
		},
	}
	text := strings.Join(testShow().viewNotes(v), "\n")
	for _, part := range []string{"frame 0 is main.mean", "runtime.fatalpanic", "inspect(object)"} {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in:\n%s", part, text)
		}
	}
}
