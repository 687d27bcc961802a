//go:build linux

package languages

// streaming: the program's standard streams.
var streaming = []behaviour{
	{
		Name:     "output and exit code",
		Among:    []string{"go", "java"},
		Sentence: "stdout and stderr are kept apart, and everything printed before the end comes with the exit code.",
		Run: func(s *subject) {
			r := s.ended(s.start("exit3", nil), "3")
			r.Want("last words\n", "data", "output", "stdout").Want("last complaint\n", "data", "output", "stderr")
			s.Fail("SESSION_TERMINATED", "execute", nil)
			s.OK("inspect", A{"target": "output"}).Has("last words", "last complaint")
		},
	},
	{
		Name:     "output of each stop",
		Engine:   true,
		Sentence: "Each stop shows what was printed since the last one, in order, also a last line without a line end.",
		Run: func(s *subject) {
			s.stop("streams", "stream").Want("out 1\n", "data", "output", "stdout").Want("", "data", "output", "stderr")
			s.goOn().Want("out 2\n", "data", "output", "stdout").Want("err 1\n", "data", "output", "stderr")
			s.goOn().Want("out 3\n", "data", "output", "stdout").Want("err 2\n", "data", "output", "stderr")
			s.ended(s.goOn(), "0").Want("no newline at the end", "data", "output", "stdout").Want("err 3\n", "data", "output", "stderr")
		},
	},
	{
		Name:       "standard input",
		Sentence:   "With stdin_open the program reads the text given at the start, then more while it runs, then the end of file.",
		Capability: "stdin",
		Run: func(s *subject) {
			s.start("echo", A{"stdin": "first\nsecönd\n", "stdin_open": true, "timeout_ms": 0})
			s.prints("2: secönd")
			s.OK("session", A{"action": "input", "text": "third\n"})
			s.prints("3: third")
			s.OK("session", A{"action": "input", "text": "fourth", "eof": true})
			s.ended(s.OK("execute", A{"action": "wait"}), "0").Has("4: fourth", "end after 4 lines")
		},
	},
	{
		Name:     "no standard input",
		Engine:   true,
		Sentence: "Otherwise the program reads the end of file after the text given at the start, or at once.",
		Run: func(s *subject) {
			s.ended(s.start("echo", A{"stdin": "only\n"}), "0").Want("1: only\nend after 1 lines\n", "data", "output", "stdout")
			s.ended(s.start("echo", nil), "0").Want("end after 0 lines\n", "data", "output", "stdout")
		},
	},
}
