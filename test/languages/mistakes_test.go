//go:build linux

package languages

import "path/filepath"

// mistakes that are the same in every language; those of one language stand in
// its own file.
var mistakes = []behaviour{
	{
		Name:     "missing file",
		Sentence: "A target that does not exist is refused at once, with its name.",
		Run: func(s *subject) {
			s.Fail("VALIDATION_INVALID_TARGET", "session_start", s.args("loop", A{"target": "nosuch" + filepath.Ext(s.File)})).Has("nosuch")
			s.nothingStarted()
			s.goesOn()
		},
	},
	{
		Name:     "breakpoint in a missing file",
		Engine:   true,
		Sentence: "A breakpoint in a file that does not exist is refused before anything starts.",
		Run: func(s *subject) {
			s.Fail("VALIDATION_INVALID_LOCATION", "session_start", s.args("loop", A{
				"breakpoints": []A{{"file": "nosuch" + filepath.Ext(s.File), "line": 3}},
			})).Has("nosuch")
			s.nothingStarted()
		},
	},
	{
		Name:     "wrong working directory",
		Engine:   true,
		Sentence: "A working directory that does not exist is refused, with its name.",
		Run: func(s *subject) {
			s.Fail("VALIDATION_INVALID_PARAM", "session_start", s.args("loop", A{"cwd": "nowhere"})).Has("nowhere").Want("cwd", "error", "field")
			s.nothingStarted()
		},
	},
	{
		Name:     "unknown adapter option",
		Sentence: "An option that the adapter does not know is refused, with a list of the known ones.",
		Run: func(s *subject) {
			r := s.Fail("VALIDATION_INVALID_PARAM", "session_start", s.args("loop", A{"adapter_options": A{"nosuchOption": 1}}))
			r.Has("nosuchOption").Want("adapter_options", "error", "field")
			s.nothingStarted()
		},
	},
}

// nothingStarted proves that a refused start left nothing.
func (s *subject) nothingStarted() {
	s.t.Helper()
	s.noProcesses()
	s.Fail("SESSION_NOT_STARTED", "step", nil)
}
