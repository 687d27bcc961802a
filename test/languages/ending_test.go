//go:build linux

package languages

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"aidb-mcp/internal/testkit"
)

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
			Engine:   m.name == "while it is stopped", // as all sessions of other behaviours end
			Sentence: "session(stop) " + m.name + " leaves no process, and the next start works.",
			Run: func(s *subject) {
				m.begin(s)
				s.OK("session", A{"action": "stop"}).Want("", "data", "execution_state", "signal") // it was ours
				s.noProcesses()
				s.NoScratch(10 * time.Second)
				s.goesOn()
			},
		}, behaviour{
			Name:     "kill " + m.name,
			Engine:   true, // it is the supervisor's work, whatever the server debugs
			Sentence: "SIGKILL of the server " + m.name + " leaves no process and no file.",
			Run: func(s *subject) {
				m.begin(s)
				s.Kill()
				s.NothingLeft(15 * time.Second)
			},
		})
	}
	return append(all, behaviour{
		Name:     "killed at a stop",
		Among:    []string{"go", "python", "java", "cpp", "cpp-gdb"},
		Sentence: "If a stopped program is killed from outside, the next call says so, whatever it asks, and the program can be restarted.",
		Run: func(s *subject) {
			calls := []struct {
				tool string
				args A
			}{{"step", A{}}, {"inspect", A{}}, {"session", A{"action": "status"}}, {"inspect", A{"expression": "i"}}}
			if !s.tellsAll() {
				calls = calls[:1]
			}
			for _, next := range calls {
				s.stop("loop", "sum")
				s.killProgram("loop")
				r := s.Call(next.tool, next.args)
				if !strings.Contains(r.Text, "SIGKILL") {
					s.t.Errorf("%s does not say what killed the program:\n%s", next.tool, r)
				}
				s.status(s.OK("session", A{"action": "status"}), "terminated").Contains([]string{"data", "execution_state", "signal"}, "SIGKILL")
			}
			if s.tellsAll() {
				s.OK("session", A{"action": "restart", "timeout_ms": startLimit}).Stopped("stopped_at_breakpoint", s.at("sum"))
			}
		},
	}, behaviour{
		Name:     "client goes away",
		Engine:   true,
		Sentence: "When the client disconnects while the program runs, server and program end.",
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

// killProgram kills the process that runs a part of the tour, and waits until it
// runs no more.
func (s *subject) killProgram(part string) {
	s.t.Helper()
	pid := 0
	for _, p := range testkit.Descendants(s.PID()) { // the program is below its debugger
		if strings.HasSuffix(p.Command, " "+part) && !strings.Contains(p.Command, " supervise ") {
			pid = p.PID
		}
	}
	if pid == 0 {
		s.t.Fatalf("the program is not among %v", testkit.Descendants(s.PID()))
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		s.t.Fatal(err)
	}
	testkit.Eventually(s.t, 5*time.Second, "the program's death", func() bool {
		threads, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid)) // none when it is gone
		return !slices.ContainsFunc(threads, func(d os.DirEntry) bool {
			stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/stat", pid, d.Name()))
			return err == nil && !strings.Contains(string(stat), ") Z ")
		})
	})
}
