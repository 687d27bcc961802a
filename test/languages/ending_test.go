//go:build linux

package languages

import "time"

// moments are the states in which a session may be ended.
var moments = []struct {
	name  string
	begin func(s *subject)
}{
	{"while it starts", func(s *subject) { s.start("loop", A{"timeout_ms": 0, "breakpoints": []A{s.line("sum", nil)}}) }},
	{"while it runs", (*subject).busy},
	{"while it is stopped", func(s *subject) { s.stop("loop", "sum") }},
}

// ending: nothing of ours stays, whenever and however a session ends.
var ending = endings()

func endings() []behaviour {
	var all []behaviour
	for _, m := range moments {
		all = append(all, behaviour{
			Name:     "stop " + m.name,
			Sentence: "session(stop) " + m.name + " leaves no process, and the next start works.",
			Run: func(s *subject) {
				m.begin(s)
				s.OK("session", A{"action": "stop"})
				s.noProcesses()
				s.NoScratch(10 * time.Second)
				s.stopsAgain()
			},
		}, behaviour{
			Name:     "kill " + m.name,
			Sentence: "SIGKILL of the server " + m.name + " leaves no process and no file.",
			Run: func(s *subject) {
				m.begin(s)
				s.Kill()
				s.NothingLeft(15 * time.Second)
			},
		})
	}
	return append(all, behaviour{
		Name:     "client goes away",
		Sentence: "When the client goes away while the program runs, server and program end.",
		Run: func(s *subject) {
			s.busy()
			s.CloseInput()
			select {
			case <-s.Exited():
			case <-time.After(15 * time.Second):
				s.t.Fatal("the server still runs")
			}
			s.NothingLeft(10 * time.Second)
		},
	})
}
