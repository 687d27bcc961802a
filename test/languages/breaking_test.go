//go:build linux

package languages

import (
	"fmt"
	"strings"
)

// besideRust are the rows that the short run asks what CodeLLDB does for Rust as for C++: what
// is Rust's own of it, TestRustFunctions, TestRustConditions and TestRustOutcomes have.
var besideRust = []string{"go", "python", "javascript", "java", "ruby", "plainruby", "cpp", "cpp-gdb", "cpp-lldb"}

// breakpoints of every kind.
var breakpoints = []behaviour{
	{
		Name:     "line breakpoint",
		Among:    []string{"go"}, // every other behaviour begins with one
		Sentence: "A breakpoint on a line is bound, stops each time and counts its hits.",
		Run: func(s *subject) {
			s.stop("loop", "sum")
			s.goOn().Stopped("stopped_at_breakpoint", s.at("sum"))
			if i := s.value("i"); i != "1" {
				s.t.Errorf("the second hit is at i = %s", i)
			}
			r := s.OK("breakpoint", A{"action": "list"}).Want("true", "data", "breakpoints", "0", "verified")
			r.Want("2", "data", "breakpoints", "0", "hits")
			s.OK("breakpoint", A{"location": s.at("loop-end")}).Want("true", "data", "breakpoint", "verified")
			s.OK("breakpoint", A{"action": "remove", "location": s.at("sum")})
			s.goOn().Stopped("stopped_at_breakpoint", s.at("loop-end"))
		},
	},
	{
		Name:       "condition",
		Among:      besideRust,
		Sentence:   "A condition in the program's language decides whether a breakpoint stops.",
		Capability: "conditions",
		Run: func(s *subject) {
			s.hitsAt(A{"condition": s.say("condition")}, "7")
		},
	},
	{
		Name:       "hit condition",
		Among:      []string{"go", "ruby"},
		Sentence:   "A hit condition stops at the fifth hit, from a hit on, or at every fourth hit. With a condition, only passes at which it holds are counted.",
		Capability: "hit_conditions",
		Run: func(s *subject) {
			s.hitsAt(A{"condition": s.say("even"), "hit_condition": "3"}, "4")
			s.hitsAt(A{"hit_condition": ">=9"}, "8", "9")
			if s.tellsAll() {
				s.hitsAt(A{"hit_condition": "5"}, "4")
				s.hitsAt(A{"hit_condition": "%4"}, "3", "7")
			}
		},
	},
	{
		Name:       "logpoint",
		Among:      besideRust,
		Sentence:   "A logpoint prints its message with values, apart from the program's output, and does not stop.",
		Capability: "logpoints",
		Run: func(s *subject) {
			r := s.ended(s.start("loop", A{"breakpoints": []A{s.line("sum", A{"log_message": s.say("log")})}}), "0")
			r.Contains([]string{"data", "output", "log"}, "at 0 total 0", "at 1 total 3", "at 9 total 36")
			r.Want("total 40\n", "data", "output", "stdout")
		},
	},
	{
		Name:     "several on one line",
		Engine:   true,
		Sentence: "Several breakpoints on a line work independently: one stops on its condition, one prints at each pass. run_until to that line counts for neither, and each can be changed into a logpoint.",
		Run: func(s *subject) {
			r := s.start("loop", A{"breakpoints": []A{
				s.line("sum", A{"condition": s.say("condition")}),
				s.line("sum", A{"log_message": s.say("log")}),
				s.line("loop-start", nil),
			}})
			r.Stopped("stopped_at_breakpoint", s.at("loop-start"))
			r = s.OK("run_until", A{"location": s.at("sum")}).Stopped("stopped_at_breakpoint", s.at("sum"))
			if hit := r.At("data", "execution_state", "hit_breakpoints"); hit != "" {
				s.t.Errorf("run_until stopped at i = %s as a hit of %s", s.value("i"), hit)
			}
			s.goOn().Stopped("stopped_at_breakpoint", s.at("sum")).Want("[1]", "data", "execution_state", "hit_breakpoints")
			if i := s.value("i"); i != "7" {
				s.t.Errorf("the condition stopped at i = %s", i)
			}
			s.OK("breakpoint", A{"id": 1, "log_message": "seven"}).Want("1", "data", "breakpoint", "id")
			s.OK("breakpoint", A{"action": "list"}).Want("1", "data", "breakpoints", "0", "hits").Want("8", "data", "breakpoints", "1", "hits")
			s.ended(s.goOn(), "0")
		},
	},
	{
		Name:     "expressions to show",
		Engine:   true,
		Sentence: "show lists expressions that every stop shows, or, on a breakpoint, its own stops. Expressions and conditions can use the caller's frame.",
		Run: func(s *subject) {
			count := s.say("count")
			r := s.start("calls", A{
				"show": []any{A{"expression": count, "frame": 1}},
				"breakpoints": []A{
					s.line("twice", A{"condition": "@1 " + s.say("counted"), "show": []string{s.say("n")}}),
					s.line("call", nil),
				},
			})
			if missing := r.Stopped("stopped_at_breakpoint", s.at("call")).At("data", "warnings", "0"); !strings.Contains(missing, count) {
				s.t.Errorf("nothing is said of %s, which the caller does not have: %q", count, missing)
			}
			r = s.goOn().Stopped("stopped_at_breakpoint", s.at("twice"))
			s.shows(r, "count", "data", "show", "@1 "+count, "v")
			s.shows(r, "n", "data", "show", s.say("n"), "v")
		},
	},
	{
		Name:     "condition that cannot be evaluated",
		Among:    besideRust,
		Sentence: "If a condition cannot be evaluated, the reply gives the adapter's reason; it is not reported as an exception of the program.",
		Run: func(s *subject) {
			r := s.start("loop", A{"breakpoints": []A{s.line("sum", A{"condition": s.say("bad-condition")})}})
			if r.Status() == "stopped_at_exception" || !s.shown("bad-condition").MatchString(r.Text) {
				s.t.Errorf("got\n%s", r)
			}
		},
	},
	{
		Name:       "function breakpoint",
		Among:      besideRust,
		Sentence:   "A breakpoint on a function's name stops in the function.",
		Capability: "function_breakpoints",
		Run: func(s *subject) {
			r := s.start("calls", A{"breakpoints": []A{{"function": s.say("function")}}})
			s.shows(s.status(r, "stopped_at_breakpoint"), "function", "data", "function")
			r.Want("[1]", "data", "execution_state", "hit_breakpoints")
			s.OK("breakpoint", A{"location": s.say("twice")}).Want("true", "data", "breakpoint", "verified")
			s.ended(s.goOn(), "0")
		},
	},
	{
		Name: "function that does not exist",
		At:   stopAt{"calls", "call"}, Looks: true,
		Sentence: "A breakpoint on an unknown function is reported as not bound, with its name.",
		Run: func(s *subject) {
			s.stop("calls", "call")
			r := s.Call("breakpoint", A{"location": "twise"}).Has("twise")
			if r.At("data", "breakpoint", "verified") == "true" {
				s.t.Errorf("it is bound:\n%s", r)
			}
			s.OK("breakpoint", A{"action": "clear_all"})
		},
	},
	{
		Name:     "statement breakpoint",
		Engine:   true,
		Sentence: "A line can be named by its text instead of its number.",
		Run: func(s *subject) {
			text := s.text("sum")
			r := s.start("loop", A{"breakpoints": []A{{"file": s.File, "statement": text}}})
			r.Stopped("stopped_at_breakpoint", s.at("sum"))
			s.Fail("VALIDATION_INVALID_LOCATION", "breakpoint", A{"location": s.File, "statement": "no such text"})
		},
	},
	{
		Name:     "enable and disable",
		Engine:   true,
		At:       stopAt{"calls", "calls-start"},
		Sentence: "A disabled breakpoint stays in the list and does not stop; enabled again, it stops.",
		Run: func(s *subject) {
			s.stop("calls", "calls-start")
			id := s.OK("breakpoint", A{"location": s.at("call")}).Int("data", "breakpoint", "id")
			s.OK("breakpoint", A{"location": s.at("nested")})
			s.OK("breakpoint", A{"location": s.at("calls-end")})
			s.OK("breakpoint", A{"action": "disable", "id": id})
			s.goOn().Stopped("stopped_at_breakpoint", s.at("nested"))
			s.OK("breakpoint", A{"action": "enable", "id": id})
			s.OK("breakpoint", A{"action": "disable", "location": s.at("calls-end")})
			s.OK("breakpoint", A{"action": "list"}).Has(s.at("call"), s.at("calls-end"))
			s.ended(s.goOn(), "0")
		},
	},
	{
		Name:     "line without code",
		Sentence: "A breakpoint on a line without code is reported as not bound, with lines that could hold it, or with the line to which it moved.",
		Run: func(s *subject) {
			s.stop("loop", "loop-start")
			end := len(s.lines())
			for _, line := range []int{s.emptyLine(), end + 500} {
				r := s.Call("breakpoint", A{"location": fmt.Sprintf("%s:%d", s.File, line)})
				moved := r.At("data", "breakpoint", "moved_from") == fmt.Sprint(line)
				if r.At("data", "breakpoint", "verified") == "true" && !moved {
					s.t.Errorf("line %d holds no code and yet a breakpoint:\n%s", line, r)
				}
				if !moved && r.At("data", "breakpoint", "message") == "" && r.At("error", "message") == "" {
					s.t.Errorf("no reason why line %d holds none:\n%s", line, r)
				}
				if line < end && !moved && r.At("data", "breakpoint", "nearest_lines") == "" {
					s.t.Errorf("no word which lines near %d could hold it:\n%s", line, r)
				}
			}
			s.ended(s.goOn(), "0")
		},
	},
	{
		Name:       "watchpoint",
		At:         stopAt{"watch", "watch-start"},
		Sentence:   "A watched variable stops the program where the variable is written.",
		Capability: "watchpoints",
		Run: func(s *subject) {
			s.stop("watch", "watch-start")
			id := s.OK("breakpoint", watched(s)).Want("true", "data", "breakpoint", "verified").At("data", "breakpoint", "id")
			r := s.status(s.goOn(), "stopped_at_breakpoint").Want("["+id+"]", "data", "execution_state", "hit_breakpoints")
			if at := r.At("data", "location"); at != s.at("write") && at != s.at("written") {
				s.t.Errorf("it stands at %s", at)
			}
			s.OK("breakpoint", A{"action": "unwatch", "name": s.say("watch")})
			s.ended(s.goOn(), "0")

			s.stop("watch", "watch-start")
			never := watched(s)
			never["condition"] = s.say("watch") + " == 12345"
			s.OK("breakpoint", never).Want("true", "data", "breakpoint", "verified")
			s.ended(s.goOn(), "0")
		},
		Without: refusal("watch", "watch-start", "breakpoint", watched),
	},
	{
		Name:     "breakpoint while it runs",
		Among:    []string{"go", "python", "java", "cpp"},
		Sentence: "A breakpoint that is set while the program runs stops it and counts the hit.",
		Run: func(s *subject) {
			s.busy()
			s.OK("breakpoint", A{"location": s.at("spin")}).Want("true", "data", "breakpoint", "verified")
			s.OK("execute", A{"action": "wait"}).Stopped("stopped_at_breakpoint", s.at("spin")).Want("[1]", "data", "execution_state", "hit_breakpoints")
			s.OK("breakpoint", A{"action": "list"}).Want("1", "data", "breakpoints", "0", "hits")
		},
	},
	{
		Name:     "breakpoints never hit",
		Engine:   true,
		Sentence: "When the program ends, the reply names the breakpoints that were never hit.",
		Run: func(s *subject) {
			r := s.ended(s.start("loop", A{"breakpoints": []A{s.line("bottom", nil)}}), "0")
			r.Contains([]string{"data", "never_hit"}, s.at("bottom"))
		},
	},
}

func watched(s *subject) A { return A{"action": "watch", "name": s.say("watch")} }

// hitsAt starts the loop with a breakpoint at sum that stops when i has these
// values, and lets it run to its end.
func (s *subject) hitsAt(with A, values ...string) {
	s.t.Helper()
	r := s.start("loop", A{"breakpoints": []A{s.line("sum", with)}})
	for _, want := range values {
		r.Stopped("stopped_at_breakpoint", s.at("sum"))
		if i := s.value("i"); i != want {
			s.t.Fatalf("%v stopped at i = %s, want %s", with, i, want)
		}
		r = s.goOn()
	}
	s.ended(r, "0")
}
