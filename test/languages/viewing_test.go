//go:build linux

package languages

import (
	"fmt"
	"regexp"
	"strings"
)

// frameLine is a frame of the stack of a stop, or those that are folded.
var frameLine = regexp.MustCompile(`^(.+ \S+:\d+|\(\d+ library frames?\))$`)

// viewing: what comes with a stop.
var viewing = []behaviour{
	{
		Name: "stop view",
		At:   stopAt{"calls", "nested"}, Looks: true,
		Sentence: "The reply to a stop shows the place, the function, the code around it with an arrow, the locals and the stack, with library frames folded.",
		Run: func(s *subject) {
			r := s.stop("calls", "nested")
			s.shows(r, "part", "data", "function")
			for line := range strings.Lines(r.At("data", "code_snapshot", "formatted")) {
				if strings.Contains(line, "→") != strings.Contains(line, "@mark nested") {
					s.t.Errorf("the arrow stands wrong:\n%s", r)
				}
			}
			r.Contains([]string{"data", "code_snapshot", "formatted"}, "→", "@mark call", "@mark after")
			r.Want("6", "data", "locals", "count", "v").Want("12", "data", "locals", "first", "v")
			var stack []string
			r.Decode(&stack, "data", "stack")
			if len(stack) == 0 || len(stack) > 5 || !strings.HasSuffix(stack[0], s.at("nested")) {
				s.t.Errorf("the stack:\n%s", r)
			}
			for _, frame := range stack {
				if !frameLine.MatchString(frame) || strings.Contains(frame, "/") && !strings.Contains(frame, " "+s.File+":") {
					s.t.Errorf("the frame %q is none of the user's and not folded:\n%s", frame, r)
				}
			}
			if len(r.Text) > 3000 {
				s.t.Errorf("%d bytes for a small stop:\n%s", len(r.Text), r)
			}
		},
	},
	{
		Name:     "what a step changed",
		Engine:   true,
		At:       stopAt{"calls", "after"},
		Sentence: "After a step the reply shows only what changed, with old and new values.",
		Run: func(s *subject) {
			s.stop("calls", "after")
			r := s.OK("step", nil).Stopped("stopped_after_step", s.at("calls-end"))
			r.Want(`{"count":{"new":"36","old":"6"}}`, "data", "changed_variables").Want("", "data", "locals", "first")
		},
	},
	{
		Name:     "deep recursion",
		Engine:   true,
		Sentence: "A stop with 500 frames gives a small reply with their number, and every frame can be inspected.",
		Run: func(s *subject) {
			r := s.stop("recursion", "bottom")
			if len(r.Text) > 3000 {
				s.t.Errorf("%d bytes:\n%s", len(r.Text), r)
			}
			r.Has("omitted")
			s.evaluates("depth")
			s.OK("inspect", A{"expression": s.say("depth"), "frame": 300}).Want("300", "data", "result", "v")
			s.Fail("INVALID_FRAME", "inspect", A{"expression": s.say("depth"), "frame": 9999}).Has("9999")
			s.OK("inspect", A{"target": "stack", "start": 495, "count": 5}).Has(s.File + ":")
			s.ended(s.goOn(), "0").Has("depth 500")
		},
	},
	{
		Name:     "many threads",
		Among:    []string{"go", "java", "ruby"},
		Sentence: "Twenty threads that wait at the same place share a row with a count.",
		Run: func(s *subject) {
			s.stop("threads", "gathered")
			r := s.OK("inspect", A{"target": "threads"})
			var rows []struct {
				Count int
				Stack []string
			}
			r.Decode(&rows, "data", "threads")
			for _, row := range rows {
				if strings.Contains(strings.Join(row.Stack, "\n"), s.at("hold")) {
					if !s.shown("threads").MatchString(fmt.Sprint(row.Count)) {
						s.t.Errorf("%d threads stand at the gate, want %s:\n%s", row.Count, s.shown("threads"), r)
					}
					s.ended(s.goOn(), "0").Has("gathered")
					return
				}
			}
			s.t.Errorf("no row stands at %s:\n%s", s.at("hold"), r)
		},
	},
}
