//go:build linux

package languages

// running programs.
var running = []behaviour{
	{
		Name:     "still running",
		Engine:   true,
		Sentence: "If the wait ends before the program does, the reply says that it still runs and what can be done.",
		Run: func(s *subject) {
			s.busy()
			r := s.status(s.OK("execute", A{"action": "wait", "timeout_ms": 300}), "running")
			r.Contains([]string{"next_steps"}, `"wait"`, `"pause"`)
			s.Fail("STATE_NOT_PAUSED", "inspect", nil)
			s.Fail("STATE_NOT_PAUSED", "step", nil)
		},
	},
	{
		Name:     "pause",
		Sentence: "A busy program can be paused in your code, inspected, changed and continued to its end.",
		Run: func(s *subject) {
			s.busy()
			r := s.status(s.OK("execute", A{"action": "pause"}), "paused").Contains([]string{"data", "location"}, s.File+":")
			s.shows(r, "spin", "data", "function")
			s.OK("inspect", nil).Want("-1", "data", "locals", "limit", "v")
			s.Fail("STATE_NOT_RUNNING", "execute", A{"action": "pause"})
			s.OK("step", nil) // optimised code takes no new values before
			s.OK("variable", A{"action": "set", "name": "limit", "value": s.say("limit")})
			s.ended(s.goOn(), "0").Has("spun")
		},
	},
	{
		Name:     "pause of an idle program",
		Among:    []string{"go", "java", "javascript"},
		Sentence: "A program that sleeps can be paused too, and goes on.",
		Run: func(s *subject) {
			s.start("sleep", A{"timeout_ms": 0})
			s.prints("tick 1")
			s.status(s.OK("execute", A{"action": "pause"}), "paused").Contains([]string{"data", "location"}, ":")
			s.status(s.OK("execute", A{"timeout_ms": 0}), "running")
		},
	},
	{
		Name:     "attach",
		Among:    []string{"go", "ruby", "plainruby", "cpp-lldb"},
		Sentence: "A session can attach to a running program and stop it at a breakpoint; when the session stops, the program goes on.",
		Run: func(s *subject) {
			ticks := s.outside("sleep")
			ticks.next(s)
			stop := s.OK("session_start", ticks.attach(A{"breakpoints": []A{s.line("tick", nil)}}))
			for more := 3; ticks.PausesWhenJoined && stop.Status() == "paused" && more > 0; more-- {
				stop = s.goOn()
			}
			stop.Stopped("stopped_at_breakpoint", s.at("tick"))
			n := s.value("n")
			s.goOn().Stopped("stopped_at_breakpoint", s.at("tick"))
			if m := s.value("n"); m == n || m == "" {
				s.t.Errorf("n is %s at the first stop and %s at the second", n, m)
			}
			s.OK("session", A{"action": "stop"}).Contains([]string{"summary"}, "the program was left running")
			s.noProcesses()
			ticks.drain()
			ticks.next(s)
		},
	},
}
