//go:build linux

package languages

// breakpoints of every kind.
var breakpoints = []behaviour{
	{
		Name:     "line breakpoint",
		Sentence: "A breakpoint on a line is bound, hits each time and counts its hits.",
		Run: func(s *subject) {
			s.stop("loop", "sum")
			s.goOn().Stopped("stopped_at_breakpoint", s.at("sum"))
			if i := s.value("i"); i != "1" {
				s.t.Errorf("the second hit is at i = %s", i)
			}
			r := s.OK("breakpoint", A{"action": "list"}).Want("true", "data", "breakpoints", "0", "verified")
			r.Want("2", "data", "breakpoints", "0", "hits")
			s.OK("breakpoint", A{"location": s.at("loop-end")}).Want("true", "data", "breakpoint", "verified")
			s.OK("breakpoint", A{"action": "remove", "location": s.at("sum")})
			s.goOn().Stopped("stopped_at_breakpoint", s.at("loop-end"))
		},
	},
	{
		Name:       "condition",
		Sentence:   "A condition in the program's language decides whether a breakpoint stops.",
		Capability: "conditions",
		Run: func(s *subject) {
			s.hitsAt(A{"condition": s.say("condition")}, "7")
		},
	},
	{
		Name:       "hit condition",
		Sentence:   "Hit counts stop at the fifth hit, from a hit on, or at every third.",
		Capability: "hit_conditions",
		Run: func(s *subject) {
			s.hitsAt(A{"hit_condition": "5"}, "4")
			s.hitsAt(A{"hit_condition": ">=9"}, "8", "9")
			s.hitsAt(A{"hit_condition": "%4"}, "3", "7")
		},
	},
	{
		Name:       "logpoint",
		Sentence:   "A logpoint prints its message with the values filled in, apart from the program's own output, and does not stop.",
		Capability: "logpoints",
		Run: func(s *subject) {
			r := s.ended(s.start("loop", A{"breakpoints": []A{s.line("sum", A{"log_message": s.say("log")})}}), "0")
			r.Contains([]string{"data", "output", "log"}, "at 0 total 0", "at 1 total 3", "at 9 total 36")
			r.Want("total 40\n", "data", "output", "stdout")
		},
	},
}

// hitsAt starts the loop with a breakpoint at sum that stops when i has these
// values, and lets it run to its end.
func (s *subject) hitsAt(with A, values ...string) {
	s.t.Helper()
	r := s.start("loop", A{"breakpoints": []A{s.line("sum", with)}})
	for _, want := range values {
		r.Stopped("stopped_at_breakpoint", s.at("sum"))
		if i := s.value("i"); i != want {
			s.t.Fatalf("%v stopped at i = %s, want %s", with, i, want)
		}
		r = s.goOn()
	}
	s.ended(r, "0")
}
