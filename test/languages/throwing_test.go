//go:build linux

package languages

import "aidb-mcp/internal/testkit"

// exceptions, panics and what else a program dies of.
var exceptions = []behaviour{
	{
		Name:     "uncaught exception",
		Sentence: "An exception that nobody catches stops the program, with type, message and the line of your code; then the program ends.",
		Run: func(s *subject) {
			r := s.start("throw", nil).Stopped("stopped_at_exception", s.at("throw"))
			s.shows(r, "exception", "data", "exception", "type")
			s.shows(r, "message", "data", "exception", "message")
			s.shows(r, "fail", "data", "function")
			r.Want("before\n", "data", "output", "stdout").Want("7", "data", "locals", "code", "v")
			s.shows(s.OK("inspect", A{"target": "exception"}), "message", "data", "exception", "message")
			s.died(s.goOn())
		},
	},
	{
		Name:     "caught exception",
		Among:    []string{"go", "python", "java", "javascript", "ruby", "cpp"},
		Sentence: "With exceptions all, a caught exception stops where it is thrown; by default it does not.",
		Run: func(s *subject) {
			s.start("catch", A{"exceptions": "all"}).Stopped("stopped_at_exception", s.at("throw")).Has("tour failed: 8")
			s.ended(s.goOn(), "0").Want("caught tour failed: 8\n", "data", "output", "stdout")
			s.ended(s.start("catch", nil), "0").Want("caught tour failed: 8\n", "data", "output", "stdout")
		},
	},
	{
		Name:     "no exceptions",
		Among:    besideRust,
		Sentence: "With exceptions none, a program that throws ends without a stop, and its output says why.",
		Run: func(s *subject) {
			r := s.start("throw", A{"exceptions": "none"})
			s.died(r)
			r.Contains([]string{"data", "output", "stdout"}, "before")
			if !s.shown("message").MatchString(r.At("data", "output", "stderr")) {
				s.t.Errorf("stderr does not say why:\n%s", r)
			}
		},
	},
}

// died wants the end of the program, and not a good one.
func (s *subject) died(r testkit.Reply) {
	s.t.Helper()
	s.status(r, "terminated")
	code, signal := r.At("data", "execution_state", "exit_code"), r.At("data", "execution_state", "signal")
	if code == "0" || code == "" && signal == "" {
		s.t.Errorf("neither an exit code nor a signal says that it died:\n%s", r)
	}
}
