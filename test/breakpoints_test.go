//go:build linux

package test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

func TestBreakpointsThatCannotBind(t *testing.T) {
	t.Parallel()
	s, p := testkit.OpenAt(t, "averages", "first")
	blank := p.Line("sum") - 5 // between the type and the function
	for _, tt := range []struct {
		name, location string
		want           []string
	}{
		{"blank line", fmt.Sprint("main.go:", blank), []string{"nearest"}},
		{"comment", "main.go:1", []string{"nearest"}},
		{"past the end", "main.go:9999", []string{"nearest_lines", "34"}},
		{"unknown function", "main.maen", []string{"main.mean"}},
	} {
		r := s.Call("breakpoint", A{"location": tt.location}).Has(tt.want...)
		if r.At("data", "breakpoint", "verified") == "true" {
			t.Errorf("%s: it says that it is bound:\n%s", tt.name, r)
		}
		if r.At("data", "breakpoint", "message") == "" && r.At("error", "message") == "" {
			t.Errorf("%s: no reason:\n%s", tt.name, r)
		}
	}
	p.Write("other/other.go", "package other\n\nfunc Other() int {\n\treturn 1\n}\n")
	r := s.Call("breakpoint", A{"location": "other/other.go:4"})
	if r.At("data", "breakpoint", "verified") == "true" {
		t.Errorf("a file that is not in the program binds:\n%s", r)
	}
	s.Fail("VALIDATION_INVALID_LOCATION", "breakpoint", A{"location": "mian.go:7"}).Has("main.go")
	s.Fail("VALIDATION_INVALID_LOCATION", "breakpoint", A{"location": "main.go:zero"})
	s.Fail("VALIDATION_MISSING_PARAM", "breakpoint", A{"action": "set"})
	r = s.Call("breakpoint", A{"location": p.At("main.go", "divide"), "condition": "total >"})
	if !r.IsError && r.At("data", "breakpoint", "verified") == "true" {
		t.Errorf("a condition that does not parse binds:\n%s", r)
	}
	r.Has("total >")
}

// What did not bind is said again where it matters: with the start and at the end.
func TestStartNamesWhatDidNotBind(t *testing.T) {
	t.Parallel()
	s, p := testkit.Open(t, "exit0")
	r := s.OK("session_start", A{"target": ".", "breakpoints": []A{
		{"file": "main.go", "line": 3}, {"function": "main.nothing"}, {"file": "main.go", "line": p.Line("never")}}})
	r.Want("terminated", "data", "execution_state", "status").Want("0", "data", "execution_state", "exit_code")
	r.Contains([]string{"data", "never_hit"}, "main.go:3", "main.nothing", "no function", p.At("main.go", "never"))
}

// One line is one breakpoint, however its file is written.
func TestBreakpointSameLine(t *testing.T) {
	t.Parallel()
	s, p := testkit.OpenAt(t, "averages", "first")
	link := filepath.Join(filepath.Dir(p.Dir), "link")
	if err := os.Symlink(p.Dir, link); err != nil {
		t.Fatal(err)
	}
	line := strconv.Itoa(p.Line("divide"))
	first := s.OK("breakpoint", A{"location": "main.go:" + line}).Want("true", "data", "breakpoint", "verified")
	for _, path := range []string{"main.go:", "./main.go:", "../work/main.go:", filepath.Join(p.Dir, "main.go") + ":", link + "/main.go:", ""} {
		r := s.OK("breakpoint", A{"location": path + line})
		r.Want(first.At("data", "breakpoint", "id"), "data", "breakpoint", "id").Want("true", "data", "breakpoint", "verified")
	}
	var list []A
	s.OK("breakpoint", A{"action": "list"}).Decode(&list, "data", "breakpoints")
	if len(list) != 2 {
		t.Errorf("got %d breakpoints, want 2: %v", len(list), list)
	}
	s.OK("execute", nil).Stopped("stopped_at_breakpoint", "main.go:"+line)
}

// setBreakpoints replaces a file's set in DAP: the first must still hit.
func TestSecondBreakpointKeepsTheFirst(t *testing.T) {
	t.Parallel()
	s, p := testkit.OpenAt(t, "averages", "call")
	s.OK("breakpoint", A{"location": p.At("main.go", "print")})
	s.OK("breakpoint", A{"location": "main.mean"}).Want("true", "data", "breakpoint", "verified")
	s.OK("breakpoint", A{"location": p.At("main.go", "divide")})
	s.OK("execute", nil).Want("main.mean", "data", "function").Want("stopped_at_breakpoint", "data", "execution_state", "status")
	s.OK("execute", nil).Stopped("stopped_at_breakpoint", p.At("main.go", "divide"))
	s.OK("execute", nil).Stopped("stopped_at_breakpoint", p.At("main.go", "print"))
	s.OK("execute", nil).Stopped("stopped_at_breakpoint", p.At("main.go", "call"))
	s.OK("breakpoint", A{"action": "remove", "location": p.At("main.go", "call")})
	s.OK("breakpoint", A{"action": "rm", "location": "main.mean"})
	s.OK("execute", nil).Stopped("stopped_at_breakpoint", p.At("main.go", "divide"))
	s.OK("breakpoint", A{"action": "clear_all"})
	s.OK("execute", nil).Want("stopped_at_exception", "data", "execution_state", "status")
}

func TestBreakpointDisable(t *testing.T) {
	t.Parallel()
	s, p := testkit.OpenAt(t, "averages", "call")
	id := s.OK("breakpoint", A{"location": p.At("main.go", "divide")}).Int("data", "breakpoint", "id")
	s.OK("breakpoint", A{"action": "disable", "id": id})
	s.OK("execute", nil).Stopped("stopped_at_breakpoint", p.At("main.go", "call"))
	s.OK("breakpoint", A{"action": "enable", "id": fmt.Sprint(id)})
	s.OK("execute", nil).Stopped("stopped_at_breakpoint", p.At("main.go", "divide"))
	s.Fail("BREAKPOINT_FAILED", "breakpoint", A{"action": "remove", "id": 99}).Has("99")
}

func TestBreakpointConditions(t *testing.T) {
	t.Parallel()
	type conditional struct {
		name string
		with A
		want []string // values of i at the stops
	}
	all := []conditional{
		{"condition", A{"condition": "i == 7"}, []string{"7"}},
		{"condition on a string", A{"condition": `word == "w8"`}, []string{"8"}},
		{"hit 5", A{"hit_condition": "5"}, []string{"4"}},
		{"hit ==5", A{"hit_condition": "==5"}, []string{"4"}},
		{"hit >8", A{"hit_condition": ">8"}, []string{"8", "9"}},
		{"hit >=9", A{"hit_condition": ">= 9"}, []string{"8", "9"}},
		{"hit <3", A{"hit_condition": "<3"}, []string{"0", "1"}},
		{"hit <=2", A{"hit_condition": "<=2"}, []string{"0", "1"}},
		{"hit %4", A{"hit_condition": "%4"}, []string{"3", "7"}},
		{"condition and hits", A{"condition": "i%2 == 0", "hit_condition": "%2"}, []string{"2", "6"}},
	}
	p := testkit.NewProgram(t, "")
	p.Write("go.mod", "module loop\n\ngo 1.26\n")
	var body strings.Builder // a line for each
	for n := range all {
		fmt.Fprintf(&body, "\t\tfmt.Println(i, word) //@mark body-%d\n", n)
	}
	p.Write("main.go", "package main\n\nimport \"fmt\"\n\nfunc main() {\n\tfor i := range 10 {\n\t\tword := fmt.Sprint(\"w\", i)\n"+body.String()+"\t}\n}\n")
	server := testkit.Start(t, testkit.Options{Dir: p.Dir})
	var breakpoints []A
	for n, c := range all {
		c.with["file"], c.with["line"] = "main.go", p.Line(fmt.Sprint("body-", n))
		breakpoints = append(breakpoints, c.with)
	}
	got := map[string][]string{}
	r := server.OK("session_start", A{"target": ".", "breakpoints": breakpoints})
	for r.Status() == "stopped_at_breakpoint" {
		at := r.At("data", "location")
		got[at] = append(got[at], server.OK("inspect", A{"expression": "i"}).At("data", "result", "v"))
		r = server.OK("execute", nil)
	}
	r.Want("terminated", "data", "execution_state", "status").Want("0", "data", "execution_state", "exit_code")
	for n, c := range all {
		if stops := got[p.At("main.go", fmt.Sprint("body-", n))]; !slices.Equal(stops, c.want) {
			t.Errorf("%s stops at i = %q, want %q", c.name, stops, c.want)
		}
	}
	s, q := testkit.OpenAt(t, "averages", "first")
	s.Fail("VALIDATION_INVALID_PARAM", "breakpoint", A{"location": q.At("main.go", "sum"), "hit_condition": "often"}).Has("often")
}

// A condition that cannot be evaluated stops and says so; it is not taken for an exception of the program.
func TestConditionThatFails(t *testing.T) {
	t.Parallel()
	s, p := testkit.Open(t, "averages")
	r := s.OK("session_start", A{"target": ".", "breakpoints": []A{{"file": "main.go", "line": p.Line("sum"), "condition": "nosuch > 3"}}})
	r.Has("nosuch")
	if r.Status() == "stopped_at_exception" {
		t.Errorf("a bad condition is shown as an exception of the program:\n%s", r)
	}
}

func TestLogpoint(t *testing.T) {
	t.Parallel()
	s, p := testkit.Open(t, "calls")
	r := s.OK("session_start", A{"target": ".", "breakpoints": []A{
		{"file": "main.go", "line": p.Line("double"), "log_message": "doubling {n} to {n*2}"},
		{"file": "main.go", "line": p.Line("nested")}}})
	r.Stopped("stopped_at_breakpoint", p.At("main.go", "nested"))
	r.Contains([]string{"data", "output", "log"}, "doubling 0 to 0", "doubling 1 to 2", "doubling 2 to 4")
	r.Want("", "data", "output", "stdout") // what the program itself prints stays apart
	s.OK("inspect", A{"target": "output", "expression": "log"}).Has("doubling 1 to 2")
}

func TestStatementBreakpoint(t *testing.T) {
	t.Parallel()
	s, p := testkit.Open(t, "averages")
	r := s.OK("session_start", A{"target": ".", "breakpoints": []A{{"file": "main.go", "statement": "total += marks[i]"}}})
	r.Stopped("stopped_at_breakpoint", p.At("main.go", "sum"))
	s.OK("breakpoint", A{"location": "main.go", "statement": "return total / len(marks)"}).
		Want(p.At("main.go", "divide"), "data", "breakpoint", "location")
	s.Fail("VALIDATION_INVALID_LOCATION", "breakpoint", A{"location": "main.go", "statement": "no such text"})
}

func TestFunctionBreakpoints(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"main.combine", "combine", "main.point.Sum", "main.(*point).Move", "point.Sum"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name == "main.combine" || name == "main.point.Sum" {
				testkit.Long(t, "it is found without the name of its package, too")
			}
			s, _ := testkit.Open(t, "calls")
			r := s.OK("session_start", A{"target": ".", "breakpoints": []A{{"function": name}}})
			r.Want("stopped_at_breakpoint", "data", "execution_state", "status")
			short := name[strings.LastIndex(name, ".")+1:]
			if !strings.HasSuffix(r.At("data", "function"), short) {
				t.Errorf("stopped in %q, want %q", r.At("data", "function"), name)
			}
		})
	}
}

func TestBreakpointWhileRunning(t *testing.T) {
	t.Parallel()
	s, p := testkit.Open(t, "endless")
	s.OK("session_start", A{"target": ".", "timeout_ms": 15000, "breakpoints": p.BreakAt("condition")})
	s.OK("breakpoint", A{"action": "clear_all"})
	s.OK("execute", A{"timeout_ms": 0}).Want("running", "data", "execution_state", "status")
	s.OK("breakpoint", A{"location": p.At("main.go", "reset")}).Want("true", "data", "breakpoint", "verified")
	s.OK("execute", A{"action": "wait"}).Stopped("stopped_at_breakpoint", p.At("main.go", "reset"))
}

func TestWatchpoint(t *testing.T) {
	t.Parallel()
	s, p := testkit.OpenAt(t, "watch", "start")
	r := s.OK("breakpoint", A{"action": "watch", "name": "global.Limit"}).Want("watch", "data", "breakpoint", "kind")
	id := r.Int("data", "breakpoint", "id")
	stop := s.OK("execute", nil)
	stop.Stopped("stopped_at_breakpoint", p.At("main.go", "written")).Want("main.guilty", "data", "function")
	stop.Want(fmt.Sprintf("[%d]", id), "data", "execution_state", "hit_breakpoints")
	s.OK("breakpoint", A{"action": "unwatch", "name": "global.Limit"})
	s.OK("execute", nil).Want("terminated", "data", "execution_state", "status")
}

// A source edited between restarts: the breakpoint follows its statement.
func TestRestartAfterEdit(t *testing.T) {
	t.Parallel()
	s, p := testkit.OpenAt(t, "averages", "divide")
	before := p.Line("divide")
	p.Edit("main.go", "\ttotal := 0\n", "\t// Two lines more,\n\t// before the breakpoint.\n\ttotal := 0\n")
	r := s.OK("session", A{"action": "restart"})
	r.Stopped("stopped_at_breakpoint", "main.go:"+strconv.Itoa(before+2))
	r.Contains([]string{"data", "breakpoints"}, fmt.Sprintf(`"moved_from":%d`, before), "edited")

	// The bug mended, the program runs to its end.
	p.Edit("main.go", "{\"Cyd\", nil},", "{\"Cyd\", []int{60}},")
	p.Edit("main.go", "i := 1", "i := 0")
	s.OK("breakpoint", A{"action": "clear_all"})
	end := s.OK("session", A{"action": "restart"}).Want("terminated", "data", "execution_state", "status")
	end.Has("Ada: 90", "Cyd: 60")

	// A mistake in the edit is a build error, and the next restart works again.
	p.Edit("main.go", "i := 0", "i := zero")
	s.Fail("BUILD_FAILED", "session", A{"action": "restart"}).Has("undefined: zero")
	p.Edit("main.go", "i := zero", "i := 0")
	s.OK("session", A{"action": "restart"}).Has("Ada: 90")
}

// A file beside a function says which one is meant; what is elsewhere does not stop.
func TestBreakpointOnAFunctionOfAFile(t *testing.T) {
	t.Parallel()
	s, p := testkit.Open(t, "averages")
	p.Write("other/other.go", "package other\n\nfunc Other() int {\n\treturn 1\n}\n")
	r := s.OK("session_start", A{"target": ".", "breakpoints": []A{{"file": "main.go", "function": "main.mean"}}})
	r.Want("stopped_at_breakpoint", "data", "execution_state", "status").Want("main.mean", "data", "function")
	s.OK("session", A{"action": "stop"})
	r = s.OK("session_start", A{"target": ".", "breakpoints": []A{{"file": "other/other.go", "function": "main.mean"}, {"file": "main.go", "line": p.Line("divide")}}})
	r.Stopped("stopped_at_breakpoint", p.At("main.go", "divide")).Want("[2]", "data", "execution_state", "hit_breakpoints")
	r.Contains([]string{"data", "breakpoints"}, `"verified":false`, "main.go", "use file:line")
}

// Breakpoints on one place are one to Delve and stay apart here: each stops by its
// own condition, and is named and counted for its own hits.
func TestBreakpointsOnOnePlace(t *testing.T) {
	t.Parallel()
	s, p := testkit.Open(t, "numbers")
	at := p.Line("grown")
	r := s.OK("session_start", A{"target": ".", "breakpoints": []A{
		{"file": "main.go", "line": at, "condition": "i == 1"},
		{"file": "main.go", "line": at, "condition": "i >= 1 && i < 3"},
		{"file": "main.go", "line": at, "log_message": "pass {i}"},
		{"file": "main.go", "line": p.Line("half")},
	}})
	r.Stopped("stopped_at_breakpoint", p.At("main.go", "half"))
	s.OK("breakpoint", A{"location": "main.half"}).Want("true", "data", "breakpoint", "verified")
	r = s.OK("execute", nil)
	for _, hit := range [][]string{{"1", "2"}, {"2"}} {
		r.Stopped("stopped_at_breakpoint", r.At("data", "location"))
		var ids []int
		r.Decode(&ids, "data", "execution_state", "hit_breakpoints")
		if got := strings.Fields(strings.Trim(fmt.Sprint(ids), "[]")); !slices.Equal(got, hit) {
			t.Fatalf("stopped at %v, want %v, in\n%s", got, hit, r)
		}
		r = s.OK("execute", nil)
	}
	r.Want("terminated", "data", "execution_state", "status")
	for id, hits := range map[string]string{"1": "1", "2": "2", "3": "6", "4": "1"} {
		r.Want(hits, "data", "hits", id)
	}
}

// A function and the line where it begins, in one start: both are bound and hit.
func TestFunctionAndItsLine(t *testing.T) {
	t.Parallel()
	s, p := testkit.Open(t, "averages")
	line := p.Line("loop") - 2
	s.OK("session_start", A{"target": ".", "breakpoints": []A{{"file": "main.go", "line": line}, {"function": "main.mean"}}}).
		Want("stopped_at_breakpoint", "data", "execution_state", "status").
		Want("1", "data", "execution_state", "hit_breakpoints", "0").
		Want("2", "data", "execution_state", "hit_breakpoints", "1").
		Lacks("not bound")
}
