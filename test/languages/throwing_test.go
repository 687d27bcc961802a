//go:build linux

package languages

// exceptions, panics and what else a program dies of.
var exceptions = []behaviour{
	{
		Name:     "uncaught exception",
		Sentence: "An exception that nobody catches stops by itself, with type, message and the user's line; then the program ends.",
		Run: func(s *subject) {
			r := s.start("throw", nil).Stopped("stopped_at_exception", s.at("throw"))
			s.shows(r, "exception", "data", "exception", "type")
			s.shows(r, "message", "data", "exception", "message")
			s.shows(r, "fail", "data", "function")
			r.Want("before\n", "data", "output", "stdout")
			end := s.goOn().Want("terminated", "data", "execution_state", "status")
			if code := end.At("data", "execution_state", "exit_code"); code == "0" {
				s.t.Errorf("it died with exit code 0:\n%s", end)
			}
		},
	},
}
