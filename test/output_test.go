//go:build linux

package test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
)

// 100 MB at full speed: no stall, bounded memory, the tail kept.
func TestFlood(t *testing.T) {
	t.Parallel()
	s, _ := testkit.Open(t, "flood")
	idle := testkit.Resident(s.PID())
	r := s.OK("session_start", A{"target": ".", "timeout_ms": 60000}).Want("terminated", "data", "execution_state", "status")
	r.Want("0", "data", "execution_state", "exit_code")
	r.Contains([]string{"data", "output", "stdout"}, "000999999 x").Contains([]string{"data", "output", "stderr"}, "flooded")
	if n := len(r.At("data", "output", "stdout")); n > 2000 {
		t.Errorf("%d bytes of output in one reply", n)
	}
	for line := range strings.Lines(r.At("data", "output", "stdout")) {
		if len(line) != 100 {
			t.Errorf("half a line: %q", line)
		}
	}
	r.Has("omitted")
	if grown := testkit.Resident(s.PID()) - idle; grown > 40<<20 {
		t.Errorf("the server grew by %d MB", grown>>20)
	}
	s.OK("inspect", A{"target": "output", "start": -3, "count": 1}).Has("000999997 x").Lacks("000999998 x")
}

// Both streams are told apart, complete and in order, whenever the program is stopped.
func TestOutputAcrossStops(t *testing.T) {
	t.Parallel()
	s, p := testkit.Open(t, "slow")
	r := s.OK("session_start", A{"target": ".", "breakpoints": []A{{"file": "main.go", "line": p.Line("nap"), "hit_condition": "%5"}}})
	out, errs := "", ""
	for r.Status() == "stopped_at_breakpoint" {
		out += r.At("data", "output", "stdout")
		errs += r.At("data", "output", "stderr")
		r = s.OK("execute", nil)
	}
	r.Want("terminated", "data", "execution_state", "status")
	out += r.At("data", "output", "stdout")
	errs += r.At("data", "output", "stderr")
	wantOut, wantErr := "", ""
	for i := range 20 {
		wantOut += fmt.Sprintln("out", i)
		wantErr += fmt.Sprintln("err", i)
	}
	if out != wantOut+"done\n" {
		t.Errorf("stdout is %q", out)
	}
	if errs != wantErr {
		t.Errorf("stderr is %q", errs)
	}
	s.OK("inspect", A{"target": "output", "filter": "err 1"}).Has("err 1", "err 19").Lacks("err 2")
}

// What a program prints before a stop is in the reply of that very stop.
func TestOutputBeforeTheStop(t *testing.T) {
	t.Parallel()
	s, p := testkit.Open(t, "calls")
	s.OK("session_start", A{"target": ".", "breakpoints": p.BreakAt("end")}).
		Want("start 6 15 {11 2}\n", "data", "output", "stdout")
	s.OK("execute", A{"collect_output": false}).Want("", "data", "output")
	s.OK("session", A{"action": "output"}).Has("end")
}

func TestStdin(t *testing.T) {
	t.Parallel()
	t.Run("end of file by default", func(t *testing.T) {
		t.Parallel()
		s, _ := testkit.Open(t, "echo")
		s.OK("session_start", A{"target": "."}).Want("terminated", "data", "execution_state", "status").Has("end after 0 lines")
		s.Fail("SESSION_TERMINATED", "session", A{"action": "input", "text": "too late\n"})
	})
	t.Run("text at start and more later", func(t *testing.T) {
		t.Parallel()
		s, p := testkit.Open(t, "echo")
		r := s.OK("session_start", A{"target": ".", "stdin": "first\nsecönd\n", "stdin_open": true, "breakpoints": []A{
			{"file": "main.go", "line": p.Line("line"), "condition": "n == 2"}}})
		r.Stopped("stopped_at_breakpoint", p.At("main.go", "line")).Has("1: first")
		s.OK("execute", A{"timeout_ms": 500}).Want("running", "data", "execution_state", "status").Has("2: secönd")
		testkit.Eventually(t, testkit.CallLimit, "the program to read", func() bool {
			return strings.Contains(s.OK("session", A{"action": "status"}).At("summary"), "it waits for input on stdin")
		})
		s.OK("execute", A{"action": "wait", "timeout_ms": 0}).Has(`"action":"input"`)
		s.OK("session", A{"action": "input", "text": "third\n"})
		s.OK("session", A{"action": "input", "text": "fourth", "eof": true})
		end := s.OK("execute", A{"action": "wait"}).Want("terminated", "data", "execution_state", "status")
		end.Has("4: fourth", "end after 4 lines")
		s.OK("inspect", A{"target": "output"}).Has("1: first", "3: third")
	})
	t.Run("text larger than a pipe", func(t *testing.T) {
		t.Parallel()
		s, _ := testkit.Open(t, "echo")
		line := strings.Repeat("y", 99) + "\n"
		s.OK("session_start", A{"target": ".", "stdin": strings.Repeat(line, 10_000)}).Want("terminated", "data", "execution_state", "status").Has("end after 10000 lines")
	})
}

// A wait longer than 5 s reports progress.
func TestProgress(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "echo")
	messages := make(chan string, 64)
	s := testkit.Start(t, testkit.Options{Dir: p.Dir, Progress: func(m string) { messages <- m }})
	s.OK("session_start", A{"target": ".", "stdin_open": true, "timeout_ms": 0}) // it waits for a line, and takes no processor meanwhile
	s.Running()
	s.OK("execute", A{"action": "wait", "timeout_ms": 6500}).Want("running", "data", "execution_state", "status")
	deadline := time.After(10 * time.Second)
	for {
		select {
		case m := <-messages:
			if strings.Contains(m, "running") {
				return
			}
		case <-deadline:
			t.Fatal("no progress said that the program is running")
		}
	}
}

// A line that is longer than any reply hides nothing that comes after it, and
// can be read to its end.
func TestLongLine(t *testing.T) {
	t.Parallel()
	s, p := testkit.Open(t, "echo")
	long := strings.Repeat("0123456789", 2000)
	stop := []A{{"file": "main.go", "line": p.Line("line"), "condition": "n == 4"}}
	s.OK("session_start", A{"target": ".", "stdin": "first\n" + long + "\nlast\nmore\n", "breakpoints": stop}).Has("3: last")
	r := s.OK("inspect", A{"target": "output", "expression": "stdout"})
	r.Has("first", "last", "stdout line 1 (bytes)")
	read := ""
	for range 20 {
		var params A
		r.Decode(&params, "omitted", "0", "get", "params")
		r = s.OK("inspect", params)
		piece := r.At("data", "stdout", "0")
		read += strings.Trim(piece, "…")
		if !strings.HasSuffix(piece, "…") {
			break
		}
	}
	if !strings.HasSuffix(long, read) || len(read) < 18_000 {
		t.Errorf("read %d bytes on: %.40q", len(read), read)
	}
}
