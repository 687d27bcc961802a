//go:build linux

package languages

// starting: how a program comes to be debugged.
var starting = []behaviour{
	{
		Name:     "stop before anything ran",
		Sentence: "A breakpoint on the first statement of the program stops there, before any output.",
		Run: func(s *subject) {
			r := s.stop("calls", "main")
			r.Want("", "data", "output").Want("[1]", "data", "execution_state", "hit_breakpoints")
			s.ended(s.goOn(), "0").Want("calls 36 12\n", "data", "output", "stdout")
		},
	},
	{
		Name:     "run to the end",
		Sentence: "Without breakpoints the program runs to its end: output and exit code come with the start.",
		Run: func(s *subject) {
			s.ended(s.start("loop", nil), "0").Want("total 40\n", "data", "output", "stdout")
		},
	},
	{
		Name:     "stop on entry",
		Sentence: "stop_on_entry stops in the user's code before anything ran.",
		Run: func(s *subject) {
			r := s.start("loop", A{"stop_on_entry": true}).Want("stopped_at_entry", "data", "execution_state", "status")
			s.shows(r, "main", "data", "function")
			r.Contains([]string{"data", "location"}, s.File+":").Want("", "data", "output")
			s.ended(s.goOn(), "0").Want("total 40\n", "data", "output", "stdout")
		},
	},
}
