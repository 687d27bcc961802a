//go:build linux

package languages

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"aidb-mcp/internal/testkit"
)

// server starts a debug server that holds the tour, and gives its port.
func server(t *testing.T, p *testkit.Program, command ...string) int {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	cmd := exec.Command(command[0], append(command[1:], "./tour", "calls")...)
	cmd.Dir, cmd.Stderr, cmd.ExtraFiles = p.Dir, w, []*os.File{w}
	err = cmd.Start()
	w.Close()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	var said []byte
	for one := make([]byte, 1); ; said = append(said, one...) {
		if m := portSaid.FindSubmatch(said); m != nil {
			port, err := strconv.Atoi(string(m[1]))
			if err != nil {
				t.Fatal(err)
			}
			return port
		}
		if _, err := io.ReadFull(r, one); err != nil {
			t.Fatalf("%s says no port: %s", filepath.Base(command[0]), said)
		}
	}
}

// portSaid matches what gdbserver says and what lldb-server writes to a pipe.
var portSaid = regexp.MustCompile(`(?:Listening on port |^)(\d+)[\n\x00]`)

// gdbServer and lldbServer are the command lines of the two, as they come with the debuggers.
func gdbServer(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(testkit.Home(), "gdb", "lib", "*", "_vendor", "bin", "gdbserver"))
	if err != nil || len(found) == 0 {
		t.Fatal("there is no gdbserver beside the gdb of the tests", err)
	}
	return []string{found[0], "--once", "127.0.0.1:0"}
}

func lldbServer() []string {
	program := filepath.Join(testkit.Home(), "adapters", "codelldb", "lldb", "bin", "lldb-server")
	return []string{program, "gdbserver", "--pipe", "3", "127.0.0.1:0", "--"}
}

// TestNativeServers joins programs that a gdbserver or an lldb-server holds, with each debugger that can.
func TestNativeServers(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	s, p := cppTour(t)
	for _, tt := range []struct {
		command []string
		options A
		calls   bool
	}{
		{gdbServer(t), A{}, true},
		{gdbServer(t), A{"debugger": "gdb"}, true},
		{gdbServer(t), A{"debugger": "codelldb"}, false},
		{lldbServer(), A{"debugger": "codelldb"}, true},
		{lldbServer(), A{"debugger": "lldb-dap"}, true},
	} {
		start := A{
			"mode": "remote_attach", "target": "tour", "port": server(t, p, tt.command...), "timeout_ms": startLimit,
			"adapter_options": tt.options, "breakpoints": []A{{"file": "tour.cpp", "line": p.Line("nested")}},
		}
		s.OK("session_start", start).Stopped("stopped_at_breakpoint", p.At("tour.cpp", "nested")).Want("6", "data", "locals", "count", "v")
		s.OK("inspect", A{"expression": "count * 2 + first"}).Want("24", "data", "result", "v")
		if tt.calls {
			s.OK("inspect", A{"expression": "twice(21)"}).Want("42", "data", "result", "v")
		}
		s.OK("step", nil).Stopped("stopped_after_step", p.At("tour.cpp", "after"))
		s.OK("execute", nil).Want("0", "data", "execution_state", "exit_code")
	}
	entry := A{
		"mode": "remote_attach", "target": "tour", "port": server(t, p, lldbServer()...), "timeout_ms": startLimit,
		"adapter_options": A{"debugger": "codelldb"}, "stop_on_entry": true,
	}
	s.OK("session_start", entry).Want("stopped_at_entry", "data", "execution_state", "status")
	s.OK("execute", nil).Want("0", "data", "execution_state", "exit_code")
	wrong := A{
		"mode": "remote_attach", "target": "tour", "port": server(t, p, lldbServer()...), "timeout_ms": startLimit,
		"adapter_options": A{"debugger": "gdb"},
	}
	s.Fail("SESSION_START_FAILED", "session_start", wrong).Has("may be an lldb-server", "codelldb")
}
