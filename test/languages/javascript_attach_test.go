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

// A node that was told to open its inspector keeps it open, and the reply says
// so. It is always the same port: this runs alone, beside no other that attaches.
func TestJavaScriptAttachOpensAPort(t *testing.T) {
	testkit.Adapters(t)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "loop.js"), "console.log('up')\nsetInterval(() => {}, 200)\n", 0o644)
	cmd := exec.Command("node", "loop.js")
	cmd.Dir = dir
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	if _, err := out.Read(make([]byte, 3)); err != nil {
		t.Fatal(err)
	}
	s := testkit.Start(t, testkit.Options{Dir: dir})
	s.OK("session_start", A{"mode": "attach", "pid": cmd.Process.Pid, "timeout_ms": startLimit}).
		Contains([]string{"data", "warnings"}, "opened its inspector on port 9229", "until the program ends")
}

// A node that was told where to open its inspector is attached to there, whichever
// way it was told, and the reply names that port.
func TestJavaScriptAttachAtTheOwnPort(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "loop.js"), "console.log('up')\nsetInterval(() => {}, 200)\n", 0o644)
	for _, tt := range []struct{ option, variable string }{{"--inspect-port=0", ""}, {"--inspect-port=127.0.0.1:0", ""}, {"--no-deprecation", "--inspect-port=0"}} {
		cmd := exec.Command("node", tt.option, "loop.js")
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "NODE_OPTIONS="+tt.variable)
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
		if _, err := out.Read(make([]byte, 3)); err != nil {
			t.Fatal(err)
		}
		s := testkit.Start(t, testkit.Options{Dir: dir})
		r := s.OK("session_start", A{"mode": "attach", "pid": cmd.Process.Pid, "timeout_ms": startLimit}).Want("running", "data", "execution_state", "status")
		said := regexp.MustCompile(`opened its inspector on port (\d+)`).FindStringSubmatch(r.Text)
		if said == nil || said[1] == "9229" || said[1] == "0" {
			t.Errorf("%v: it does not name the port:\n%s", tt, r)
		}
	}
}

// Where another process is faster to open that port, it is not taken for the one that
// was meant.
func TestJavaScriptAttachTakesNoOther(t *testing.T) {
	testkit.Adapters(t)
	p := testkit.NewProgram(t, "")
	p.Write("loop.js", `process.on('SIGUSR1', () => require('node:child_process').spawn('node', ['--inspect=9229', '-e', 'setInterval(() => {}, 200)'], { stdio: ['pipe', 'ignore', 'ignore'] }))
console.log('up')
setInterval(() => {}, 200)
`)
	cmd := exec.Command("node", "loop.js")
	cmd.Dir = p.Dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); _ = cmd.Wait() }()
	if _, err := out.Read(make([]byte, 3)); err != nil {
		t.Fatal(err)
	}
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	s.Fail("SESSION_START_FAILED", "session_start", A{"mode": "attach", "pid": cmd.Process.Pid, "timeout_ms": startLimit}).
		Contains([]string{"error", "message"}, "port 9229, which is taken")
}
