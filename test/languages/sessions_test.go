//go:build linux

package languages

import (
	"fmt"
	"strings"
)

// sessions: more than one, and one again.
var sessions = []behaviour{
	{
		Name:     "two sessions at once",
		Engine:   true,
		Sentence: "Two programs of the same language can be debugged at the same time; the end of one does not affect the other.",
		Run: func(s *subject) {
			first := s.stop("loop", "sum").At("session_id")
			second := s.stop("calls", "call").At("session_id")
			if first == second || first == "" {
				s.t.Fatalf("the sessions are %q and %q", first, second)
			}
			s.OK("step", A{"session_id": second}).Stopped("stopped_after_step", s.at("nested"))
			s.OK("execute", A{"session_id": first}).Stopped("stopped_at_breakpoint", s.at("sum"))
			s.OK("session", A{"action": "stop", "session_id": second})
			s.OK("execute", A{"session_id": first}).Stopped("stopped_at_breakpoint", s.at("sum"))
			s.OK("inspect", A{"session_id": first, "expression": "i"}).Want("2", "data", "result", "v")
		},
	},
	{
		Name:       "restart",
		Engine:     true,
		Sentence:   "A restart runs the program again with its breakpoints; with keep_breakpoints false it has none.",
		Capability: "restart",
		Run: func(s *subject) {
			s.stop("loop", "sum")
			s.goOn().Stopped("stopped_at_breakpoint", s.at("sum"))
			s.OK("session", A{"action": "restart", "timeout_ms": startLimit}).Stopped("stopped_at_breakpoint", s.at("sum"))
			if i := s.value("i"); i != "0" {
				s.t.Errorf("i is %s after the restart", i)
			}
			s.ended(s.OK("session", A{"action": "restart", "keep_breakpoints": false, "timeout_ms": startLimit}), "0").Has("total 40")
			s.stopsAgain()
		},
	},
	{
		Name:     "restart after an edit",
		Among:    []string{"go", "java"},
		Sentence: "A breakpoint moves with its statement when the file is edited and the program restarted.",
		Edits:    true,
		Run: func(s *subject) {
			s.stop("loop", "sum")
			before := s.Line("sum")
			s.insert("loop-start", "two lines more", "before the breakpoint")
			if s.Rebuild != nil {
				s.Rebuild(s.t, s.Program)
			}
			r := s.OK("session", A{"action": "restart", "timeout_ms": startLimit})
			r.Stopped("stopped_at_breakpoint", fmt.Sprintf("%s:%d", s.File, before+2))
			r.Contains([]string{"data", "breakpoints"}, fmt.Sprintf(`"moved_from":%d`, before))
		},
	},
	{
		Name: "capabilities",
		At:   stopAt{"calls", "call"}, Looks: true,
		Sentence: "config(capabilities) agrees with this page: native or supplied for what works, impossible for what does not.",
		Run: func(s *subject) {
			s.stop("calls", "call")
			r := s.OK("config", A{"action": "capabilities"})
			for _, g := range s.table {
				for _, b := range g.Behaviours {
					_, lacks := s.Cannot[b.Name]
					said := r.At("data", "capabilities", b.Capability)
					if b.Capability != "" && (said == "" || lacks != strings.HasPrefix(said, "impossible")) {
						s.t.Errorf("%q is said of %s, and yet %s is %v", said, b.Capability, b.Name, !lacks)
					}
				}
			}
			if s.t.Failed() {
				s.t.Log(r)
			}
		},
	},
}

// goesOn proves that the server is well: one more start and stop, where the engine's own
// is tried.
func (s *subject) goesOn() {
	s.t.Helper()
	if s.engine() {
		s.stopsAgain()
	}
}

// stopsAgain is one more start and stop.
func (s *subject) stopsAgain() {
	s.t.Helper()
	s.stop("calls", "call")
	s.OK("session", A{"action": "stop"})
}

// insert puts comments above a marked line.
func (s *subject) insert(mark string, comments ...string) {
	s.t.Helper()
	lines := s.lines()
	at := s.Line(mark) - 1
	sign := s.Comment
	if sign == "" {
		sign = "//"
	}
	text := strings.Join(lines[:at], "\n") + "\n"
	for _, comment := range comments {
		text += sign + " " + comment + "\n"
	}
	s.Write(s.File, text+strings.Join(lines[at:], "\n")+"\n")
}
