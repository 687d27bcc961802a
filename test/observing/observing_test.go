//go:build linux && amd64

// Package observing records in programs that run on, with the built server: nobody starts or
// stops them, and nothing stays in them.
package observing

import (
	"bytes"
	"debug/elf"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cilium/ebpf"

	"aidb-mcp/internal/testkit"
)

func TestMain(m *testing.M) { os.Exit(testkit.Main(m)) }

// patience is how long is waited for what comes at once, on a machine that has much else to
// do: no test proves by it how fast something is.
const patience = 2 * time.Minute

// A shortens the arguments of calls.
type A = testkit.A

// program serves orders for as long as somebody watches.
type program struct {
	language string
	file     string
	build    []string
	total    string // a function that is given an order, and gives what it costs
	line     int    // of it, where "expression" is read
	read     string
}

var programs = []program{
	{"cpp", "orders.c", []string{"gcc", "-g", "-O0", "-o", "orders", "orders.c"}, "total", 28, "o->item.price"},
	{"go", "orders.go", []string{"go", "build", "-o", "orders", "orders.go"}, "main.total", 33, "discount"},
	{"rust", "orders.rs", []string{"rustc", "-g", "-o", "orders", "orders.rs"}, "Order::total", 29, "self.item.price"},
}

// start builds a program in a folder of its own and runs it, with that many microseconds
// between two orders.
func (p program) start(t *testing.T, pause int) (dir string, process *os.Process) {
	t.Helper()
	dir = t.TempDir()
	source, err := os.ReadFile(filepath.Join("..", "..", "adapters", "observe", "testdata", p.file))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, p.file), source, 0o600); err != nil {
		t.Fatal(err)
	}
	build := exec.Command(p.build[0], p.build[1:]...)
	build.Dir, build.Env = dir, append(os.Environ(), "CGO_ENABLED=0")
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building %s: %v\n%s", p.file, err, text)
	}
	cmd := exec.Command(filepath.Join(dir, "orders"), strconv.Itoa(pause))
	cmd.Dir = dir
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	return dir, cmd.Process
}

// observe starts a session that observes a process.
func observe(t *testing.T, s *testkit.Server, process *os.Process) {
	t.Helper()
	s.OK("session_start", A{"mode": "attach", "pid": process.Pid, "adapter_options": A{"observe": true}}).
		Want("running", "data", "execution_state", "status").Contains([]string{"summary"}, "a hit of trace(arm) costs it", "without a stop")
}

// mayObserve says whether this machine lets anybody observe; where not, it sees that the
// refusal says what is missing.
func mayObserve(t *testing.T, s *testkit.Server, p program) bool {
	t.Helper()
	r := s.Call("trace", A{"action": "arm", "what": "calls", "functions": []string{p.total}})
	if r.At("success") == "true" {
		s.OK("trace", A{"action": "disarm", "id": r.At("data", "id")})
		return true
	}
	r.Want("AIDB_CAPABILITY_NOT_SUPPORTED", "error", "code")
	if testkit.IsKernelBefore(t, 6, 6) {
		r.Has("Linux 6.6")
		return false
	}
	if m, err := ebpf.NewMap(&ebpf.MapSpec{Type: ebpf.Array, KeySize: 4, ValueSize: 8, MaxEntries: 1}); err == nil && os.Getuid() == 0 {
		_ = m.Close() // it was only tried
		t.Errorf("root may make a map, and not observe: %s", r)
	}
	r.Has("CAP_BPF")
	return false
}

// await reads rows until there are so many.
func await(t *testing.T, s *testkit.Server, id string, n int) (rows [][]string, last testkit.Reply) {
	t.Helper()
	for end := time.Now().Add(patience); len(rows) < n; {
		last = s.OK("trace", A{"action": "read", "id": id, "limit": 200, "max_bytes": 40_000})
		var more [][]string
		last.Decode(&more, "data", "rows")
		rows = append(rows, more...)
		if len(rows) < n && time.Now().After(end) {
			t.Fatalf("only %d rows came: %s", len(rows), last)
		}
	}
	return rows, last
}

// Calls and values of a program that runs on are recorded, it is never stopped, and
// afterwards it is as it was.
func TestObserve(t *testing.T) {
	for _, p := range programs {
		t.Run(p.language, func(t *testing.T) {
			t.Parallel()
			dir, process := p.start(t, 1000)
			s := testkit.Start(t, testkit.Options{Dir: dir})
			observe(t, s, process)
			if !mayObserve(t, s, p) {
				return
			}
			armed := s.OK("trace", A{"action": "arm", "what": "calls", "functions": []string{p.total}})
			armed.Want("true", "data", "running").Contains([]string{"summary"}, "which runs on").Contains([]string{"data", "how"}, "in the kernel", "a hit costs the program")
			id := armed.At("data", "id")
			rows, _ := await(t, s, id, 20)
			for i, row := range rows {
				if i == 0 && row[4] == "(it began before)" { // the call that was under way as this was armed
					continue
				}
				if !strings.HasPrefix(row[0], p.file+":") || !strings.HasSuffix(row[3], "total") || !strings.Contains(row[4], "discount=") || row[5] == "" {
					t.Fatalf("a row is %q", row)
				}
			}
			values := s.OK("trace", A{"action": "arm", "what": "values", "location": fmt.Sprintf("%s:%d", p.file, p.line), "expressions": []string{p.read}, "condition": "discount > 1"})
			rows, _ = await(t, s, values.At("data", "id"), 5)
			for _, row := range rows {
				if _, err := strconv.Atoi(row[3]); err != nil {
					t.Fatalf("a row is %q", row)
				}
			}
			s.Fail("VALIDATION_MISSING_PARAM", "trace", A{"action": "read"}).Has("which one?", id)
			s.Fail("CAPABILITY_NOT_SUPPORTED", "execute", A{"action": "pause"}).Has("only observes")
			s.OK("trace", A{"action": "disarm", "id": id}).Contains([]string{"summary"}, "disarmed "+id)
			s.Fail("VALIDATION_INVALID_PARAM", "trace", A{"action": "read", "id": id}).Has("no trace " + id + " is armed")
			s.OK("session", A{"action": "stop"}).Contains([]string{"summary"}, "the program was left running").Lacks("breakpoint instructions")
			goesOn(t, process)
			isWhole(t, process)
		})
	}
}

// goesOn sees that a process lives and computes.
func goesOn(t *testing.T, process *os.Process) {
	t.Helper()
	used := func() string {
		threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", process.Pid))
		if err != nil || len(threads) == 0 {
			t.Fatalf("the program is gone: %v", err)
		}
		var all string
		for _, thread := range threads { // that of the process is only its first thread's, which may have nothing to do
			if stat, err := os.ReadFile(thread); err == nil {
				all += string(stat)
			}
		}
		return all
	}
	before := used()
	for end := time.Now().Add(patience); used() == before; {
		if time.Now().After(end) {
			t.Fatal("the program does nothing any more")
		}
		time.Sleep(10 * time.Millisecond) // it is asked of a program of another's
	}
}

// isWhole sees that the code of a process's executable is that of its file, soon.
func isWhole(t *testing.T, process *os.Process) {
	t.Helper()
	var why string
	for end := time.Now().Add(patience); ; {
		if why = difference(t, process.Pid); why == "" {
			return
		}
		if time.Now().After(end) {
			t.Fatal(why)
		}
		time.Sleep(10 * time.Millisecond) // it is asked of a program of another's
	}
}

// difference says where the code of a process differs from its file; empty: nowhere.
func difference(t *testing.T, pid int) string {
	t.Helper()
	exe := fmt.Sprintf("/proc/%d/exe", pid)
	file, err := elf.Open(exe)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	if err != nil {
		t.Fatal(err)
	}
	var bias uint64
	if file.Type == elf.ET_DYN {
		if _, err := fmt.Sscanf(string(maps), "%x-", &bias); err != nil {
			t.Fatal(err)
		}
	}
	memory, err := os.Open(fmt.Sprintf("/proc/%d/mem", pid))
	if err != nil {
		t.Fatal(err)
	}
	defer memory.Close()
	for _, p := range file.Progs {
		if p.Type != elf.PT_LOAD || p.Flags&elf.PF_X == 0 {
			continue
		}
		want, err := io.ReadAll(p.Open())
		if err != nil {
			t.Fatal(err)
		}
		is := make([]byte, len(want))
		if _, err := memory.ReadAt(is, int64(bias+p.Vaddr)); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(want, is) {
			return fmt.Sprintf("the code at %#x is not that of the file", p.Vaddr)
		}
	}
	return ""
}

// A server that is killed while it records at full speed leaves the program alive and whole.
func TestKilled(t *testing.T) {
	times := 3
	if testkit.IsLong() {
		times = 50
	}
	for _, p := range programs[:2] {
		t.Run(p.language, func(t *testing.T) {
			t.Parallel()
			dir, process := p.start(t, 50)
			for range times {
				s := testkit.Start(t, testkit.Options{Dir: dir})
				observe(t, s, process)
				if !mayObserve(t, s, p) {
					return
				}
				id := s.OK("trace", A{"action": "arm", "what": "calls", "functions": []string{p.total}}).At("data", "id")
				await(t, s, id, 20)
				s.Kill()
				isWhole(t, process)
				goesOn(t, process)
			}
		})
	}
}

// The end of the program is told, and what was recorded until then can be read.
func TestProgramEnds(t *testing.T) {
	p := programs[0]
	dir, process := p.start(t, 1000)
	s := testkit.Start(t, testkit.Options{Dir: dir})
	observe(t, s, process)
	if !mayObserve(t, s, p) {
		return
	}
	id := s.OK("trace", A{"action": "arm", "what": "calls", "functions": []string{p.total}}).At("data", "id")
	await(t, s, id, 5)
	if err := process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	s.OK("execute", A{"action": "wait"}).Want("terminated", "data", "execution_state", "status")
	s.OK("trace", A{"action": "disarm", "id": id}).Want("false", "data", "running")
}

// What is not there, and where arming would do harm, is refused.
func TestRefused(t *testing.T) {
	p := programs[1]
	dir, process := p.start(t, 1000)
	s := testkit.Start(t, testkit.Options{Dir: dir})
	pid := A{"mode": "attach", "pid": process.Pid}
	s.OK("session_start", pid).Want("running", "data", "execution_state", "status")
	s.Fail("CAPABILITY_NOT_SUPPORTED", "trace", A{"action": "arm", "what": "calls", "functions": []string{p.total}}).Has("sessions that only observe", "observe", strconv.Itoa(process.Pid))
	other := testkit.Start(t, testkit.Options{Dir: dir})
	other.Fail("VALIDATION_INVALID_PARAM", "session_start", A{"mode": "attach", "pid": process.Pid, "adapter_options": A{"observe": true}}).Has("held already by another debugger")
	s.OK("session", A{"action": "stop"})

	observe(t, s, process)
	s.Fail("VALIDATION_INVALID_PARAM", "trace", A{"action": "read"}).Has("no trace is armed")
	s.Fail("VALIDATION_INVALID_LOCATION", "trace", A{"action": "arm", "what": "values", "location": "orders.go", "expressions": []string{"o"}}).Has("no file:line")
	s.Fail("CAPABILITY_NOT_SUPPORTED", "trace", A{"action": "arm", "what": "lines", "function": "main.total"}).Has("values, calls and writes")
	s.Fail("VALIDATION_MISSING_PARAM", "trace", A{"action": "arm", "what": "writes"}).Want("expression", "error", "field")
	s.Fail("CAPABILITY_NOT_SUPPORTED", "trace", A{"action": "arm", "what": "writes", "expression": "Served", "condition": "Served > 1"}).Has("judges no condition")
	s.Fail("VALIDATION_INVALID_PARAM", "trace", A{"action": "arm", "what": "writes", "expression": "o"}).Has("a local variable")
	s.Fail("VALIDATION_MISSING_PARAM", "trace", A{"action": "arm", "what": "calls"}).Want("functions", "error", "field")
	s.Fail("VALIDATION_INVALID_PARAM", "trace", A{"action": "arm", "what": "calls", "functions": []string{"nix"}}).Has("no function nix")

	s.Fail("CAPABILITY_NOT_SUPPORTED", "breakpoint", A{"action": "set", "location": "orders.go:33", "condition": "discount > 1", "log_message": "{discount} off {o.Item.Price}"}).
		Want("log_message", "error", "field").Contains([]string{"error", "hint"}, `trace {"action":"arm","what":"values","location":"orders.go:33","expressions":["discount","o.Item.Price"],"condition":"discount > 1"}`)
	s.Fail("CAPABILITY_NOT_SUPPORTED", "breakpoint", A{"action": "set", "location": "main.total"}).Contains([]string{"error", "hint"}, `trace {"action":"arm","what":"calls","functions":["main.total"]}`)
	s.OK("session", A{"action": "stop"})
	s.Fail("CAPABILITY_NOT_SUPPORTED", "session_start", A{
		"mode": "attach", "pid": process.Pid, "adapter_options": A{"observe": true}, "breakpoints": []A{{"file": "orders.go", "line": 33, "log_message": "{discount}"}},
	}).Contains([]string{"error", "hint"}, `"location":"orders.go:33","expressions":["discount"]`)

	still := testkit.Start(t, testkit.Options{Dir: dir, Args: []string{"--read-only"}})
	still.Call("session_start", A{"mode": "attach", "pid": process.Pid, "adapter_options": A{"observe": true}})
	still.Fail("POLICY_DENIED", "trace", A{"action": "arm", "what": "calls", "functions": []string{p.total}})
	goesOn(t, process)
}
