//go:build linux

package test

import (
	"fmt"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

func TestStepping(t *testing.T) {
	t.Parallel()
	s, p := testkit.OpenAt(t, "calls", "start")
	r := s.OK("step", nil)
	r.Want("stopped_after_step", "data", "execution_state", "status").Want("main.main", "data", "function")
	r.Want(`"start"`, "data", "locals", "name", "v")
	if r.At("data", "locals", "p") != "" {
		t.Errorf("a step repeats locals that did not change:\n%s", r)
	}
	s.OK("run_until", A{"location": p.At("main.go", "body")}).Stopped("stopped_at_breakpoint", p.At("main.go", "body"))
	s.OK("step", A{"action": "into"}).Want("main.double", "data", "function").Want("0", "data", "locals", "n", "v")
	out := s.OK("step", A{"action": "out"}).Want("main.main", "data", "function")
	if got := out.At("data", "return_value"); !strings.Contains(got, `"v":"0"`) {
		t.Errorf("return_value is %q, want 0, in\n%s", got, out)
	}
	s.OK("run_until", A{"location": p.At("main.go", "nested")})
	into := s.OK("step", A{"action": "into", "into_function": "combine"})
	into.Want("main.combine", "data", "function")
	s.OK("step", A{"action": "finish"})
	s.Fail("CAPABILITY_NOT_SUPPORTED", "step", A{"action": "back"})
	s.OK("run_until", A{"location": p.At("main.go", "end")})
	end := s.OK("step", A{"count": 100})
	if end.Status() != "terminated" {
		end = s.OK("execute", nil)
	}
	end.Want("terminated", "data", "execution_state", "status").Want("0", "data", "execution_state", "exit_code")
	s.Fail("SESSION_TERMINATED", "step", nil).Has("restart")
}

func TestStepCount(t *testing.T) {
	t.Parallel()
	s, p := testkit.OpenAt(t, "calls", "start")
	s.OK("step", A{"count": "3"}).Stopped("stopped_after_step", p.At("main.go", "body"))

	// Another stop ends the count early and says so.
	s.OK("breakpoint", A{"location": p.At("main.go", "double")})
	r := s.OK("step", A{"count": 50})
	r.Stopped("stopped_at_breakpoint", p.At("main.go", "double"))
	r.Has("breakpoint")
	s.OK("step", A{"granularity": "instruction"}).Want("main.double", "data", "function")
}

// The runtime preempts a busy goroutine all the time; the step that follows a
// pause is one of the program all the same.
func TestStepsOfAPreemptedGoroutine(t *testing.T) {
	t.Parallel()
	s, _ := testkit.Open(t, "endless")
	s.Spin(t)
	for range testkit.Rounds(25, 100) {
		s.OK("execute", A{"action": "pause"}).Want("main.spin", "data", "function")
		s.OK("step", nil).Want("main.spin", "data", "function")
		s.OK("execute", A{"timeout_ms": 0})
	}
}

// A step over a call in which a breakpoint hits: the interrupted step is not an error of the next one.
func TestStepInterrupted(t *testing.T) {
	t.Parallel()
	s, p := testkit.OpenAt(t, "calls", "nested")
	s.OK("breakpoint", A{"location": p.At("main.go", "combine")})
	s.OK("step", nil).Stopped("stopped_at_breakpoint", p.At("main.go", "combine"))
	s.OK("step", nil).Stopped("stopped_after_step", p.At("main.go", "combine-return"))
	s.OK("step", A{"action": "out"}).Want("main.main", "data", "function")
	s.OK("step", nil).Stopped("stopped_after_step", p.At("main.go", "after"))
}

func TestRunUntil(t *testing.T) {
	t.Parallel()
	s, p := testkit.OpenAt(t, "calls", "start")
	s.OK("breakpoint", A{"location": p.At("main.go", "print")})
	r := s.OK("run_until", A{"location": "double", "condition": "n == 2"}).Want("main.double", "data", "function")
	r.Want("2", "data", "locals", "n", "v")
	r = s.OK("run_until", A{"location": "explode", "alternative_locations": []string{p.At("main.go", "after"), "main.go:" + p.At("", "end")[1:]}})
	r.Stopped("stopped_at_breakpoint", p.At("main.go", "after"))
	var list []A
	s.OK("breakpoint", A{"action": "list"}).Decode(&list, "data", "breakpoints")
	if len(list) != 2 {
		t.Errorf("run_until left breakpoints behind or took some away: %v", list)
	}
	// Stopped by another breakpoint first: it says so, and leaves nothing behind.
	s.OK("run_until", A{"location": p.At("main.go", "end")}).Stopped("stopped_at_breakpoint", p.At("main.go", "print"))
	s.OK("execute", nil).Want("terminated", "data", "execution_state", "status")
}

func TestExecuteUntilAndJump(t *testing.T) {
	t.Parallel()
	s, p := testkit.OpenAt(t, "calls", "start")
	s.OK("execute", A{"until": p.At("main.go", "nested")}).Stopped("stopped_at_breakpoint", p.At("main.go", "nested"))
	for _, line := range []int{p.Line("combine"), p.Line("combine") - 2} { // in another function, without code
		r := s.Fail("VALIDATION_INVALID_LOCATION", "execute", A{"action": "jump", "jump_target": fmt.Sprint("main.go:", line)})
		r.Has(fmt.Sprint("line ", line))
	}
	r := s.OK("execute", A{"action": "jump", "jump_target": p.At("main.go", "print")})
	r.Want(p.At("main.go", "print"), "data", "location")
	s.OK("execute", nil).Want("terminated", "data", "execution_state", "status").Has("start 6 ", "{1 2}")
}

// Stepping while other goroutines run through a breakpoint.
func TestStepAmongGoroutines(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "")
	p.Write("go.mod", "module many\n\ngo 1.26\n")
	p.Write("main.go", `package main

import "time"

func work(id int) {
	for n := 0; ; n++ {
		_ = n * id //@mark work
	}
}

func main() {
	for id := range 3 {
		go work(id)
	}
	time.Sleep(100 * time.Millisecond)
	a := 1 //@mark a
	a++
	a++
	a++
	println(a) //@mark last
}
`)
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	s.OK("session_start", A{"target": ".", "breakpoints": p.BreakAt("a")}).Stopped("stopped_at_breakpoint", p.At("main.go", "a"))
	thread := s.OK("session", nil).At("data", "execution_state", "thread_id")
	s.OK("step", A{"count": 4}).Stopped("stopped_after_step", p.At("main.go", "last")).
		Want(thread, "data", "execution_state", "thread_id")
}
