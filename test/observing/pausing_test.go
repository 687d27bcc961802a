//go:build linux && amd64

package observing

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"aidb-mcp/internal/system/process"
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

// isLeft sees that no debugger is in the program any more, and nothing of one.
func isLeft(t *testing.T, program *os.Process) {
	t.Helper()
	isWhole(t, program)
	if tracer := process.TracerOf(program.Pid); tracer != 0 {
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
	by := func(p pausing, debugger, called string) pausing {
		p.debugger, p.called = debugger, called
		return p
	}
	for _, c := range []pausing{by(inC, "gdb", "gdb"), by(inRust, "gdb", "gdb"), by(inC, "codelldb", "LLDB"), by(inRust, "codelldb", "LLDB")} {
		t.Run(c.language+" by "+c.debugger, func(t *testing.T) {
			t.Parallel()
			dir, process := c.start(t, 20_000)
			s := withGDB(t, dir)
			s.Fail("VALIDATION_INVALID_PARAM", "session_start", A{"mode": "attach", "pid": process.Pid, "adapter_options": A{"observe": true, "debugger": c.debugger}}).
				Has("each hit stops all its threads", "may_pause")
			s.Fail("VALIDATION_INVALID_PARAM", "session_start", A{"mode": "attach", "pid": process.Pid, "adapter_options": A{"observe": true, "may_pause": true, "debugger": "delve"}}).
				Has("gdb or codelldb or lldb-dap does")
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
			s.Kill()
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
	for _, debugger := range []string{"gdb", "codelldb"} {
		t.Run(debugger, func(t *testing.T) {
			t.Parallel()
			dir, process := programs[0].start(t, 0)
			s := withGDB(t, dir)
			mayPause(t, s, process, A{"observe": true, "may_pause": true, "debugger": debugger})
			s.OK("trace", A{"action": "arm", "what": "values", "location": "orders.c:28", "expressions": []string{"sum"}})
			_, last := await(t, s, "", 1)
			if last.At("data", "running") != "true" {
				t.Fatalf("the program is said to have ended: %s", last)
			}
			s.OK("session", A{"action": "stop"})
			isLeft(t, process)
		})
	}
}
