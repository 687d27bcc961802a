//go:build linux

package test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"

	"aidb-mcp/internal/testkit"
)

// A call prints what an agent would read, says that its session ends, and fails
// when the reply does.
func TestCall(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "nilderef")
	file := filepath.Join(p.Dir, "arguments.json")
	if err := os.WriteFile(file, []byte(`{"target": "."}`), 0o600); err != nil {
		t.Fatal(err)
	}
	const ends = "the session go-1 ends with this call; aidb-mcp shell keeps"
	for _, tt := range []struct {
		name, stdin string
		args        []string
		code        int
		out, errs   string
	}{
		{"object", "", []string{"session_start", `{"target": "."}`}, 0, "panic: ", ends},
		{"file", "", []string{"session_start", "@" + file}, 0, "panic: ", ends},
		{"pipe", `{"target": "."}`, []string{"session_start"}, 0, "panic: ", ends},
		{"words", "", []string{"session_start", "target=."}, 0, "panic: ", ends},
		{"JSON", "", []string{"config", "--json"}, 0, "\"success\": true", ""},
		{"an error", "", []string{"inspect", "locals"}, 1, "AIDB_SESSION_NOT_STARTED", "the call failed"},
		{"held to flags", "", []string{"session_start", "target=.", "--read-only"}, 1, "AIDB_POLICY_DENIED", "the call failed"},
		{"no tool", "", []string{"inspct"}, 1, "", "did you mean inspect?"},
		{"no JSON", "", []string{"inspect", "{"}, 1, "", "line 1: this is no JSON"},
		{"no object", "[]", []string{"inspect", "-"}, 1, "", "standard input: want a JSON object"},
		{"no server", "", []string{"config", "--url", "http://127.0.0.1:1/mcp"}, 1, "AIDB_BRIDGE_DOWN", "the call failed"},
		{"another's flags", "", []string{"config", "--url", "http://127.0.0.1:1/mcp", "--read-only"}, 1, "", "--read-only=true is for a server of one's own"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var out, errs strings.Builder
			cmd := exec.Command(testkit.Binary(t), append([]string{"call"}, tt.args...)...)
			cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = p.Dir, strings.NewReader(tt.stdin), &out, &errs
			cmd.Env = append(os.Environ(), "AIDB_HOME="+testkit.Home(), "AIDB_NO_STORE=true")
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			timer := time.AfterFunc(testkit.CallLimit, func() { _ = cmd.Process.Kill() })
			defer timer.Stop()
			_ = cmd.Wait()
			if code := cmd.ProcessState.ExitCode(); code != tt.code || !strings.Contains(out.String(), tt.out) || !strings.Contains(errs.String(), tt.errs) || (tt.out == "") != (out.Len() == 0) {
				t.Errorf("exit code %d, want %d; want %q and %q\n%s\n%s", code, tt.code, tt.out, tt.errs, &out, &errs)
			}
		})
	}
}

// A person at a terminal: Tab completes, Control-C drops a line and gives up on a
// call, the session lasts until the end, and what was typed is there the next time.
func TestShellAtATerminal(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "endless")
	state := t.TempDir()
	s := openShell(t, p.Dir, state)
	s.see("aidb> ")
	s.keys("conf\t")
	s.see("config ")
	s.keys("nothing\x03")
	s.keys("session_start {\"target\": \".\",\r")
	s.see("  ... ")
	s.keys("\"timeout_ms\": 60000, \"bre\t[{\"file\": \"main.go\", \"line\": 9}]}\r")
	s.see("stopped at breakpoint 1")
	s.see("aidb> ")
	s.keys("breakpoint clear_all\r")
	s.see("aidb> ")
	s.keys("execute timeout_ms=60000\r")
	s.interrupt("the call was given up")
	s.see("aidb> ")
	s.keys("session status\r")
	s.see("running")
	s.see("aidb> ")
	s.keys("exit\r")
	s.end()
	testkit.NoneLeft(t, 10*time.Second, func() []testkit.Proc { return testkit.Marked("AIDB_HOME=" + state) })

	history := filepath.Join(state, "shell_history")
	info, err := os.Stat(history)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info, err)
	}
	text, err := os.ReadFile(history)
	if want := "session_start {\"target\": \".\", \"timeout_ms\": 60000, \"breakpoints\": [{"; err != nil || !strings.Contains(string(text), want) || strings.Contains(string(text), "nothing") {
		t.Errorf("%v: the history is\n%s", err, text)
	}
	again := openShell(t, p.Dir, state)
	again.see("aidb> ")
	again.keys("\x1b[A\x1b[A") // up, past exit
	again.see("session status")
	again.keys("\x03\x04")
	again.end()
}

// terminal is a shell at a pseudo terminal.
type terminal struct {
	t     *testing.T
	cmd   *exec.Cmd
	pty   *os.File
	mu    sync.Mutex
	shown bytes.Buffer
	seen  int
	more  chan struct{}
	ended chan error
}

func openShell(t *testing.T, dir, state string) *terminal {
	t.Helper()
	s := &terminal{t: t, more: make(chan struct{}, 1), ended: make(chan error, 1)}
	s.cmd = exec.Command(testkit.Binary(t), "shell", "--no-store")
	s.cmd.Dir = dir
	s.cmd.Env = append(os.Environ(), "AIDB_HOME="+state, "TERM=xterm")
	var err error
	if s.pty, err = pty.StartWithSize(s.cmd, &pty.Winsize{Rows: 40, Cols: 200}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.pty.Close() })
	go func() {
		buffer := make([]byte, 4096)
		for {
			n, err := s.pty.Read(buffer)
			s.mu.Lock()
			s.shown.Write(buffer[:n])
			s.mu.Unlock()
			select {
			case s.more <- struct{}{}:
			default:
			}
			if err != nil {
				s.ended <- s.cmd.Wait()
				return
			}
		}
	}()
	return s
}

// see waits until the terminal shows something that it has not shown before.
func (s *terminal) see(want string) {
	s.t.Helper()
	limit := time.After(testkit.CallLimit)
	for {
		s.mu.Lock()
		text := s.shown.String()
		at := strings.Index(text[s.seen:], want)
		if at >= 0 {
			s.seen += at + len(want)
		}
		s.mu.Unlock()
		if at >= 0 {
			return
		}
		select {
		case <-s.more:
		case <-limit:
			s.t.Fatalf("%q was not shown in\n%s", want, text)
		}
	}
}

func (s *terminal) keys(typed string) {
	s.t.Helper()
	if _, err := s.pty.WriteString(typed); err != nil {
		s.t.Fatal(err)
	}
}

// interrupt types Control-C until the terminal shows something: the first may come
// before the call that it is meant for.
func (s *terminal) interrupt(want string) {
	s.t.Helper()
	done := make(chan struct{})
	var typing sync.WaitGroup
	typing.Go(func() {
		every := time.NewTicker(200 * time.Millisecond)
		defer every.Stop()
		for {
			select {
			case <-every.C:
				s.keys("\x03")
			case <-done:
				return
			}
		}
	})
	s.see(want)
	close(done)
	typing.Wait()
}

func (s *terminal) end() {
	s.t.Helper()
	select {
	case err := <-s.ended:
		if err != nil {
			s.t.Errorf("the shell ended with %v", err)
		}
	case <-time.After(testkit.CallLimit):
		_ = s.cmd.Process.Kill()
		s.t.Fatal("the shell did not end")
	}
}
