//go:build linux && amd64

package observing

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	processes "aidb-mcp/internal/system/process"
	"aidb-mcp/internal/testkit"
)

// withGDB starts a server that finds the gdb of the tests, with the rights that the command before it leaves.
func withGDB(t *testing.T, dir string, through ...string) *testkit.Server {
	t.Helper()
	path := filepath.Join(testkit.Home(), "gdb", "bin") + string(os.PathListSeparator) + os.Getenv("PATH")
	return testkit.Start(t, testkit.Options{Dir: dir, Through: through, Env: []string{"PATH=" + path}})
}

// mayPause has a session in which gdb records.
func mayPause(t *testing.T, s *testkit.Server, process *os.Process, options A) {
	t.Helper()
	s.OK("session_start", A{"mode": "attach", "pid": process.Pid, "adapter_options": options}).Want("running", "data", "execution_state", "status")
}

// cellNumber is a cell that is a whole number.
func cellNumber(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%q is no number", text)
	}
	return n
}

// isGone waits until a process has ended that holds a program: it lets that go first.
func isGone(t *testing.T, pid int) {
	t.Helper()
	if pid == 0 {
		t.Fatal("nobody is in the program")
	}
	for end := time.Now().Add(patience); !processes.Gone(pid); {
		if time.Now().After(end) {
			t.Fatalf("process %d is still there", pid)
		}
		time.Sleep(10 * time.Millisecond) // it is asked of a process of another's
	}
}

// isLeft sees that no debugger is in the program any more, and nothing of one.
func isLeft(t *testing.T, program *os.Process) {
	t.Helper()
	isWhole(t, program)
	if tracer := processes.TracerOf(program.Pid); tracer != 0 {
		t.Fatalf("process %d is still in the program", tracer)
	}
	goesOn(t, program)
}

// pausing is a program with a debugger that records in it.
type pausing struct {
	program
	debugger, called string
	read             [3]string          // the price, and what it follows from
	price            func(a, b int) int // which is that
}

// A program that may be paused is recorded by a debugger where that is asked for, and is as it was
// afterwards, also when the server is killed.
func TestMayPause(t *testing.T) {
	inC := pausing{program: programs[0], read: [3]string{"sum", "o->item.price", "o->item.count"}, price: func(price, count int) int { return price * count }}
	inRust := pausing{program: programs[2], read: [3]string{"self.item.price", "self.number", "discount"}, price: func(number, _ int) int { return number * 10 }}
	inGo := pausing{program: programs[1], read: [3]string{"sum", "o.Item.Price", "o.Item.Count"}, price: func(price, count int) int { return price*count - 2 }}
	inGo.build = []string{"go", "build", "-gcflags=all=-N -l", "-o", "orders", "orders.go"}
	by := func(p pausing, debugger, called string) pausing {
		p.debugger, p.called = debugger, called
		return p
	}
	for _, c := range []pausing{by(inC, "gdb", "gdb"), by(inRust, "gdb", "gdb"), by(inC, "codelldb", "LLDB"), by(inRust, "codelldb", "LLDB"), by(inGo, "delve", "Delve")} {
		t.Run(c.language+" by "+c.debugger, func(t *testing.T) {
			t.Parallel()
			if c.language == inRust.language && c.debugger == "codelldb" {
				testkit.Long(t, "LLDB is tried in C, and Rust under gdb")
			}
			if c.language == inC.language && c.debugger == "gdb" {
				testkit.Long(t, "gdb is tried in Rust, and C under LLDB")
			}
			dir, process := c.start(t, 20_000)
			s := withGDB(t, dir)
			s.Fail("VALIDATION_INVALID_PARAM", "session_start", A{"mode": "attach", "pid": process.Pid, "adapter_options": A{"observe": true, "debugger": c.debugger}}).
				Has("each hit stops all its threads", "may_pause")
			s.Fail("VALIDATION_INVALID_PARAM", "session_start", A{"mode": "attach", "pid": process.Pid, "adapter_options": A{"observe": true, "may_pause": true, "debugger": "nix"}}).
				Has("records in no running program", c.debugger)
			options := A{"observe": true, "may_pause": true, "debugger": c.debugger}
			mayPause(t, s, process, options)

			s.Fail("VALIDATION_INVALID_PARAM", "trace", A{"action": "arm", "what": "calls", "functions": []string{"nix"}}).Has("nothing in the program is called nix")
			isLeft(t, process)

			place := c.file + ":" + strconv.Itoa(c.line)
			armed := s.OK("trace", A{"action": "arm", "what": "values", "location": place, "expressions": append(c.read[:], "discount"), "condition": "discount > 1"})
			armed.Contains([]string{"data", "how"}, "by breakpoints of "+c.called, "a hit stops all threads", "has stopped it once for")
			s.Fail("CAPABILITY_NOT_SUPPORTED", "trace", A{"action": "arm", "what": "calls", "functions": []string{c.total}}).Has("one thing at a time", "disarm")
			rows, last := await(t, s, armed.At("data", "id"), 5)
			last.Has("the condition held at")
			for _, row := range rows {
				is, a, b := cellNumber(t, row[3]), cellNumber(t, row[4]), cellNumber(t, row[5])
				if row[0] != place || row[6] != "2" || is != c.price(a, b) {
					t.Fatalf("a row is %q", row)
				}
			}
			s.OK("trace", A{"action": "disarm"}).Want("true", "data", "running")
			isLeft(t, process)

			id := s.OK("trace", A{"action": "arm", "what": "calls", "functions": []string{c.total}}).At("data", "id")
			await(t, s, id, 5)
			tracer := processes.TracerOf(process.Pid)
			s.Kill()
			isGone(t, tracer)
			isLeft(t, process)
		})
	}
}

// Without the right to observe, gdb is named with what it costs, and records only where it may.
func TestMayPauseWithoutRights(t *testing.T) {
	p := programs[0]
	dir, process := p.start(t, 20_000)
	const lacking = "-bpf,-perfmon,-sys_admin"
	s := withGDB(t, dir, "setpriv", "--bounding-set="+lacking, "--inh-caps="+lacking)
	observe(t, s, process)
	s.Fail("CAPABILITY_NOT_SUPPORTED", "trace", A{"action": "arm", "what": "calls", "functions": []string{p.total}}).
		Has("CAP_BPF", "gdb can record", "each hit stops all its threads", "may_pause")
	s.OK("session", A{"action": "stop"})
	mayPause(t, s, process, A{"observe": true, "may_pause": true})

	writes := s.OK("trace", A{"action": "arm", "what": "writes", "expression": "served"}).At("data", "id")
	rows, _ := await(t, s, writes, 5)
	for i, row := range rows {
		if row[0] != "orders.c:34" || row[3] != "serve" || i > 0 && row[4] != rows[i-1][5] {
			t.Fatalf("a row is %q", row)
		}
	}
	s.OK("trace", A{"action": "disarm"})
	isLeft(t, process)

	calls := s.OK("trace", A{"action": "arm", "what": "calls", "functions": []string{p.total}}).At("data", "id")
	await(t, s, calls, 5)
	if err := process.Kill(); err != nil {
		t.Fatal(err)
	}
	s.OK("execute", A{"action": "wait"}).Want("terminated", "data", "execution_state", "status")
	s.OK("trace", A{"action": "disarm", "id": calls}).Want("false", "data", "running")
}

// A program that does nothing but hit is left whole from the midst of it, at the end of the
// session or because it hits too often, whichever is first.
func TestMayPauseAtFullSpeed(t *testing.T) {
	for debugger, p := range map[string]program{"gdb": programs[0], "codelldb": programs[0], "delve": programs[1]} {
		t.Run(debugger, func(t *testing.T) {
			t.Parallel()
			dir, process := p.start(t, 0)
			s := withGDB(t, dir)
			mayPause(t, s, process, A{"observe": true, "may_pause": true, "debugger": debugger})
			s.OK("trace", A{"action": "arm", "what": "values", "location": p.file + ":" + strconv.Itoa(p.line), "expressions": []string{"sum"}})
			_, last := await(t, s, "", 1)
			if last.At("data", "running") != "true" {
				t.Fatalf("the program is said to have ended: %s", last)
			}
			s.OK("session", A{"action": "stop"})
			isLeft(t, process)
		})
	}
}

// Optimized code of Go gives back in registers, of which its debug information says nothing: what
// comes from there is what the program has given.
func TestMayPauseReadsResultsOfGo(t *testing.T) {
	p := programs[1]
	dir, process := p.start(t, 20_000)
	s := withGDB(t, dir)
	mayPause(t, s, process, A{"observe": true, "may_pause": true, "debugger": "delve"})
	id := s.OK("trace", A{"action": "arm", "what": "calls", "functions": []string{"total"}}).At("data", "id")
	rows, _ := await(t, s, id, 40)
	free, paid := false, false
	for _, row := range rows {
		if row[4] == "(it began before)" { // its beginning was read before
			continue
		}
		given := regexp.MustCompile(`Price: (\d+), Count: (\d+)`).FindStringSubmatch(row[4])
		discount := regexp.MustCompile(`discount=(\d+)`).FindStringSubmatch(row[4])
		if given == nil || discount == nil {
			t.Fatalf("a row is %q", row)
		}
		due := cellNumber(t, given[1])*cellNumber(t, given[2]) - cellNumber(t, discount[1])
		want := "sum=" + strconv.Itoa(due) + ", err=error nil"
		if due <= 0 {
			want = `sum=0, err=error(*errors.errorString) *{s: "it costs nothing"}`
		}
		if row[5] != want && row[5] != "(no return seen)" {
			t.Fatalf("a row is %q, which is to give %s", row, want)
		}
		free, paid = free || due <= 0, paid || due > 0
	}
	if !free || !paid {
		t.Fatalf("not both kinds of results were seen: %q", rows)
	}
	s.OK("session", A{"action": "stop"})
	isLeft(t, process)
}
