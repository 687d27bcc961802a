//go:build linux

package languages

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

// kin starts another process of itself in each way that there is. Each writes its
// own command line and those of its ancestors into a file, and stops.
const kin = `import multiprocessing
import os
import subprocess
import sys


def work(way):
    with open("lines", "ab") as lines:
        pid = os.getpid()
        while pid > 1:
            with open("/proc/%d/cmdline" % pid, "rb") as line:
                lines.write(way.encode() + b": " + line.read() + b"\n")
            with open("/proc/%d/stat" % pid) as stat:
                pid = int(stat.read().rpartition(")")[2].split()[1])
    print(way)  # @mark work


def main():
    here, python = os.path.abspath(__file__), sys.executable
    subprocess.run([python, here, "script"], check=True)
    if len(sys.argv) > 1:
        subprocess.run([python, "-m", "kin", "module"], check=True)
        subprocess.run([python, "-c", "import kin; kin.work('code')"], check=True)
        os.spawnv(os.P_WAIT, python, [python, here, "spawnv"])
    subprocess.run([python, here, "bare"], check=True, env={})
    os.waitpid(os.posix_spawn(python, [python, here, "posix_spawn"], os.environ), 0)
    if os.fork() == 0:
        work("fork")
        os._exit(0)
    os.wait()
    if os.fork() == 0:
        os.execv(python, [python, here, "exec"])
    os.wait()
    for method in ("fork", "spawn", "forkserver"):
        child = multiprocessing.get_context(method).Process(target=work, args=("multiprocessing " + method,))
        child.start()
        child.join()
    subprocess.run("'%s' '%s' shell" % (python, here), shell=True, check=True)


if __name__ == "__main__":
    if sys.argv[1:] in ([], ["all"]):
        main()
    else:
        work(sys.argv[1])
        if sys.argv[1] == "script":
            subprocess.run([sys.executable, os.path.abspath(__file__), "grandchild"], check=True)
`

// tokens are what debugpy guards a connection with: 32 bytes, in hexadecimal.
var (
	tokens = regexp.MustCompile(`[0-9a-f]{64}`)
	spelt  = regexp.MustCompile(`\d+(, \d+){20,}`) // a text as the numbers of its bytes, as a program is injected
)

// keepsTokens wants no command line of the server's descendants to hold a token.
func keepsTokens(t *testing.T, s *testkit.Server, what string) {
	t.Helper()
	for _, p := range testkit.Descendants(s.PID()) {
		noToken(t, what, p.Command)
	}
}

func noToken(t *testing.T, what, line string) {
	t.Helper()
	plain := spelled(line)
	if token := tokens.FindString(plain); token != "" {
		t.Errorf("%s: a token stands on a command line: …%.300s", what, plain[max(0, strings.Index(plain, token)-150):])
	}
}

// spelled is a command line with what is spelt in it, and in that, as text.
func spelled(line string) string {
	plain := spelt.ReplaceAllStringFunc(line, func(numbers string) string {
		var b strings.Builder
		for number := range strings.SplitSeq(numbers, ", ") {
			if n, err := strconv.Atoi(number); err == nil {
				b.WriteByte(byte(n))
			}
		}
		return b.String()
	})
	if plain != line {
		return spelled(plain)
	}
	return line
}

// wantLines wants no token in a file of command lines, and these words.
func wantLines(t *testing.T, path string, words ...string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	plain := spelled(strings.ReplaceAll(string(text), "\x00", " "))
	noToken(t, filepath.Base(path), plain)
	for _, word := range words {
		if !strings.Contains(plain, word) {
			t.Errorf("no command line with %q was seen", word)
		}
	}
}

// All command lines of the machine can be read by all of its users. Processes of a
// program are debugged however they are started, and none gives the token away.
func TestPythonTokenOfChildren(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "")
	p.Write("kin.py", kin)
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	ways := []string{
		"script", "grandchild", "bare", "posix_spawn", "fork", "exec", "multiprocessing fork", "multiprocessing spawn", "multiprocessing forkserver",
	}
	var args []string
	if testkit.IsLong() { // those by which a process is given a command line as by another
		ways, args = slices.Insert(ways, 2, "module", "code", "spawnv"), []string{"all"}
	}
	r := s.OK("session_start", A{"target": "kin.py", "args": args, "timeout_ms": startLimit, "breakpoints": []A{{"file": "kin.py", "line": p.Line("work")}}})
	for _, way := range ways {
		r.Stopped("stopped_at_breakpoint", p.At("kin.py", "work")).Want("'"+way+"'", "data", "locals", "way", "v")
		keepsTokens(t, s, way)
		r = s.OK("execute", A{"timeout_ms": startLimit})
	}
	r.Want("terminated", "data", "execution_state", "status").Want("0", "data", "execution_state", "exit_code")
	wantLines(t, filepath.Join(p.Dir, "lines"), append(ways, "shell: ")...)
}

// watchedGDB writes its own command line and those of its ancestors into a file.
const watchedGDB = `#!/bin/sh
pid=$$
while [ "$pid" -gt 1 ]; do
	cat "/proc/$pid/cmdline"
	echo
	pid=$(sed 's/.*) . //; s/ .*//' "/proc/$pid/stat")
done >>'%s'
exec '%s' "$@"
`

// The same of the other ways to start, and where the debugger is put into a program
// that runs: gdb is given code that says how to connect.
func TestPythonTokenOfStarts(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "")
	p.Write("pack/__init__.py", "")
	p.Write("pack/__main__.py", "print('module')  # @mark module\n")
	p.Write("test_one.py", "def test_one():\n    assert True  # @mark test\n")
	p.Write("waits.py", "import time\n\nprint('runs', flush=True)\nwhile True:\n    time.sleep(0.05)  # @mark loop\n")
	bin := t.TempDir()
	gdb, err := exec.LookPath("gdb")
	if err != nil {
		t.Fatal(err)
	}
	lines := filepath.Join(bin, "lines")
	write(t, filepath.Join(bin, "gdb"), fmt.Sprintf(watchedGDB, lines, gdb), 0o755)
	s := testkit.Start(t, testkit.Options{Dir: p.Dir, Env: []string{"PATH=" + bin + ":" + os.Getenv("PATH")}})

	s.OK("session_start", A{"module": "pack", "language": "python", "timeout_ms": startLimit, "breakpoints": []A{{"file": "pack/__main__.py", "line": p.Line("module")}}}).
		Stopped("stopped_at_breakpoint", p.At("pack/__main__.py", "module"))
	keepsTokens(t, s, "module")
	s.OK("session", A{"action": "stop"})

	s.OK("session_start", A{"target": "test_one.py", "timeout_ms": startLimit, "breakpoints": []A{{"file": "test_one.py", "line": p.Line("test")}}}).
		Stopped("stopped_at_breakpoint", p.At("test_one.py", "test"))
	keepsTokens(t, s, "pytest")
	s.OK("session", A{"action": "stop"})

	waits := exec.Command("python3", filepath.Join(p.Dir, "waits.py"))
	out, err := waits.StdoutPipe()
	if err == nil {
		err = waits.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = waits.Process.Kill()
		_ = waits.Wait()
	})
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	s.OK("session_start", A{"language": "python", "pid": waits.Process.Pid, "timeout_ms": startLimit, "breakpoints": []A{{"file": "waits.py", "line": p.Line("loop")}}})
	s.OK("execute", A{"action": "wait"}).Stopped("stopped_at_breakpoint", p.At("waits.py", "loop"))
	keepsTokens(t, s, "attach")
	wantLines(t, lines, "--connect", "attach_pid_injected")
}
