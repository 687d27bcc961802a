//go:build linux

package languages

// starting: how a program comes to be debugged.
var starting = []behaviour{
	{
		Name:     "stop before anything ran",
		Sentence: "A breakpoint on the program's first statement stops there, before any output.",
		Run: func(s *subject) {
			r := s.stop("calls", "main")
			r.Want("", "data", "output").Want("[1]", "data", "execution_state", "hit_breakpoints")
			s.ended(s.goOn(), "0").Want("calls 36 12\n", "data", "output", "stdout")
		},
	},
	{
		Name:     "run to the end",
		Engine:   true, // the others say so of "caught exception", and with breakpoints that do not stop
		Sentence: "Without breakpoints the program runs to its end, and the reply has its output and exit code.",
		Run: func(s *subject) {
			s.ended(s.start("loop", nil), "0").Want("total 40\n", "data", "output", "stdout")
		},
	},
	{
		Name:     "stop on entry",
		Sentence: "stop_on_entry stops in your code before anything has run.",
		Run: func(s *subject) {
			r := s.start("loop", A{"stop_on_entry": true}).Want("stopped_at_entry", "data", "execution_state", "status")
			s.shows(r, "main", "data", "function")
			r.Contains([]string{"data", "location"}, s.File+":").Want("", "data", "output")
			s.ended(s.goOn(), "0").Want("total 40\n", "data", "output", "stdout")
		},
	},
}
