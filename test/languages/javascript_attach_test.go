//go:build linux

package languages

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"syscall"
	"testing"

	"aidb-mcp/internal/testkit"
)

// looping is a node that nobody debugs and that has begun to run until the test ends:
// what setup does, then nothing, over and over. A variable is NAME=value.
func looping(t *testing.T, setup, variable string, options ...string) *exec.Cmd {
	t.Helper()
	p := testkit.NewProgram(t, "")
	p.Write("loop.js", setup+"\nconsole.log('up')\nsetInterval(() => {}, 200)\n")
	cmd := exec.Command("node", append(options, "loop.js")...)
	cmd.Dir, cmd.Env = p.Dir, append(os.Environ(), variable)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // with what it starts
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); _ = cmd.Wait() })
	if _, err := out.Read(make([]byte, 3)); err != nil {
		t.Fatal(err)
	}
	return cmd
}

// attachTo is how to attach to it.
func attachTo(cmd *exec.Cmd) A {
	return A{"mode": "attach", "pid": cmd.Process.Pid, "timeout_ms": startLimit}
}

// usualPort keeps the port at which every node opens its inspector unless it is told
// another for one test at a time, of all packages and of all checkouts on this machine.
func usualPort(t *testing.T) {
	t.Helper()
	t.Cleanup(testkit.Alone(t, filepath.Join(os.TempDir(), "aidb-test-port-9229.lock")))
}

// A node that was told to open its inspector keeps it open, and the reply says so.
func TestJavaScriptAttachOpensAPort(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	usualPort(t)
	cmd := looping(t, "", "")
	s := testkit.Start(t, testkit.Options{Dir: cmd.Dir})
	s.OK("session_start", attachTo(cmd)).
		Contains([]string{"data", "warnings"}, "opened its inspector on port 9229", "until the program ends")
}

// A node that was told where to open its inspector is attached to there, whichever
// way it was told, and the reply names that port.
func TestJavaScriptAttachAtTheOwnPort(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	for _, tt := range []struct{ option, variable string }{{"--inspect-port=0", ""}, {"--inspect-port=127.0.0.1:0", ""}, {"--no-deprecation", "--inspect-port=0"}} {
		cmd := looping(t, "", "NODE_OPTIONS="+tt.variable, tt.option)
		s := testkit.Start(t, testkit.Options{Dir: cmd.Dir})
		r := s.OK("session_start", attachTo(cmd)).Want("running", "data", "execution_state", "status")
		said := regexp.MustCompile(`opened its inspector on port (\d+)`).FindStringSubmatch(r.Text)
		if said == nil || said[1] == "9229" || said[1] == "0" {
			t.Errorf("%v: it does not name the port:\n%s", tt, r)
		}
	}
}

// Where another process is faster to open that port, it is not taken for the one that
// was meant.
func TestJavaScriptAttachTakesNoOther(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	usualPort(t)
	cmd := looping(t, "process.on('SIGUSR1', () => require('node:child_process').spawn('node', ['--inspect=9229', '-e', 'setInterval(() => {}, 200)'], { stdio: ['pipe', 'ignore', 'ignore'] }))", "")
	s := testkit.Start(t, testkit.Options{Dir: cmd.Dir})
	s.Fail("SESSION_START_FAILED", "session_start", attachTo(cmd)).
		Contains([]string{"error", "message"}, "port 9229, which is taken")
}
