//go:build linux

package test

import (
	"syscall"
	"testing"
	"time"

	"aidb-mcp/internal/system/process"
	"aidb-mcp/internal/testkit"
)

// quiet is a module whose tests fail without a word, in packages and modules
// that have to be found.
var quiet = map[string]string{
	"go.work":          "go 1.25\n\nuse (\n\t.\n\t./other\n)\n",
	"go.mod":           "module quiet\n\ngo 1.25\n",
	"other/go.mod":     "module other\n\ngo 1.25\n",
	"other/o_test.go":  "package other\n\nimport \"testing\"\n\nfunc TestOther(t *testing.T) {\n\tt.FailNow()\n}\n",
	"a/deep/d_test.go": "package deep\n\nimport \"testing\"\n\nfunc TestTwice(t *testing.T) {}\n\nfunc TestDeep(t *testing.T) {\n\tn := 1\n\tif n != 2 {\n\t\tt.Fail()\n\t}\n\tt.FailNow()\n}\n",
	"b/b_test.go": "package b\n\nimport \"testing\"\n\nfunc TestTwice(t *testing.T) {}\n\nfunc TestItems(t *testing.T) {\n" +
		"\tfor _, n := range []string{\"first one\", \"second\"} {\n\t\tt.Run(n, func(t *testing.T) {\n\t\t\tdefer func() { recover() }()\n\t\t\tpanic(n)\n\t\t})\n\t}\n}\n",
	"scripts/one.go":    "package main\n\nfunc main() { print(greeting(), 1) }\n",
	"scripts/two.go":    "package main\n\nfunc main() { print(greeting(), 2) }\n",
	"scripts/common.go": "package main\n\nfunc greeting() string { return \"script \" }\n",
}

func TestGoTestsAreFound(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "exit0")
	for name, text := range quiet {
		p.Write(name, text)
	}
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})

	// A failure without a message stops, once.
	r := s.OK("session_start", A{"test": "TestDeep"}).Stopped("stopped_at_exception", "a/deep/d_test.go:10")
	r.Has("TestDeep: failed without a message").Want("1", "data", "locals", "n", "v")
	s.OK("execute", nil).Want("1", "data", "execution_state", "exit_code")
	s.OK("session_start", A{"test": "TestOther"}).Stopped("stopped_at_exception", "other/o_test.go:6")
	s.OK("context", nil).Want("start TestOther in ./other", "data", "operations", "0", "what")

	// A file in the place of a test means all of its tests.
	s.OK("session_start", A{"test": "a/deep/d_test.go"}).Stopped("stopped_at_exception", "a/deep/d_test.go:10")

	// What is caught is no failure.
	s.OK("session_start", A{"test": "TestItems"}).Want("0", "data", "execution_state", "exit_code")
	s.Fail("VALIDATION_INVALID_TARGET", "session_start", A{"test": "TestItems/first"}).
		Contains([]string{"summary"}, "no test ran").Contains([]string{"error", "hint"}, "TestItems/first_one")
	s.Fail("VALIDATION_INVALID_PARAM", "session_start", A{"test": "TestTwice"}).Has("./a/deep", "./b")
	s.Fail("VALIDATION_INVALID_PARAM", "session_start", A{"test": "TestDeepp"}).Contains([]string{"error", "hint"}, "TestDeep")

	s.OK("session_start", A{"target": "scripts/two.go"}).Want("script 2", "data", "output", "stderr")
	s.Fail("VALIDATION_INVALID_TARGET", "session_start", A{"target": "scripts"}).Has("scripts/one.go", "scripts/two.go")
}

// What became of the processes that a program has started is said when it ends,
// and when it is ended.
func TestOtherProcessesAreToldOf(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "exit0")
	p.Write("main.go", `package main

import (
	"os"
	"os/exec"
	"syscall"
)

func never() { println("never") }

func main() {
	cmd := exec.Command("sleep", "301")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil || len(os.Args) > 9 {
		never()
	}
}
`)
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	r := s.OK("session_start", A{"target": ".", "breakpoints": []A{{"function": "main.never"}}})
	r.Contains([]string{"data", "warnings", "0"}, "1 process that the program had started outlived it, and ended with the session: sleep 301")
	r.Contains([]string{"data", "warnings", "1"}, "no breakpoint is hit in a process that is not followed", "sleep 301")

	s.OK("session_start", A{"target": ".", "breakpoints": []A{{"file": "main.go", "line": 17}}}).Stopped("stopped_at_breakpoint", "main.go:17")
	s.OK("session", A{"action": "stop"}).Contains([]string{"summary"}, "1 process that the program had started ended with it: sleep 301")
	testkit.NoneLeft(t, testkit.CallLimit, func() []testkit.Proc { return testkit.Descendants(s.PID()) })
}

// A program that is killed while it stands still is not looked at any more, and
// what a log message prints reads as the program would print it.
func TestKilledAtAStop(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "exit0")
	p.Write("main.go", "package main\n\nfunc main() {\n\tfor b := range uint8(2) {\n\t\tprintln(b)\n\t}\n\tprintln(1)\n}\n")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	s.OK("session_start", A{"target": ".", "breakpoints": []A{{"file": "main.go", "line": 5, "log_message": "b is {b}"}, {"file": "main.go", "line": 7}}}).
		Want("b is 0\nb is 1\n", "data", "output", "log")
	pid := s.OK("session", nil).Int("data", "pid")
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	testkit.Eventually(t, 20*time.Second, "the end of the program", func() bool { return process.Gone(pid) })
	for _, target := range []string{"locals", "stack"} {
		s.Fail("SESSION_TERMINATED", "inspect", A{"target": target}).Contains([]string{"error", "message"}, "SIGKILL")
	}
	s.Fail("SESSION_TERMINATED", "execute", nil).Contains([]string{"error", "message"}, "SIGKILL")
}
