//go:build linux && amd64

package observing

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
)

// counted is a program in a language with a runtime, which counts for itself.
type counted struct {
	*os.Process
	dir string
}

// state is what such a program says of itself.
type state struct {
	Whole  bool `json:"whole"` // nothing of ours is in it
	Served int  `json:"served"`
	Sum    int  `json:"sum"`
	Number int  `json:"number"`
}

// startCounted runs a program of testdata, with that many seconds between two orders.
func startCounted(t *testing.T, interpreter, file, pause string) *counted {
	t.Helper()
	dir := t.TempDir()
	source, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, file), source, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(interpreter, file, pause)
	said, err := os.Create(filepath.Join(dir, "said"))
	if err != nil {
		t.Fatal(err)
	}
	defer said.Close()
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, said, said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	p := &counted{cmd.Process, dir}
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(p.standing())
		}
	})
	p.await(t, func(s state) bool { return s.Served > 3 })
	return p
}

// await waits until the program says that it is so.
func (p *counted) await(t *testing.T, so func(state) bool) (s state) {
	t.Helper()
	for end := time.Now().Add(patience); ; {
		text, err := os.ReadFile(filepath.Join(p.dir, "state.json"))
		if err == nil && json.Unmarshal(text, &s) == nil && so(s) {
			return s
		}
		if time.Now().After(end) {
			t.Fatalf("the program says %s (%v)", text, err)
		}
		time.Sleep(10 * time.Millisecond) // it is asked of a program of another's
	}
}

// standing is what the kernel tells of the program's threads, what it says and what it has printed.
func (p *counted) standing() string {
	var text strings.Builder
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*", p.Pid))
	for _, task := range tasks {
		status, _ := os.ReadFile(filepath.Join(task, "status"))
		for line := range strings.Lines(string(status)) {
			if name, _, _ := strings.Cut(line, ":"); slices.Contains([]string{"Name", "State", "TracerPid"}, name) {
				text.WriteString(line)
			}
		}
	}
	for _, file := range []string{"state.json", "said"} {
		said, _ := os.ReadFile(filepath.Join(p.dir, file))
		text.Write(said)
	}
	return text.String()
}

// leftAlone sees that a program goes on as it was.
func (p *counted) leftAlone(t *testing.T) {
	t.Helper()
	before := p.await(t, func(s state) bool { return s.Whole })
	p.await(t, func(s state) bool { return s.Whole && s.Served > before.Served+10 })
}

// attach attaches to a program as soon as what the killed server has left has let go of it.
func attach(t *testing.T, s *testkit.Server, start A) {
	t.Helper()
	for end := time.Now().Add(patience); ; {
		r := s.Call("session_start", start)
		if r.At("success") == "true" {
			return
		}
		if !isHeld(r.At("error", "message")) || time.Now().After(end) {
			t.Fatalf("the program is not attached to: %s", r)
		}
		time.Sleep(50 * time.Millisecond) // it is asked of a program of another's
	}
}

// isHeld says that another debugger is in the program, or what is left of one.
func isHeld(message string) bool {
	return strings.Contains(message, "held already") || strings.Contains(message, "has a debugger in it already")
}

// pythons are those of this machine that differ in how they are recorded.
func pythons(t *testing.T) (found []string) {
	t.Helper()
	home, _ := os.UserHomeDir()
	for _, version := range []string{"3.11", "3.12", "3.13"} {
		if list, _ := filepath.Glob(filepath.Join(home, ".pyenv/versions", version+".*", "bin/python")); len(list) > 0 {
			found = append(found, list[0])
		}
	}
	if len(found) == 0 {
		found = []string{"python3"}
	}
	return found
}

var number = regexp.MustCompile(`number=(\d+), discount=(\d)|number=(\d+)`)

// checkCalls sees that each row of calls of serve is what the program computes, and gives how many had
// a result.
func checkCalls(t *testing.T, rows [][]string, arguments int) (results int) {
	t.Helper()
	for _, row := range rows {
		m := number.FindStringSubmatch(row[arguments])
		if m == nil {
			if row[arguments] == "(it began before)" {
				continue
			}
			t.Fatalf("a row is %q", row)
		}
		n, _ := strconv.Atoi(m[1])
		result := row[arguments+1]
		switch {
		case m[2] != strconv.Itoa(n%3):
			t.Fatalf("a row is %q: the discount is %d", row, n%3)
		case n%7 == 6:
			if result != "(no return seen)" && result != "(raised ValueError: bad "+m[1]+")" {
				t.Fatalf("a row is %q, of a call that fails", row)
			}
		case result == "(no return seen)": // the end was not read yet
		case result != strconv.Itoa(n*20-n%3):
			t.Fatalf("a row is %q: the result is %d", row, n*20-n%3)
		default:
			results++
		}
	}
	return results
}

// Values, calls and writes of a running Python program are those that it computes itself, and
// nothing of ours stays in it.
func TestPython(t *testing.T) {
	all := pythons(t)
	for i, python := range all {
		t.Run(filepath.Base(filepath.Dir(filepath.Dir(python))), func(t *testing.T) {
			if i > 0 && i < len(all)-1 {
				testkit.Long(t, "it records as the newest one does")
			}
			p := startCounted(t, python, "counted.py", "0.005")
			s := testkit.Start(t, testkit.Options{Dir: p.dir})
			s.OK("session_start", A{"mode": "attach", "pid": p.Pid, "runtime_path": python}).Want("running", "data", "execution_state", "status")
			calls := s.OK("trace", A{"action": "arm", "what": "calls", "functions": []string{"Shop.serve"}})
			calls.Contains([]string{"data", "how"}, "in the program", "a hit costs the program about")
			rows, _ := await(t, s, calls.At("data", "id"), 30)
			if n := checkCalls(t, rows, 4); n < 15 {
				t.Errorf("%d of %d calls have a result: %q", n, len(rows), rows)
			}
			s.OK("trace", A{"action": "disarm", "id": calls.At("data", "id")})
			checkPassesAndWrites(t, s)
			refusals(t, s, "counted.py")
			s.Fail("VALIDATION_INVALID_PARAM", "trace", A{"action": "arm", "what": "writes", "expression": "shop.nix"}).Has("there is no shop.nix")
			s.Fail("VALIDATION_INVALID_PARAM", "trace", A{"action": "arm", "what": "writes", "expression": "shop['sum']"}).Has("items of a list or dict")
			p.leftAlone(t)
			s.OK("trace", A{"action": "arm", "what": "calls", "functions": []string{"step"}})
			s.OK("session", A{"action": "stop"}).Contains([]string{"summary"}, "the program was left running")
			p.leftAlone(t)
			if i > 0 {
				return
			}
			// What a trace would cost is of no use where the program stands.
			s.OK("session_start", A{"mode": "attach", "pid": p.Pid, "runtime_path": python, "breakpoints": []A{{"file": "counted.py", "line": 15}}}).
				Want("stopped_at_breakpoint", "data", "execution_state", "status").Lacks("trace(arm)")
			s.OK("session", A{"action": "stop"})
			p.leftAlone(t)
		})
	}
}

// checkPassesAndWrites records a line, and the variables that the program counts in.
func checkPassesAndWrites(t *testing.T, s *testkit.Server) {
	t.Helper()
	values := s.OK("trace", A{"action": "arm", "what": "values", "location": "counted.py:15", "expressions": []string{"number", "total", "nix"}, "condition": "discount == 1"})
	count := s.OK("trace", A{"action": "arm", "what": "writes", "expression": "served"})
	sum := s.OK("trace", A{"action": "arm", "what": "writes", "expression": "shop.sum"})
	rows, _ := await(t, s, values.At("data", "id"), 5)
	for _, row := range rows {
		if n, _ := strconv.Atoi(row[3]); n%3 != 1 || row[4] != strconv.Itoa(n*20-1) || row[5] != "(NameError: name 'nix' is not defined)" {
			t.Fatalf("a row is %q", row)
		}
	}
	for _, w := range []struct{ id, at string }{{count.At("data", "id"), "counted.py:27"}, {sum.At("data", "id"), "counted.py:15"}} {
		rows, _ := await(t, s, w.id, 20)
		for i, row := range rows {
			if row[0] != w.at || i > 0 && row[4] != rows[i-1][5] {
				t.Fatalf("a row is %q, after %q", row, rows[max(i-1, 0)])
			}
			before, _ := strconv.Atoi(row[4])
			if after, _ := strconv.Atoi(row[5]); w.at == "counted.py:27" && after != before+1 {
				t.Fatalf("a row is %q", row)
			}
		}
	}
	for _, r := range []testkit.Reply{values, count, sum} {
		s.OK("trace", A{"action": "disarm", "id": r.At("data", "id")}).Want("true", "data", "running")
	}
}

// refusals are what cannot be armed in any such program.
func refusals(t *testing.T, s *testkit.Server, file string) {
	t.Helper()
	arm := func(more A) A {
		more["action"] = "arm"
		return more
	}
	s.Fail("VALIDATION_INVALID_PARAM", "trace", arm(A{"what": "calls", "functions": []string{"serv"}})).Has("no function serv")
	s.Fail("VALIDATION_INVALID_PARAM", "trace", arm(A{"what": "values", "location": "nix." + file + ":3", "expressions": []string{"total"}})).Has("has not loaded")
	s.Fail("VALIDATION_INVALID_PARAM", "trace", arm(A{"what": "values", "location": file + ":9999", "expressions": []string{"total"}})).Has("nearest lines")
	s.Fail("VALIDATION_INVALID_PARAM", "trace", arm(A{"what": "values", "location": file + ":17", "expressions": []string{"shop.serve(1)"}})).Has("does more than look")
}

// Values and calls of a running JavaScript program are those that it computes itself, with the
// debugger in it and without, and nothing of ours stays in it.
func TestJavaScript(t *testing.T) {
	for _, observe := range []bool{true, false} {
		t.Run(fmt.Sprintf("observe %t", observe), func(t *testing.T) {
			if !observe {
				testkit.Long(t, "it records by the same breakpoints")
			}
			p := startCounted(t, "node", "counted.js", "0.01")
			s := testkit.Start(t, testkit.Options{Dir: p.dir})
			start := A{"mode": "attach", "pid": p.Pid}
			if observe {
				start["adapter_options"] = A{"observe": true}
			}
			s.OK("session_start", start).Want("running", "data", "execution_state", "status")
			calls := s.OK("trace", A{"action": "arm", "what": "calls", "functions": []string{"Shop.serve"}})
			calls.Contains([]string{"data", "how"}, "conditions of breakpoints that never stop")
			values := s.OK("trace", A{"action": "arm", "what": "values", "location": "counted.js:8", "expressions": []string{"number", "total", "nix"}, "condition": "discount === 1"})
			rows, _ := await(t, s, calls.At("data", "id"), 30)
			if n := checkCalls(t, rows, 4); n < 15 {
				t.Errorf("%d of %d calls have a result: %q", n, len(rows), rows)
			}
			rows, _ = await(t, s, values.At("data", "id"), 5)
			for _, row := range rows {
				if n, _ := strconv.Atoi(row[3]); n%3 != 1 || row[4] != strconv.Itoa(n*20-1) || row[5] != "(nix is not defined)" {
					t.Fatalf("a row is %q", row)
				}
			}
			refusals(t, s, "counted.js")
			s.Fail("CAPABILITY_NOT_SUPPORTED", "trace", A{"action": "arm", "what": "writes", "expression": "served"}).Has("V8 has nothing that watches")
			still := testkit.Start(t, testkit.Options{Dir: p.dir, Args: []string{"--read-only"}})
			still.Call("session_start", A{"mode": "attach", "pid": p.Pid, "adapter_options": A{"observe": true}})
			still.Fail("POLICY_DENIED", "trace", A{"action": "arm", "what": "calls", "functions": []string{"step"}})
			s.OK("trace", A{"action": "disarm", "id": calls.At("data", "id")}).Want("true", "data", "running")
			s.OK("session", A{"action": "stop"}).Contains([]string{"summary"}, "the program was left running")
			p.leftAlone(t)
		})
	}
}

// A server that is killed while it records leaves the programs alive and as they were.
func TestKilledScripts(t *testing.T) {
	t.Parallel()
	languages := []struct{ interpreter, file string }{{"node", "counted.js"}}
	for _, python := range pythons(t) {
		languages = append(languages, struct{ interpreter, file string }{python, "counted.py"})
	}
	for i, l := range languages {
		t.Run(filepath.Base(filepath.Dir(filepath.Dir(l.interpreter)))+" "+l.file, func(t *testing.T) {
			if i > 1 {
				testkit.Long(t, "again with another Python")
			}
			p := startCounted(t, l.interpreter, l.file, "0.001")
			for range testkit.Rounds(1, 20) {
				s := testkit.Start(t, testkit.Options{Dir: p.dir})
				attach(t, s, A{"mode": "attach", "pid": p.Pid, "adapter_options": A{"observe": l.interpreter == "node"}, "timeout_ms": 60_000})
				id := s.OK("trace", A{"action": "arm", "what": "calls", "functions": []string{"Shop.serve"}}).At("data", "id")
				await(t, s, id, 20)
				s.Kill()
				p.leftAlone(t)
			}
		})
	}
}

// A budget of hits takes a trace out by itself, and a program that ends is told as ended.
func TestBudgetAndEnd(t *testing.T) {
	p := startCounted(t, "node", "counted.js", "0.001")
	s := testkit.Start(t, testkit.Options{Dir: p.dir})
	s.OK("session_start", A{"mode": "attach", "pid": p.Pid, "adapter_options": A{"observe": true}})
	id := s.OK("trace", A{"action": "arm", "what": "calls", "functions": []string{"step"}}).At("data", "id")
	for range 7 {
		s.OK("trace", A{"action": "arm", "what": "calls", "functions": []string{"step"}})
	}
	s.Fail("VALIDATION_INVALID_PARAM", "trace", A{"action": "arm", "what": "calls", "functions": []string{"step"}}).Has("8 traces are armed already")
	await(t, s, id, 5)
	if err := p.Kill(); err != nil {
		t.Fatal(err)
	}
	s.OK("execute", A{"action": "wait"}).Want("terminated", "data", "execution_state", "status")
	s.OK("trace", A{"action": "disarm", "id": id}).Want("false", "data", "running")
}
