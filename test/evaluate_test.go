//go:build linux

package test

import (
	"testing"

	"aidb-mcp/internal/testkit"
)

func TestEvaluate(t *testing.T) {
	t.Parallel()
	s, _ := testkit.OpenAt(t, "calls", "nested")
	for expression, want := range map[string]string{
		"count * 2":                      "12",
		"count > 3 && name == \"start\"": "true",
		"p.X + p.Y":                      "3",
		"double(21)":                     "42",
		"p.Sum()":                        "3",
		"combine(2, 3)":                  "5",
		"len(name)":                      "5",
		"name + \"ed\"":                  `"started"`,
		"name[1:3]":                      `"ta"`,
		"float64(count)/4":               "1.5",
		"&p == nil":                      "false",
	} {
		s.OK("inspect", A{"expression": expression}).Want(want, "data", "result", "v")
	}
	// A call that changes things does.
	s.OK("inspect", A{"expression": "tally(4)"}).Want("4", "data", "result", "v")
	s.OK("inspect", A{"expression": "tallied"}).Want("4", "data", "result", "v")
	// Delve refuses to give away a pointer into the stack: said in words.
	s.Fail("EVALUATION_FAILED", "inspect", A{"expression": "p.Move(4)"}).Has("keep a pointer to p")
	s.OK("inspect", A{"expression": "count", "frame": 0}).Want("6", "data", "result", "v")
}

func TestEvaluateMistakes(t *testing.T) {
	t.Parallel()
	s, p := testkit.OpenAt(t, "calls", "nested")
	for expression, reason := range map[string]string{
		"count +":        "expected operand",
		"nosuch":         "nosuch",
		"count + name":   "",
		"p.Z":            "Z",
		"count.X":        "",
		"nosuch(1)":      "nosuch",
		"double(1, 2)":   "",
		`double("text")`: "",
		"undefined.Name": "undefined",
	} {
		s.Fail("EVALUATION_FAILED", "inspect", A{"expression": expression}).Contains([]string{"error", "message"}, reason)
	}
	s.Fail("INVALID_FRAME", "inspect", A{"expression": "count", "frame": 77}).Has("77")
	s.Fail("VALIDATION_MISSING_PARAM", "inspect", A{"target": "expression"}).Has("expression")

	// Nothing of it moved the program.
	s.OK("inspect", A{"expression": "count"}).Want("6", "data", "result", "v")
	s.OK("step", nil).Stopped("stopped_after_step", p.At("main.go", "after"))
}

// A call that panics says so, and the program stays where it was.
func TestCallThatPanics(t *testing.T) {
	t.Parallel()
	s, p := testkit.OpenAt(t, "calls", "nested")
	s.Fail("EVALUATION_FAILED", "inspect", A{"expression": `explode("in a call")`}).Has("exploded: in a call")
	s.OK("session", nil).Want(p.At("main.go", "nested"), "data", "location")
	s.OK("step", nil).Stopped("stopped_after_step", p.At("main.go", "after"))
	s.OK("execute", nil).Want("terminated", "data", "execution_state", "status").Want("0", "data", "execution_state", "exit_code")
}

// A call that hits a breakpoint: a true answer, and the next calls work.
func TestCallThatHitsABreakpoint(t *testing.T) {
	t.Parallel()
	s, p := testkit.OpenAt(t, "calls", "nested")
	s.OK("breakpoint", A{"location": p.At("main.go", "move")})
	s.OK("breakpoint", A{"location": p.At("main.go", "double")})
	r := s.Call("inspect", A{"expression": "double(8)"})
	r.Has("breakpoint")
	state := s.OK("session", nil)
	switch state.At("data", "location") {
	case p.At("main.go", "double"): // it stands in the called function
		s.OK("inspect", A{"expression": "n"}).Want("8", "data", "result", "v")
		s.OK("execute", A{"timeout_ms": 20000})
	case p.At("main.go", "nested"): // it was brought back
	default:
		t.Fatalf("neither in the call nor where it was:\n%s", state)
	}
	s.OK("breakpoint", A{"action": "clear_all"})
	if r := s.OK("session", nil); r.Status() != "terminated" {
		s.OK("execute", nil).Want("terminated", "data", "execution_state", "status")
	}
}

// A call that never returns ends within the limit, and the program can go on or be stopped.
func TestCallThatNeverReturns(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "calls")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir, Args: []string{"--request-timeout", "4s"}})
	s.OK("session_start", A{"target": ".", "breakpoints": p.BreakAt("nested")}).Stopped("stopped_at_breakpoint", p.At("main.go", "nested"))
	r := s.Call("inspect", A{"expression": "forever()"})
	if !r.IsError {
		t.Fatalf("an endless call succeeded:\n%s", r)
	}
	s.OK("session", nil)
	s.OK("session", A{"action": "stop"})
	s.OK("session_start", A{"target": ".", "breakpoints": []A{{"function": "main.main"}}}).Want("main.main", "data", "function")
}

// Looking needs a program that stands still.
func TestStatesThatDoNotFit(t *testing.T) {
	t.Parallel()
	s, _ := testkit.Open(t, "endless")
	for _, tool := range []string{"execute", "step", "inspect", "variable", "breakpoint"} {
		args := A{}
		if tool == "breakpoint" {
			args["location"] = "main.go:12"
		}
		s.Fail("SESSION_NOT_STARTED", tool, args).Has("session_start")
	}
	s.Spin(t)
	s.Fail("STATE_NOT_PAUSED", "inspect", nil).Has("pause")
	s.Fail("STATE_NOT_PAUSED", "step", nil).Has("pause")
	s.Fail("STATE_NOT_PAUSED", "variable", A{"expression": "n"})
	s.Fail("STATE_NOT_PAUSED", "execute", A{"action": "continue"})
	s.OK("execute", A{"action": "pause"}).Want("paused", "data", "execution_state", "status").Want("main.spin", "data", "function")
	s.Fail("STATE_NOT_RUNNING", "execute", A{"action": "pause"})
	s.Fail("SESSION_NOT_FOUND", "step", A{"session_id": "go-9"}).Has("go-1")
	s.OK("session", A{"action": "stop"})
}

// A language whose running code cannot be replaced says so, and nothing is lost.
func TestPatchIsImpossibleInGo(t *testing.T) {
	t.Parallel()
	s, p := testkit.Open(t, "calls")
	s.OK("session_start", A{"target": ".", "breakpoints": []A{{"file": "main.go", "line": p.Line("body")}}})
	r := s.Fail("CAPABILITY_NOT_SUPPORTED", "variable", A{"action": "patch", "name": "double", "code": "func double(n int) int { return n }"})
	r.Has("session(action: restart)")
	s.Fail("VALIDATION_MISSING_PARAM", "variable", A{"action": "patch", "name": "add"})
	s.OK("step", nil)
}
