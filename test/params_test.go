//go:build linux

package test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

func TestInit(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "subtests")
	p.Write("cmd/tool/main.go", "// Tool does it.\npackage main\n\nfunc main() {}\n")
	p.Write(".vscode/launch.json", `{
		// with comments
		"configurations": [{"name": "Tool", "type": "go", "request": "launch", "program": "${workspaceFolder}/cmd/tool", "args": ["-v"],},],
	}`)
	elsewhere := testkit.NewProgram(t, "averages")
	s := testkit.Start(t, testkit.Options{Dir: elsewhere.Dir})
	r := s.OK("init", A{"workspace_root": p.Dir, "language": "golang"})
	r.Has("./cmd/tool", "Tool does it", "TestDiscount", "Tool", "1.27.2", "watchpoints")
	s.OK("init", A{"workspace_roots": []string{elsewhere.Dir, p.Dir}}).Has("averages", "subtests")
	s.OK("init", A{"mode": "test", "framework": "go test", "workspace_root": p.Dir}).Has("TestDiscount")
	s.OK("init", A{"launch_config_name": "Tool", "workspace_root": p.Dir}).Contains([]string{"next_steps"}, "session_start")

	// What it suggests runs as it is.
	follow(t, s, s.OK("init", A{"workspace_root": p.Dir}), 1)
	s.Fail("CONFIG_NOT_FOUND", "session_start", A{"launch_config_name": "Toll", "workspace_root": p.Dir}).Has("Tool")
}

func TestLaunchConfiguration(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "environment")
	p.Write(".vscode/launch.json", `{"configurations": [{"name": "Run it", "type": "go", "request": "launch",
		"program": "${workspaceFolder}", "args": ["from", "config"], "env": {"GREETING": "hi", "PLANET": "mars"}}]}`)
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	r := s.OK("session_start", A{"launch_config_name": "Run it", "env": A{"PLANET": "venus"}})
	r.Want("terminated", "data", "execution_state", "status").
		Contains([]string{"data", "output", "stdout"}, "[from config]", "greeting hi", "planet venus")
}

func TestWorkspaceRoot(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "vendored")
	s := testkit.Start(t, testkit.Options{})
	r := s.OK("session_start", A{"workspace_root": p.Dir, "target": "./cmd/app", "breakpoints": []A{{"function": "Shout"}}})
	r.Contains([]string{"data", "location"}, "internal/text/text.go:")
	if filepath.IsAbs(r.At("data", "location")) {
		t.Errorf("the location is not relative to the workspace:\n%s", r)
	}
}

func TestRuntimePath(t *testing.T) {
	t.Parallel()
	s, _ := testkit.Open(t, "exit0")
	tool, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	s.OK("session_start", A{"target": ".", "runtime_path": tool}).Want("terminated", "data", "execution_state", "status")
	r := s.Call("session_start", A{"target": ".", "runtime_path": "/no/such/go"})
	if !r.IsError || !strings.Contains(r.Text, "/no/such/go") {
		t.Errorf("a toolchain that is not there:\n%s", r)
	}
}

// A binary that was built elsewhere, or with its paths cut off.
func TestPathMappings(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "averages")
	bin := p.Build(".", "-trimpath")
	moved := filepath.Join(filepath.Dir(p.Dir), "moved")
	built := p.Build(".", "-o", bin+"-moved")
	if err := os.CopyFS(moved, os.DirFS(p.Dir)); err != nil {
		t.Fatal(err)
	}
	s := testkit.Start(t, testkit.Options{})
	for _, start := range []A{
		{"target": bin, "path_mappings": []A{{"local": p.Dir, "remote": "averages"}}},
		{"target": bin, "source_paths": []string{p.Dir}},
	} {
		start["breakpoints"] = []A{{"file": filepath.Join(p.Dir, "main.go"), "line": p.Line("divide")}}
		r := s.OK("session_start", start)
		r.Want("stopped_at_breakpoint", "data", "execution_state", "status").
			Contains([]string{"data", "location"}, p.At("main.go", "divide")).
			Contains([]string{"data", "code_snapshot", "formatted"}, "return total / len(marks)")
	}
	_ = built
	r := s.OK("session_start", A{"target": bin + "-moved", "mode": "exec",
		"path_mappings": []A{{"local": moved, "remote": p.Dir}},
		"breakpoints":   []A{{"file": filepath.Join(moved, "main.go"), "line": p.Line("divide")}}})
	r.Contains([]string{"data", "location"}, filepath.Join(moved, p.At("main.go", "divide")))
}

func TestAdapterOptions(t *testing.T) {
	t.Parallel()
	s, p := testkit.Open(t, "values")
	r := s.OK("session_start", A{"target": ".", "adapter_options": A{"maxStringLen": 16}, "breakpoints": p.BreakAt("big")})
	if v := r.At("data", "locals", "text", "v"); len(v) > 60 || !strings.HasPrefix(v, `"0123456789012345`) {
		t.Errorf("maxStringLen of 16 gives %q", v)
	}
	s.Fail("VALIDATION_INVALID_PARAM", "session_start", A{"target": ".", "adapter_options": A{"maxStringLength": 1}}).Has("maxStringLen")
}

func TestSubscribedEvents(t *testing.T) {
	t.Parallel()
	s, _ := testkit.Open(t, "endless")
	other := testkit.NewProgram(t, "slow")
	background := s.OK("session_start", A{"target": other.Dir, "timeout_ms": 0, "subscribe_events": []string{"output", "terminated"}}).At("session_id")
	events := s.OK("session_start", A{"target": ".", "breakpoints": []A{{"function": "main.main"}}}).At("events") // it may take longer than the other lives
	testkit.Eventually(t, testkit.CallLimit, "news of the other session's end", func() bool {
		events += s.OK("inspect", A{"target": "stack"}).At("events")
		return strings.Contains(events, background+": exited with code 0")
	})
	if !strings.Contains(events, "new output on stdout") {
		t.Errorf("nothing said of its output: %s", events)
	}
	s.OK("session", A{"action": "subscribe", "session_id": background, "events": []string{}}).Has("subscribed")
}

func TestExecuteVariants(t *testing.T) {
	t.Parallel()
	s, p := testkit.OpenAt(t, "slow", "nap")
	s.OK("breakpoint", A{"action": "clear_all"})
	s.OK("execute", A{"wait_for_stop": false}).Want("running", "data", "execution_state", "status")
	s.OK("execute", A{"action": "wait"}).Want("terminated", "data", "execution_state", "status").Has("done")
	s.OK("breakpoint", A{"location": p.At("main.go", "done")})
	s.OK("execute", A{"action": "run"}).Stopped("stopped_at_breakpoint", p.At("main.go", "done")) // from the start, after the end
	s.OK("execute", A{"action": "begin"}).Stopped("stopped_at_breakpoint", p.At("main.go", "done"))
}

// Threads can be named wherever one is meant.
func TestThreads(t *testing.T) {
	t.Parallel()
	s, p := testkit.OpenAt(t, "crowd", "ready")
	var groups []threadGroup
	s.OK("inspect", A{"target": "threads", "filter": "nap"}).Decode(&groups, "data", "threads")
	if len(groups) != 1 {
		t.Fatalf("got %d groups", len(groups))
	}
	id := groups[0].ID
	s.OK("inspect", A{"target": "stack", "thread_id": id}).Has("main.nap")
	s.OK("inspect", A{"thread_id": id, "target": "locals"}).Has("ready")
	s.OK("inspect", A{"target": "arguments", "thread_id": id}).Has("ready")
	s.OK("step", A{"thread_id": 1}).Want("1", "data", "execution_state", "thread_id")
	_ = p
}

func TestFrames(t *testing.T) {
	t.Parallel()
	s, p := testkit.OpenAt(t, "averages", "divide")
	s.OK("inspect", A{"target": "locals", "frame": 1}).Has("Ada")
	s.OK("inspect", A{"target": "arguments"}).Has("marks").Lacks("total")
	s.OK("variable", A{"expression": "s.Name", "frame": 1}).Want(`"Ada"`, "data", "result", "v")
	s.OK("variable", A{"action": "set", "name": "s.Marks[0]", "value": 1, "frame": 1}).Want("1", "data", "result", "v").Want("90", "data", "was")
	s.OK("inspect", A{"expression": "marks[0]"}).Want("1", "data", "result", "v")
	s.OK("inspect", A{"target": "source", "frame": 1}).Has("average := mean(s.Marks)")
	_ = p
}

func TestColumnAndAccessType(t *testing.T) {
	t.Parallel()
	s, p := testkit.OpenAt(t, "watch", "start")
	s.Call("breakpoint", A{"location": p.At("main.go", "end") + ":2"}).Has(p.At("main.go", "end"))
	s.OK("breakpoint", A{"action": "watch", "name": "global.Used", "access_type": "readWrite"}).Want("readWrite", "data", "breakpoint", "access_type")
	s.OK("execute", nil).Want("main.innocent", "data", "function").Want("data breakpoint", "data", "execution_state", "stop_reason")
	s.OK("breakpoint", A{"action": "unwatch", "name": "global.Used"})
	s.OK("execute", nil).Stopped("stopped_at_breakpoint", p.At("main.go", "end"))
	s.OK("breakpoint", A{"exceptions": "none"}).Has("no exceptions")
}

func TestConfigAndAdapter(t *testing.T) {
	t.Parallel()
	s, p := testkit.Open(t, "averages")
	s.OK("config", A{"action": "get", "key": "locals"}).Has("30")
	s.OK("config", A{"action": "set", "key": "locals", "value": 1}).Has("30")
	r := s.OK("session_start", A{"target": ".", "breakpoints": p.BreakAt("divide")})
	r.Contains([]string{"omitted"}, "locals")
	s.Fail("CONFIG_INVALID", "config", A{"action": "set", "key": "locals", "value": "many"})
	s.Fail("CONFIG_NOT_FOUND", "config", A{"action": "get", "key": "lokals"}).Has("locals")
	s.OK("config", A{"action": "env"})
	s.OK("config", A{"action": "capabilities"}).Has("step_back", "impossible")
	s.OK("config", A{"action": "adapters"}).Has("Delve")
	s.OK("adapter", A{"action": "verify", "language": "go"}).Has("ready")
	s.Fail("ADAPTER_NOT_FOUND", "adapter", A{"action": "verify", "language": "cobol"})
}

// verbose adds explanations and takes nothing away.
func TestVerbose(t *testing.T) {
	t.Parallel()
	s, _ := testkit.OpenAt(t, "calls", "nested")
	plain := s.OK("step", nil)
	verbose := s.OK("step", A{"verbose": true})
	if len(verbose.Text) <= len(plain.Text) {
		t.Errorf("verbose says no more:\n%s", verbose)
	}
}

// Without "serve" the binary speaks MCP, too.
func TestBareCommand(t *testing.T) {
	t.Parallel()
	s := testkit.Start(t, testkit.Options{Bare: true})
	s.OK("session", A{"action": "list"})
}
