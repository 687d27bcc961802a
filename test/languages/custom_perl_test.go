//go:build linux

package languages

import (
	"testing"

	"aidb-mcp/internal/testkit"
)

// Perl's adapter is rougher than most: it numbers neither its messages nor its
// breakpoints, calls the end of a step a breakpoint, changes the ids of threads
// at every stop and reports failed evaluations as successes. Names carry signs
// in Perl, so that the table of behaviours does not fit; this is its journey.
func TestPerl(t *testing.T) {
	t.Parallel()
	testkit.Long(t, "Ruby's row of the suite is debugged from a table, too")
	p := testkit.NewProgramOf(t, "perl", "tour")
	start := func(t *testing.T) *subject {
		perl := &language{
			Name: "perl", File: "tour.pl", Env: []string{customTables},
			Start: func(*testkit.Program) A { return A{"target": "tour.pl"} },
		}
		return perl.subject(t, p)
	}
	for name, journey := range perlJourneys {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			journey(start(t))
		})
	}
}

var perlJourneys = map[string]func(s *subject){
	"steps are steps": func(s *subject) {
		s.stop("calls", "calls-start").Want("[1]", "data", "execution_state", "hit_breakpoints")
		s.OK("step", A{"count": 2}).Stopped("stopped_after_step", s.at("nested"))
		s.OK("step", A{"action": "into"}).Want("twice", "data", "function")
		s.OK("step", A{"action": "out"}).Want("stopped_after_step", "data", "execution_state", "status")
		s.OK("breakpoint", A{"location": s.at("combine-return")})
		s.OK("step", A{"count": 20}).Stopped("stopped_at_breakpoint", s.at("combine-return"))
		s.ended(s.goOn(), "").Want("calls 36 12\n", "data", "output", "stdout")
	},
	"conditions, counts and logs": func(s *subject) {
		r := s.start("loop", A{"breakpoints": []A{s.line("sum", A{"condition": "$i == 7"})}}).Stopped("stopped_at_breakpoint", s.at("sum"))
		r.Want("7", "data", "locals", "$i", "v")
		s.ended(s.goOn(), "")
		s.start("loop", A{"breakpoints": []A{s.line("sum", A{"hit_condition": "5"})}}).Want("4", "data", "locals", "$i", "v")
		s.ended(s.goOn(), "")
		r = s.start("loop", A{"breakpoints": []A{s.line("sum", A{"log_message": "at {$i} total {$total}"})}})
		s.ended(r, "").Contains([]string{"data", "output", "log"}, "at 0 total 0", "at 9 total 36")
		s.start("calls", A{"breakpoints": []A{{"function": "combine"}}}).Want("combine", "data", "function")
	},
	"values": func(s *subject) {
		s.stop("values", "values-end").Want("42", "data", "locals", "$whole", "v").Want("1.5", "data", "locals", "$ratio", "v")
		s.OK("inspect", A{"expression": "$list[1]"}).Want("20", "data", "result", "v")
		s.OK("inspect", A{"expression": "$ada->{address}{tags}[1]"}).Contains([]string{"data", "result", "v"}, "y")
		s.OK("inspect", A{"expression": "\\%ages", "depth": 1}).Want("2", "data", "result", "children", "two", "v")
		s.Fail("EVALUATION_FAILED", "inspect", A{"expression": "$whole +"})
		s.Fail("CAPABILITY_NOT_SUPPORTED", "inspect", A{"target": "modules"})
		s.ended(s.goOn(), "")
	},
	"set a variable": func(s *subject) {
		s.stop("calls", "after")
		s.OK("variable", A{"action": "set", "name": "$count", "value": "100"}).Want("100", "data", "result", "v")
		s.ended(s.goOn(), "").Want("calls 130 12\n", "data", "output", "stdout")
	},
	"entry, pause and restart": func(s *subject) {
		s.start("loop", A{"stop_on_entry": true}).Want("stopped_at_entry", "data", "execution_state", "status")
		s.ended(s.goOn(), "").Want("total 40\n", "data", "output", "stdout")
		s.start("spin", A{"timeout_ms": 0})
		s.prints("spinning")
		s.OK("execute", A{"action": "pause"}).Want("paused", "data", "execution_state", "status").Want("spin", "data", "function")
		s.OK("breakpoint", A{"location": s.at("spin")})
		s.OK("session", A{"action": "restart"})
		s.OK("execute", A{"action": "wait"}).Stopped("stopped_at_breakpoint", s.at("spin"))
		s.OK("session", A{"action": "stop"})
	},
	"no standard input": func(s *subject) {
		s.ended(s.start("echo", nil), "").Want("end after 0 lines\n", "data", "output", "stdout")
	},
	"exceptions and streams": func(s *subject) {
		r := s.start("throw", nil).Want("terminated", "data", "execution_state", "status")
		r.Want("before\n", "data", "output", "stdout").Contains([]string{"data", "output", "stderr"}, "tour failed: 7")
		s.start("exit3", nil).Want("last words\n", "data", "output", "stdout").Want("last complaint\n", "data", "output", "stderr")
	},
}
