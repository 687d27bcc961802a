//go:build linux

package languages

// streaming: the program's standard streams.
var streaming = []behaviour{
	{
		Name:     "output and exit code",
		Sentence: "stdout and stderr are told apart, and all that was printed before the end comes with the exit code.",
		Run: func(s *subject) {
			r := s.ended(s.start("exit3", nil), "3")
			r.Want("last words\n", "data", "output", "stdout").Want("last complaint\n", "data", "output", "stderr")
		},
	},
}
