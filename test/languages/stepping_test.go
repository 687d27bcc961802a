//go:build linux

package languages

// stepping through the program.
var stepping = []behaviour{
	{
		Name:     "step over",
		Sentence: "A step goes to the next line, over the calls in this one, and tells what changed.",
		Run: func(s *subject) {
			s.stop("calls", "calls-start")
			s.OK("step", nil).Stopped("stopped_after_step", s.at("call"))
			s.OK("step", nil).Stopped("stopped_after_step", s.at("nested"))
			s.OK("step", nil).Stopped("stopped_after_step", s.at("after"))
			r := s.OK("step", nil).Stopped("stopped_after_step", s.at("calls-end"))
			r.Want("6", "data", "changed_variables", "count", "old").Want("36", "data", "changed_variables", "count", "new")
		},
	},
	{
		Name:     "step into",
		Sentence: "A step into a call stands in the called function.",
		Run: func(s *subject) {
			s.stop("calls", "call")
			r := s.OK("step", A{"action": "into"}).Want("stopped_after_step", "data", "execution_state", "status")
			s.shows(r, "twice", "data", "function")
			if n := s.value("n"); n != "6" {
				s.t.Errorf("n is %s", n)
			}
		},
	},
	{
		Name:     "step out",
		Sentence: "A step out stands in the caller again, after the call.",
		Run: func(s *subject) {
			s.stop("calls", "twice")
			r := s.OK("step", A{"action": "out"}).Want("stopped_after_step", "data", "execution_state", "status")
			s.shows(r, "part", "data", "function")
		},
	},
}
