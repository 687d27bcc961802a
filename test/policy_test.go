//go:build linux

package test

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"aidb-mcp/internal/testkit"
)

// denial is a call that a policy refuses, and the parameter that it is about.
type denial struct {
	tool  string
	args  A
	field string
	says  string
}

// denied makes the calls and wants each to be refused with what is allowed.
func denied(s *testkit.Server, list []denial) {
	for _, d := range list {
		r := s.Fail("POLICY_DENIED", d.tool, d.args).Want(d.field, "error", "field").Contains([]string{"error", "hint"}, "allowed ")
		if d.says != "" {
			r.Contains([]string{"error", "message"}, d.says)
		}
	}
}

// A server with --allow-root uses nothing outside, whatever way leads there.
func TestAllowRoot(t *testing.T) {
	t.Parallel()
	p, other := testkit.NewProgram(t, "calls"), testkit.NewProgram(t, "exit0")
	out := filepath.Join(other.Dir, "main.go")
	p.Write(".vscode/launch.json", `{"configurations": [{"name": "Out", "type": "go", "request": "launch", "program": "`+other.Dir+`"}]}`)
	for link, to := range map[string]string{"escape": other.Dir, "escape.go": out} {
		if err := os.Symlink(to, filepath.Join(p.Dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	up, err := filepath.Rel(p.Dir, other.Dir)
	if err != nil {
		t.Fatal(err)
	}
	s := testkit.Start(t, testkit.Options{Dir: p.Dir, Args: []string{"--allow-root", p.Dir}})
	const mark = "double"
	s.OK("session_start", A{"target": "main.go", "breakpoints": p.BreakAt(mark)}).Stopped("stopped_at_breakpoint", p.At("main.go", mark)).
		Contains([]string{"data"}, "code_snapshot")

	start := func(more A) A {
		args := A{"target": ".", "session_id": "other"}
		maps.Copy(args, more)
		return args
	}
	denied(s, []denial{
		{"session_start", start(A{"target": other.Dir}), "target", other.Dir},
		{"session_start", start(A{"target": up}), "target", other.Dir},
		{"session_start", start(A{"target": "escape"}), "target", other.Dir},
		{"session_start", start(A{"target": "./escape/main.go"}), "target", out},
		{"session_start", start(A{"target": "escape.go"}), "target", out},
		{"session_start", start(A{"cwd": other.Dir}), "cwd", ""},
		{"session_start", start(A{"cwd": "escape"}), "cwd", ""},
		{"session_start", start(A{"cwd": ".vscode", "test": "../../x.py::t"}), "test", ""},
		{"session_start", start(A{"env_file": "escape/.env"}), "env_file", ""},
		{"session_start", start(A{"mode": "core", "core_file": "/tmp/core"}), "core_file", ""},
		{"session_start", start(A{"workspace_root": up}), "workspace_root", ""},
		{"session_start", start(A{"source_paths": []string{"/usr"}}), "source_paths", ""},
		{"session_start", start(A{"path_mappings": []A{{"local": "/usr", "remote": "/src"}}}), "path_mappings", ""},
		{"session_start", start(A{"runtime_path": filepath.Join(other.Dir, "go")}), "runtime_path", ""},
		{"session_start", start(A{"build_args": []string{"-o=" + filepath.Join(other.Dir, "x")}}), "build_args", ""},
		{"session_start", start(A{"adapter_options": A{"a": []string{"/etc/passwd"}}}), "adapter_options", "/etc/passwd"},
		{"session_start", start(A{"breakpoints": []A{{"file": out, "line": 3}}}), "location", out},
		{"session_start", A{"launch_config_name": "Out", "session_id": "other"}, "target", other.Dir},
		{"session_start", A{"pid": os.Getpid(), "language": "go", "session_id": "other"}, "pid", "lies outside"},
		{"init", A{"workspace_root": other.Dir}, "workspace_root", ""},
		{"breakpoint", A{"location": out + ":3"}, "location", out},
		{"breakpoint", A{"location": "escape.go:3"}, "location", out},
		{"breakpoint", A{"location": "/no/such/file.go:3"}, "location", ""},
		{"breakpoint", A{"location": "../none.go:3"}, "location", ""},
		{"breakpoint", A{"location": "escape/none.go:3"}, "location", ""},
		{"inspect", A{"target": "source", "location": out + ":1"}, "location", ""},
		{"inspect", A{"target": "source", "location": "escape/main.go:1"}, "location", ""},
		{"run_until", A{"location": out + ":3"}, "location", ""},
		{"execute", A{"until": out + ":3"}, "location", ""},
	})

	// The session and its breakpoint are as they were.
	s.OK("session", A{"action": "list"}).Want("1 session", "summary")
	s.OK("breakpoint", A{"action": "list"}).Want("1 breakpoint", "summary")
	s.OK("inspect", nil)

	// The code of a library is not shown; where the program stands is.
	s.OK("breakpoint", A{"action": "clear_all"})
	r := s.OK("run_until", A{"location": "fmt.Fprintln"}).Contains([]string{"data", "location"}, "fmt/print.go:")
	r.Want("", "data", "code_snapshot").Contains([]string{"data"}, "is not shown: it lies outside")
	if r := s.OK("step", nil).Want("", "data", "code_snapshot"); strings.Contains(r.Text, "is not shown") {
		t.Errorf("the reason is told again:\n%s", r)
	}
	s.Fail("POLICY_DENIED", "inspect", A{"target": "source"})
	s.OK("step", A{"action": "out"}).Contains([]string{"data"}, "main.go")
	s.OK("config", nil).Contains([]string{"data", "policy"}, p.Dir, "--allow-root")

	_, errs, code := run(t, "serve", "--allow-root", p.Dir, "--workspace", other.Dir)
	if code == 0 || !strings.Contains(errs, "outside of --allow-root") {
		t.Errorf("a workspace outside: exit code %d, %s", code, errs)
	}
}

// A server that a client starts anywhere works in the folder that it may use.
func TestAllowRootIsTheWorkspace(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "exit3")
	s := testkit.Start(t, testkit.Options{Env: []string{"AIDB_ALLOW_ROOT=" + p.Dir + ":" + t.TempDir()}})
	s.OK("session_start", A{"target": "."}).Want("3", "data", "execution_state", "exit_code")
}

// A server with --read-only looks at a program that runs, and leaves it as it was.
func TestReadOnly(t *testing.T) {
	t.Parallel()
	p, program, _ := serving(t)
	s := testkit.Start(t, testkit.Options{Dir: p.Dir, Args: []string{"--read-only", "--allow-root", p.Dir}})
	if said := s.Client.InitializeResult().Instructions; !strings.Contains(said, "only looks") {
		t.Errorf("the instructions do not name the policy:\n%s", said)
	}
	attach := func(more A) A {
		args := A{"pid": program.Pid, "breakpoints": p.BreakAt("handle")}
		maps.Copy(args, more)
		return args
	}
	denied(s, []denial{
		{"session_start", A{"target": "."}, "mode", "starting a program"},
		{"session_start", A{"target": ".", "mode": "test"}, "mode", ""},
		{"session_start", A{"target": p.Build("."), "mode": "exec", "pid": program.Pid}, "mode", ""},
		{"session_start", attach(A{"runtime_path": "sh"}), "runtime_path", ""},
		{"session_start", attach(A{"adapter_options": A{"initCommands": []string{"platform shell id"}}}), "adapter_options", ""},
		{"session_start", attach(A{"env": A{"PATH": p.Dir}}), "env", ""},
		{"session_start", attach(A{"show": []string{"os.Exit(1)"}}), "show", "calls a function"},
		{"session_start", attach(A{"breakpoints": []A{{"file": "main.go", "line": 1, "log_message": "{os.Exit(1)}"}}}), "log_message", ""},
		{"adapter", A{"action": "install", "language": "python"}, "action", ""},
	})
	s.OK("session_start", attach(nil)).Stopped("stopped_at_breakpoint", p.At("main.go", "handle"))
	frame := s.OK("inspect", A{"target": "stack"}).Text
	denied(s, []denial{
		{"inspect", A{"expression": "os.Exit(1)"}, "expression", "os.Exit(1)"},
		{"inspect", A{"expression": "call os.Exit(1)"}, "expression", "command"},
		{"inspect", A{"expression": "x = 1"}, "expression", ""},
		{"inspect", A{"target": "memory", "address": "os.Exit(1)"}, "expression", ""},
		{"variable", A{"expression": "os.Exit(1)"}, "expression", ""},
		{"variable", A{"action": "set", "name": "x", "value": "1"}, "action", "setting a variable"},
		{"variable", A{"action": "patch", "code": "x"}, "action", ""},
		{"breakpoint", A{"location": "main.go:1", "condition": "f() == 1"}, "condition", ""},
		{"breakpoint", A{"location": "main.go:1", "log_message": "at {f()}"}, "log_message", ""},
		{"breakpoint", A{"location": "main.go:1", "show": []string{"@1 f()"}}, "show", "f()"},
		{"breakpoint", A{"action": "watch", "name": "f()"}, "name", ""},
		{"breakpoint", A{"action": "watch", "name": "x", "condition": "f()"}, "condition", ""},
		{"run_until", A{"location": p.At("main.go", "handle"), "condition": "f()"}, "condition", ""},
		{"execute", A{"action": "jump", "jump_target": "1"}, "action", ""},
		{"execute", A{"action": "run"}, "action", ""},
		{"execute", A{"trigger": A{"command": []string{"id"}}}, "trigger", "sending a trigger"},
		{"run_until", A{"location": p.At("main.go", "handle"), "trigger": A{"http": "http://127.0.0.1:1/"}}, "trigger", ""},
		{"session", A{"action": "restart"}, "action", ""},
		{"session", A{"action": "input", "text": "x"}, "action", ""},
		{"session", A{"action": "stop", "kill": true}, "action", "ending a program"},
	})
	if now := s.OK("inspect", A{"target": "stack"}).Text; now != frame {
		t.Errorf("it stood at\n%s\nand now at\n%s", frame, now)
	}
	s.OK("breakpoint", A{"action": "list"}).Want("1 breakpoint", "summary")
	s.OK("inspect", nil)
	s.OK("step", nil)
	s.OK("execute", nil).Stopped("stopped_at_breakpoint", p.At("main.go", "handle"))
	s.OK("session", A{"action": "stop"}).Contains([]string{"summary"}, "the program was left running")
	if err := program.Signal(syscall.Signal(0)); err != nil {
		t.Errorf("the program is gone: %v", err)
	}
	if r := s.OK("init", nil); r.At("next_steps") != "" {
		t.Errorf("init proposes what is refused:\n%s", r)
	}
}

// A server with --no-attach starts programs and attaches to none.
func TestNoAttach(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "exit0")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir, Args: []string{"--no-attach"}})
	sleeper := exec.Command("sleep", "600")
	if err := sleeper.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = sleeper.Process.Kill(); _ = sleeper.Wait() })
	denied(s, []denial{
		{"session_start", A{"mode": "attach", "pid": sleeper.Process.Pid}, "mode", "attaching"},
		{"session_start", A{"pid": sleeper.Process.Pid}, "pid", ""},
		{"session_start", A{"language": "go", "port": 1}, "mode", ""},
		{"session_start", A{"mode": "remote_attach", "language": "go", "host": "192.0.2.1", "port": 1}, "mode", ""},
	})
	s.OK("session_start", A{"target": "."}).Want("0", "data", "execution_state", "exit_code")
	s.OK("config", nil).Contains([]string{"data", "policy"}, "--no-attach")
}
