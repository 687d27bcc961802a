//go:build linux

package test

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
)

func TestStartTargets(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, program string
		args          A
		file, mark    string
	}{
		{"package directory", "averages", A{"target": "."}, "main.go", "sum"},
		{"source file", "averages", A{"target": "main.go"}, "main.go", "sum"},
		{"import path of the module", "vendored", A{"target": "example.org/vendored/cmd/app"}, "cmd/app/main.go", "main"},
		{"import path as module", "vendored", A{"module": "example.org/vendored/cmd/app"}, "cmd/app/main.go", "main"},
		{"relative directory, dependency in vendor", "vendored", A{"target": "./cmd/app"}, "vendor/example.org/greeting/greeting.go", "hello"},
		{"second package of the module", "vendored", A{"target": "./cmd/app"}, "internal/text/text.go", "loud"},
		{"workspace", "workspace", A{"target": "./app"}, "lib/lib.go", "add"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s, p := testkit.Open(t, tt.program)
			tt.args["breakpoints"] = []A{{"file": tt.file, "line": p.Line(tt.mark)}}
			r := s.OK("session_start", tt.args).Stopped("stopped_at_breakpoint", p.At(tt.file, tt.mark))
			r.Want("go-1", "session_id")
			s.OK("session", A{"action": "stop"})
			testkit.NoneLeft(t, 15*time.Second, func() []testkit.Proc { return testkit.Descendants(s.PID()) })
			s.NoScratch(15 * time.Second)
		})
	}
}

func TestStartInUnicodeDirectory(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgramIn(t, "unicode", "grüße und mehr 日本")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	r := s.OK("session_start", A{"target": ".", "breakpoints": []A{{"file": "größe.go", "line": p.Line("print")}}})
	r.Stopped("stopped_at_breakpoint", p.At("größe.go", "print")).Want("3", "data", "locals", "größe", "v")
	s.OK("execute", nil).Want("terminated", "data", "execution_state", "status").Has(`Größe: 3`)
}

// A program in another module than the server's working directory.
func TestStartInAnotherModule(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "averages")
	elsewhere := testkit.NewProgram(t, "exit0")
	s := testkit.Start(t, testkit.Options{Dir: elsewhere.Dir})
	file := filepath.Join(p.Dir, "main.go")
	r := s.OK("session_start", A{"target": p.Dir, "breakpoints": []A{{"file": file, "line": p.Line("divide")}}})
	r.Want("stopped_at_breakpoint", "data", "execution_state", "status")
	r.Contains([]string{"data", "location"}, p.At("main.go", "divide"))
	r.Want("main.mean", "data", "function")
}

func TestStartTest(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, test, want string // want: the test's name when it is stopped in Discount; "" when it never is
		price            string
	}{
		{"whole test", "TestDiscount", "nothing off", "200"},
		{"subtest with spaces and brackets", "TestDiscount/big sale (80%)", "big sale (80%)", "200"},
		{"subtest as go test prints it", "TestDiscount/big_sale_(80%)", "big sale (80%)", "200"},
		{"subtest with a slash", "TestDiscount/Schluss/Verkauf ü", "Schluss/Verkauf ü", "100"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s, p := testkit.Open(t, "subtests")
			r := s.OK("session_start", A{"target": ".", "mode": "test", "test": tt.test,
				"breakpoints": []A{{"file": "price.go", "line": p.Line("discount")}}})
			r.Stopped("stopped_at_breakpoint", p.At("price.go", "discount")).Want(tt.price, "data", "locals", "price", "v")
			s.OK("inspect", A{"expression": "tt.name", "frame": 1}).Contains([]string{"data", "result", "v"}, tt.want)
		})
	}
	t.Run("only the named test runs", func(t *testing.T) {
		t.Parallel()
		s, p := testkit.Open(t, "subtests")
		r := s.OK("session_start", A{"target": "./", "test": "TestOther", "breakpoints": []A{
			{"file": "price_test.go", "line": p.Line("otherwise")}, {"file": "price_test.go", "line": p.Line("wrong")}}})
		r.Want("terminated", "data", "execution_state", "status").Want("0", "data", "execution_state", "exit_code")
	})
	t.Run("failing test", func(t *testing.T) {
		t.Parallel()
		s, p := testkit.Open(t, "subtests")
		r := s.OK("session_start", A{"target": "price_test.go", "test": "TestDiscount"})
		r.Stopped("stopped_at_exception", p.At("price_test.go", "wrong")).Want("-50", "data", "locals", "got", "v")
		r.Contains([]string{"data", "exception", "message"}, "big_sale", "= -50, want 40")
		end := s.OK("execute", nil).Want("terminated", "data", "execution_state", "status").Want("1", "data", "execution_state", "exit_code")
		end.Has("Discount(200, 80) = -50, want 40")
	})
	t.Run("unknown test", func(t *testing.T) {
		t.Parallel()
		s, _ := testkit.Open(t, "subtests")
		r := s.Call("session_start", A{"target": ".", "test": "TestDiscuont"})
		r.Has("TestDiscuont", "TestDiscount")
	})
}

func TestStartBuildFlagsAndTags(t *testing.T) {
	t.Parallel()
	s, p := testkit.Open(t, "tags")
	r := s.OK("session_start", A{"target": ".", "build_args": []string{"-tags=special", "-ldflags=-X main.version=v7"},
		"breakpoints": []A{{"file": "special.go", "line": p.Line("special")}}})
	r.Stopped("stopped_at_breakpoint", p.At("special.go", "special"))
	s.OK("execute", nil).Has("special v7")
}

func TestStartEnvironment(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "environment")
	p.Write("vars.env", "# comment\nPLANET=\"the earth\"\nGREETING=from file\n")
	if err := os.Mkdir(filepath.Join(p.Dir, "sub dir"), 0o755); err != nil {
		t.Fatal(err)
	}
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	r := s.OK("session_start", A{"target": ".", "args": []string{"one", "two words", `"quoted"`, ""},
		"env": A{"GREETING": "hello = you"}, "env_file": "vars.env", "cwd": "sub dir"})
	r.Want("terminated", "data", "execution_state", "status")
	r.Contains([]string{"data", "output", "stdout"},
		`args 4 [one two words "quoted" ]`, filepath.Join(p.Dir, "sub dir")+" <nil>", "greeting hello = you", "planet the earth")
}

func TestStartBinary(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "averages")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	bin := p.Build(".")
	r := s.OK("session_start", A{"target": bin, "breakpoints": p.BreakAt("divide")})
	r.Stopped("stopped_at_breakpoint", p.At("main.go", "divide"))
	s.OK("session", A{"action": "stop"})
	if _, err := os.Stat(bin); err != nil {
		t.Errorf("the user's binary is gone: %v", err)
	}
}

func TestStartOptimisedAndStrippedBinary(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "averages")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	cmd := exec.Command("go", "build", "-o", filepath.Join(filepath.Dir(p.Dir), "optimised"), ".")
	cmd.Dir = p.Dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	r := s.OK("session_start", A{"target": cmd.Args[3], "mode": "exec", "breakpoints": []A{{"function": "main.main"}}})
	r.Want("main.main", "data", "function").Has("optimized")

	stripped := p.Build(".", "-ldflags=-s -w")
	r = s.Call("session_start", A{"target": stripped, "mode": "exec", "breakpoints": p.BreakAt("divide")})
	r.Has("stripped")
}

// A core file is looked at where it was written, and cannot be run.
func TestStartCore(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "averages")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	bin, core := p.Build("."), filepath.Join(filepath.Dir(p.Dir), "core")
	if out, err := helperCommand(t, "core", bin, p.At(filepath.Join(p.Dir, "main.go"), "divide"), core).Output(); err != nil {
		t.Fatalf("dumping a core: %v\n%s", err, out)
	}
	r := s.OK("session_start", A{"target": bin, "core_file": core})
	r.Want(p.At("main.go", "divide"), "data", "location").Want("main.mean", "data", "function")
	s.OK("inspect", A{"expression": "marks"}).Contains([]string{"data", "result"}, "90")
	s.OK("inspect", A{"target": "stack"}).Has("main.report")
	for _, call := range []A{{"action": "continue"}} {
		r := s.Call("execute", call)
		if !r.IsError {
			t.Errorf("a core file was run:\n%s", r)
		}
		r.Has("core")
	}
	s.OK("session", A{"action": "stop"})
}

// A program that was attached to lives on when the session stops, unless told otherwise.
func TestAttach(t *testing.T) {
	t.Parallel()
	p, program, exited := serving(t)
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})

	at := p.At("main.go", "handle")
	r := s.OK("session_start", A{"mode": "attach", "pid": program.Pid, "breakpoints": p.BreakAt("handle")})
	r.Stopped("stopped_at_breakpoint", at).Want("main.(*service).handle", "data", "function")
	s.OK("breakpoint", A{"action": "clear_all"})
	s.OK("execute", A{"timeout_ms": 300}).Want("running", "data", "execution_state", "status")
	s.OK("session", A{"action": "stop"}).Contains([]string{"summary"}, "the program was left running")
	// Without anything to stop at there is nothing to wait for.
	s.OK("session_start", A{"pid": program.Pid, "timeout_ms": 300_000}).Want("running", "data", "execution_state", "status")
	s.OK("session", A{"action": "stop"})
	testkit.NoneLeft(t, 15*time.Second, func() []testkit.Proc { return testkit.Descendants(s.PID()) })
	if err := program.Signal(syscall.Signal(0)); err != nil {
		t.Fatalf("the program that was attached to is gone: %v", err)
	}

	r = s.OK("session_start", A{"pid": strconv.Itoa(program.Pid), "breakpoints": p.BreakAt("handle")})
	r.Stopped("stopped_at_breakpoint", at)
	s.OK("session", A{"action": "stop", "kill": true})
	select {
	case <-exited:
	case <-time.After(10 * time.Second):
		t.Error("kill did not end the program that was attached to")
	}
	s.Fail("VALIDATION_INVALID_PARAM", "session_start", A{"mode": "attach", "pid": program.Pid}).Has("no process")
}

// headless runs a program under a Delve of its own, and gives its port.
func headless(t *testing.T, args ...string) (debugger *os.Process, port int) {
	t.Helper()
	remote := helperCommand(t, "headless", args...)
	out, err := remote.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := remote.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, program := range testkit.Descendants(remote.Process.Pid) { // it does not end with its debugger
			_ = syscall.Kill(program.PID, syscall.SIGKILL)
		}
		_ = remote.Process.Kill()
		_ = remote.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	port, _ = strconv.Atoi(strings.TrimSpace(line))
	return remote.Process, port
}

func TestRemoteAttach(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "averages")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	_, port := headless(t, p.Build("."))
	r := s.OK("session_start", A{"host": "127.0.0.1", "port": port, "breakpoints": p.BreakAt("divide")})
	r.Stopped("stopped_at_breakpoint", p.At("main.go", "divide"))
	s.OK("session", A{"action": "stop"})
	s.Fail("SESSION_START_FAILED", "session_start", A{"mode": "remote_attach", "language": "go", "host": "127.0.0.1", "port": 1})
}

// A program that a headless Delve has just loaded goes on to its main function, for
// before that it has no goroutine; one that runs is paused where it is.
func TestRemoteAttachStopsOnEntry(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "service")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	debugger, port := headless(t, p.Build("."))
	start := A{"mode": "attach", "language": "go", "port": port, "stop_on_entry": true} // attach and remote_attach are one there
	s.OK("session_start", start).Want("stopped_at_entry", "data", "execution_state", "status").Want("main.main", "data", "function")
	s.OK("step", nil).Want("main.main", "data", "function")
	s.OK("session", A{"action": "stop"}).Contains([]string{"summary"}, "the program was left running")
	goesOn(t, debugger)
	s.OK("session_start", start).Want("paused", "data", "execution_state", "status").
		Contains([]string{"data", "location"}, "main.go:")
}

// A program behind a headless Delve goes on when it is left, also where it stood at a
// breakpoint, and can be joined again. Where that Delve ends it, the reply says so.
func TestRemoteAttachLeavesTheProgram(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "service")
	s, binary := testkit.Start(t, testkit.Options{Dir: p.Dir}), p.Build(".")
	start := func(request A) {
		s.OK("session_start", request).Stopped("stopped_at_breakpoint", p.At("main.go", "handle"))
	}
	here := func(port int) A { return A{"language": "go", "port": port, "breakpoints": p.BreakAt("handle")} }
	debugger, port := headless(t, binary)
	for range 2 {
		start(here(port))
		s.OK("session", A{"action": "stop"}).Contains([]string{"summary"}, "the program was left running")
		goesOn(t, debugger)
	}
	_, port = headless(t, binary, "single")
	start(here(port))
	s.Fail("SESSION_START_FAILED", "session_start", here(port)).Has("a debugger is attached already", "session go-")
	s.OK("session", A{"action": "stop"}).Contains([]string{"summary"}, "the program was not left running: its Delve has ended it", "--accept-multiclient")

	// Nor is its one client's place used up by finding out what is spoken there.
	_, port = headless(t, binary, "single")
	s.OK("session_start", A{"port": testkit.Relay(t, port), "breakpoints": []A{{"function": "main.(*service).handle"}}}).
		Want("stopped_at_breakpoint", "data", "execution_state", "status")
}

// goesOn waits until the child of a process has waited for something and gone on,
// several times.
func goesOn(t *testing.T, parent *os.Process) {
	t.Helper()
	switches := func() (n int) {
		for _, child := range testkit.Descendants(parent.Pid) {
			files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/status", child.PID))
			for _, file := range files {
				text, _ := os.ReadFile(file)
				_, after, _ := strings.Cut(string(text), "\nvoluntary_ctxt_switches:")
				line, _, _ := strings.Cut(after, "\n")
				more, _ := strconv.Atoi(strings.TrimSpace(line))
				n += more
			}
		}
		return n
	}
	before := switches()
	testkit.Eventually(t, 10*time.Second, "the program stands still", func() bool { return switches() > before+20 })
}

func TestStopOnEntry(t *testing.T) {
	t.Parallel()
	s, _ := testkit.Open(t, "averages")
	r := s.OK("session_start", A{"target": ".", "stop_on_entry": true})
	r.Want("stopped_at_entry", "data", "execution_state", "status").Want("main.main", "data", "function")
	s.OK("execute", A{"action": "continue"}).Want("stopped_at_exception", "data", "execution_state", "status")
}

func TestStartMistakes(t *testing.T) {
	t.Parallel()
	s, p := testkit.Open(t, "broken")
	r := s.Fail("BUILD_FAILED", "session_start", A{"target": "."})
	for i, mark := range []string{"mismatch", "undefined"} {
		r.Want("main.go", "error", "details", "errors", strconv.Itoa(i), "file")
		r.Want(strconv.Itoa(p.Line(mark)), "error", "details", "errors", strconv.Itoa(i), "line")
	}
	r.Has("undefined: missing", "cannot use count").Lacks("/tmp/")

	r = s.Fail("VALIDATION_INVALID_TARGET", "session_start", A{"target": "./mian.go"})
	r.Has("main.go") // did you mean
	s.Fail("VALIDATION_INVALID_TARGET", "session_start", A{"target": "./nowhere"}).Has("nowhere")

	lib := testkit.NewProgram(t, "library")
	s.Fail("VALIDATION_INVALID_TARGET", "session_start", A{"target": lib.Dir}).Has("main")
	s.Fail("VALIDATION_MISSING_PARAM", "session_start", A{"mode": "attach"}).Has("pid")
	s.Fail("VALIDATION_INVALID_PARAM", "session_start", A{"mode": "attach", "pid": 4194303}).Has("no process 4194303", "it may have ended")
	other := exec.Command("sleep", "600")
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = other.Process.Kill(); _ = other.Wait() })
	s.Fail("VALIDATION_INVALID_TARGET", "session_start", A{"language": "go", "pid": other.Process.Pid}).Has("not a Go program")

	// None of it left a session, and the next start works.
	s.Fail("SESSION_NOT_STARTED", "execute", nil).Has("session_start")
	s.OK("session_start", A{"target": testkit.NewProgram(t, "exit0").Dir}).Want("terminated", "data", "execution_state", "status")
}

// A binary made by a Go that Delve does not know: an explanation, not a hang.
func TestStartUnknownGoVersion(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "averages")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	bin := p.Build(".", "-ldflags=-compressdwarf=false")
	text, err := os.ReadFile(bin)
	if err != nil {
		t.Fatal(err)
	}
	now := runtime.Version() // "go1.26.8"
	future := "go1.99" + now[len("go1.99"):]
	text = bytes.ReplaceAll(text, []byte(now), []byte(future))
	if err := os.WriteFile(bin, text, 0o755); err != nil {
		t.Fatal(err)
	}
	r := s.Fail("SESSION_START_FAILED", "session_start", A{"target": bin, "mode": "exec"})
	r.Has("1.99")
}

// A program of a language that is known and not built in is told what starts it.
func TestATargetOfALanguageThatIsNotBuiltIn(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "")
	p.Write("a.php", "<?php echo 1;\n")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	s.Fail("VALIDATION_INVALID_TARGET", "session_start", A{"target": "a.php"}).Want("target", "error", "field").
		Contains([]string{"error", "message"}, `"a.php" is php`).Contains([]string{"error", "hint"}, `a table "php"`, "docs/custom-adapters.md")
}
