package joining

import (
	"testing"

	godap "github.com/google/go-dap"
)

// While a person holds the session the agent looks, and runs no code in the program by any
// way; the person does. What runs the program by itself has a program of its own.
func TestHeldProgramRunsNoCodeOfTheAgent(t *testing.T) {
	t.Parallel()
	for _, l := range tongues {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			s, _ := l.start(t)
			e := join(t, shown(t, s), "ada")
			var stop godap.StoppedEventBody
			e.event("stopped", &stop)
			frame, _ := e.top(stop.ThreadId)
			e.says(":take")
			text := "add(1, 2)"
			if l.name == "javascript" { // whose modules V8 does not let a function see
				text = "((a, b) => 2 * (a + b) + 1)(1, 2)"
			}
			call := A{"expression": text}
			for tool, args := range map[string]A{
				"inspect": call, "variable": {"action": "get", "expression": text}, "why": call,
				"trace": {"action": "disarm", "id": "trace-1"},
			} {
				s.Fail("HELD_BY_PERSON", tool, args).Has("ada has held this session")
			}
			s.Fail("HELD_BY_PERSON", "inspect", call).Has("may run code of the program", "can be evaluated")
			if l.name == "cpp" {
				s.Fail("HELD_BY_PERSON", "inspect", A{"target": "memory", "address": text})
			}
			s.OK("inspect", A{"expression": "total + 2"}).Has("23")
			s.OK("variable", A{"action": "get", "expression": "total"}).Has("21")
			s.OK("inspect", A{"target": "locals"}).Has("total")
			if l.name != "go" { // Delve's call would hit the breakpoint
				var value godap.EvaluateResponseBody
				e.ok("evaluate", A{"expression": text, "frameId": frame.Id, "context": "repl"}, &value)
				if value.Result != "7" {
					t.Errorf("the person's %s is %q", text, value.Result)
				}
			}
			if l.name == "python" {
				s.OK("trace", A{"what": "values", "location": "sum.py:3", "expressions": []string{"add(total, 0)"}}).Has("43")
			}
			e.says(":give")
			if l.name != "go" {
				s.OK("inspect", call).Has("7")
			}
		})
	}
}
