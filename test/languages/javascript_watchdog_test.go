//go:build linux

package languages

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

const forkingText = `const { fork } = require('node:child_process');
function twice(n) {
  return n * 2;
}
if (process.argv[2]) {
  process.send(twice(21));
  process.disconnect();
} else {
  fork(__filename, ['child']).once('message', (answer) => console.log('answer', answer));
}
`

// watchdogs counts the processes that pass on what node's inspectors say: those
// that do it at once, which are ours, and js-debug's own, which cannot.
func watchdogs(pid int) (ours, slow int) {
	for _, p := range testkit.Descendants(pid) {
		switch {
		case strings.Contains(p.Command, " watch-node "):
			ours++
		case strings.Contains(p.Command, "watchdog.js"):
			slow++
		}
	}
	return ours, slow
}

// Each process of a program has its inspector heard without delay, and ends as if
// nobody had listened. A program that ends is seen to end each time: so often,
// because one of our attempts hung one program in five.
func TestJavaScriptIsHeardAtOnce(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	p := testkit.NewProgram(t, "")
	p.Write("forking.js", forkingText)
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	for range testkit.Rounds(3, 10) {
		s.OK("session_start", A{"target": "forking.js", "timeout_ms": startLimit, "breakpoints": []A{{"file": "forking.js", "line": 3}}}).
			Stopped("stopped_at_breakpoint", "forking.js:3").Want("21", "data", "locals", "n", "v")
		if ours, slow := watchdogs(s.PID()); ours != 2 || slow != 0 {
			t.Errorf("%d processes of ours listen to the two nodes, and %d of js-debug's", ours, slow)
		}
		s.OK("step", nil).Want("42", "data", "return_value", "twice", "v")
		s.OK("execute", A{"timeout_ms": startLimit}).Want("terminated", "data", "execution_state", "status").
			Want("0", "data", "execution_state", "exit_code").Contains([]string{"data"}, "answer 42")
	}
}

// Where our process cannot be started js-debug's own does its work.
func TestJavaScriptWithoutOurWatchdog(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	for name, path := range map[string]string{"missing": "'/nowhere'", "no program": "__filename"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := testkit.NewProgram(t, "")
			p.Write("forking.js", strings.Replace(forkingText, "fork(__filename", "process.env.AIDB_WATCHDOG = "+path+";\n  fork(__filename", 1))
			s := testkit.Start(t, testkit.Options{Dir: p.Dir})
			s.OK("session_start", A{"target": "forking.js", "timeout_ms": startLimit, "breakpoints": []A{{"file": "forking.js", "line": 3}}}).
				Stopped("stopped_at_breakpoint", "forking.js:3")
			if ours, slow := watchdogs(s.PID()); ours != 1 || slow != 1 {
				t.Errorf("%d processes of ours listen, and %d of js-debug's; want one each", ours, slow)
			}
			s.OK("execute", A{"timeout_ms": startLimit}).Want("terminated", "data", "execution_state", "status")
		})
	}
}

// The inspector of a process that the program starts is open before js-debug is at it,
// for as long as a busy machine likes. It is not what the program listens at.
func TestJavaScriptInspectorIsNoServer(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	p := testkit.NewProgram(t, "")
	p.Write("forking.js", strings.Replace(forkingText, "  fork(", `  const slow = __dirname + '/slow.sh';
  require('node:fs').writeFileSync(slow, '#!/bin/sh\nsleep 2\nexec ' + process.env.AIDB_WATCHDOG + ' "$@"\n', { mode: 0o755 });
  process.env.AIDB_WATCHDOG = slow;
  fork(`, 1))
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	s.OK("session_start", A{"target": "forking.js", "timeout_ms": startLimit, "breakpoints": []A{{"file": "forking.js", "line": 3}}}).
		Stopped("stopped_at_breakpoint", "forking.js:3")
	s.OK("execute", A{"timeout_ms": startLimit}).Want("terminated", "data", "execution_state", "status").
		Contains([]string{"data"}, "answer 42")
}

// So are a program that is attached to, and the processes that it starts then. It
// lives on afterwards, and what it starts later is like what it started before.
func TestJavaScriptAttachedIsHeardAtOnce(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	p := testkit.NewProgram(t, "")
	p.Write("forking.js", strings.NewReplacer("  fork(", "  process.stdin.on('data', (said) => String(said).startsWith('env') ? console.log('env', encodeURIComponent(process.env.VSCODE_INSPECTOR_OPTIONS)) : fork(", "answer));", "answer)));").Replace(forkingText))
	cmd := exec.Command("node", "--inspect=127.0.0.1:0", "forking.js")
	cmd.Dir = p.Dir
	in, _ := cmd.StdinPipe()
	out, _ := cmd.StdoutPipe()
	said, _ := cmd.StderrPipe()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	answers, words := bufio.NewReader(out), bufio.NewReader(said)
	line, err := words.ReadString('\n')
	_, rest, found := strings.Cut(line, "ws://127.0.0.1:")
	port, _, _ := strings.Cut(rest, "/")
	number, _ := strconv.Atoi(port)
	if err != nil || !found || number == 0 {
		t.Fatalf("node says %q, %v", line, err)
	}
	go func() { _, _ = io.Copy(io.Discard, words) }()
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	fork := func() {
		t.Helper()
		if _, err := io.WriteString(in, "go\n"); err != nil {
			t.Fatal(err)
		}
	}
	answered := func() {
		t.Helper()
		if line, err := answers.ReadString('\n'); err != nil || line != "answer 42\n" {
			t.Fatalf("the program says %q, %v", line, err)
		}
	}
	// js-debug sets the environment of what the program starts a moment after it has attached.
	before := "env undefined\n"
	prepared := func() {
		t.Helper()
		testkit.Eventually(t, testkit.CallLimit, "the environment of its children", func() bool {
			_, _ = io.WriteString(in, "env\n")
			line, err := answers.ReadString('\n')
			if err != nil || line == before {
				return err != nil
			}
			before = line
			return true
		})
	}
	for range 3 {
		s.OK("session_start", A{"port": number, "timeout_ms": startLimit}).Want("running", "data", "execution_state", "status")
		s.OK("breakpoint", A{"location": "forking.js:3"})
		prepared()
		if !slices.ContainsFunc(testkit.Descendants(s.PID()), func(p testkit.Proc) bool {
			return strings.Contains(p.Command, "aidb-mcp relay-node ") && connectedTo(p.PID, number)
		}) {
			t.Error("no relay stands between the inspector and js-debug")
		}
		fork()
		s.OK("execute", A{"action": "wait", "timeout_ms": startLimit}).Stopped("stopped_at_breakpoint", "forking.js:3").Want("21", "data", "locals", "n", "v")
		if ours, slow := watchdogs(cmd.Process.Pid); ours != 1 || slow != 0 {
			t.Errorf("%d processes of ours listen to the child, and %d of js-debug's", ours, slow)
		}
		s.OK("execute", A{"timeout_ms": 1})
		answered()
		s.OK("session", A{"action": "stop"})
		fork()
		answered()
	}
}

// connectedTo says that a server, or what it is besides (a relay), has a connection to a port of this machine.
func connectedTo(pid, port int) bool {
	text, _ := os.ReadFile("/proc/net/tcp")
	var ours []string
	binary, _ := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid))
	links, _ := filepath.Glob("/proc/[0-9]*/fd/*")
	for _, link := range links {
		if exe, err := os.Readlink(filepath.Join(filepath.Dir(filepath.Dir(link)), "exe")); err != nil || exe != binary {
			continue
		}
		if name, err := os.Readlink(link); err == nil && strings.HasPrefix(name, "socket:[") {
			ours = append(ours, strings.Trim(name, "socket:[]"))
		}
	}
	for row := range strings.SplitSeq(string(text), "\n") {
		if f := strings.Fields(row); len(f) > 9 && strings.HasSuffix(f[2], fmt.Sprintf(":%04X", port)) && slices.Contains(ours, f[9]) {
			return true
		}
	}
	return false
}
