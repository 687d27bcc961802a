package handlers

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/delve/project"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/testkit/filetree"
	"aidb-mcp/responses"
	"aidb-mcp/tools"
)

// goAdapter is an adapter that is there but never started.
type goAdapter struct{ adapters.Adapter }

func (goAdapter) Info() adapters.Info {
	return adapters.Info{Language: "go", Aliases: []string{"golang"}, Name: "Delve", Modes: []adapters.Mode{adapters.Launch, adapters.Test}, Project: &project.Support}
}

func (goAdapter) Claims(adapters.Request) int { return 50 }
func (goAdapter) Services() adapters.Services { return adapters.Services{} }

func (goAdapter) Check(context.Context) adapters.Readiness {
	return adapters.Readiness{Problem: "no go command", Remedy: "install Go"}
}

// workspaceHandlers are handlers for a workspace with these files.
func workspaceHandlers(t *testing.T, files map[string]string) *Handlers {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	filetree.Write(t, root, files)
	h := testHandlers()
	h.Workspace, h.Adapters = root, adapters.NewRegistry(goAdapter{})
	return h
}

var goWorkspace = map[string]string{
	"go.mod":                "module example.com/calc\n",
	"cmd/calc/main.go":      "// Command calc adds.\npackage main\n\nfunc main() {}\n",
	"internal/calc/calc.go": "package calc\n",
	"internal/calc/calc_test.go": "package calc\n\nimport \"testing\"\n\n" +
		"func TestAdd(t *testing.T) {}\nfunc TestSub(t *testing.T) {}\n",
	".vscode/launch.json": `{"configurations": [{"name": "Calc", "type": "go", "request": "launch", "mode": "debug",
		"program": "${workspaceFolder}/cmd/calc", "args": ["1"], "env": {"A": "1", "B": "2"}}]}`,
}

func TestInitProposesCompleteStarts(t *testing.T) {
	h := workspaceHandlers(t, goWorkspace)
	env, err := h.lookAtWorkspace(t.Context(), &Call{}, &tools.InitParams{})
	if err != nil {
		t.Fatal(err)
	}
	want := []responses.Call{
		responses.NewCall("session_start", "target", "./internal/calc", "mode", "test", "test", "TestAdd"),
		responses.NewCall("session_start", "target", "./cmd/calc"),
		responses.NewCall("session_start", "launch_config_name", "Calc"),
	}
	var got []responses.Call
	for _, step := range env.NextSteps {
		checkCall(t, step.Call)
		got = append(got, step.Call)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	var data struct {
		Languages []string
		Programs  []string
		Tests     []struct{ Tests []string }
		Adapters  []struct{ Problem, Remedy string }
	}
	if err := json.Unmarshal(mustEncode(t, env.Data), &data); err != nil {
		t.Fatal(err)
	}
	if len(data.Languages) != 1 || len(data.Programs) != 1 || len(data.Tests) != 1 || len(data.Tests[0].Tests) != 2 {
		t.Errorf("%+v", data)
	}
	if len(data.Adapters) != 1 || data.Adapters[0].Remedy != "install Go" {
		t.Errorf("adapters: %+v", data.Adapters)
	}
}

func mustEncode(t *testing.T, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A start from another directory names the workspace; tests come first when
// they are asked for.
func TestInitOfAnotherRoot(t *testing.T) {
	h := workspaceHandlers(t, goWorkspace)
	root := h.Workspace
	h.Workspace = t.TempDir()
	env, err := h.lookAtWorkspace(t.Context(), &Call{}, &tools.InitParams{WorkspaceRoot: root, Mode: "test", Language: "golang"})
	if err != nil {
		t.Fatal(err)
	}
	want := responses.NewCall("session_start", "target", "./internal/calc", "mode", "test", "test", "TestAdd", "workspace_root", root)
	if diff := cmp.Diff(want, env.NextSteps[0].Call); diff != "" {
		t.Error(diff)
	}
	if _, err := h.lookAtWorkspace(t.Context(), &Call{}, &tools.InitParams{Language: "cobol"}); !fault.Is(err, fault.AdapterNotFound) {
		t.Errorf("an unknown language: %v", err)
	}
	if _, err := h.lookAtWorkspace(t.Context(), &Call{}, &tools.InitParams{WorkspaceRoot: "/nowhere"}); !fault.Is(err, fault.InvalidTarget) {
		t.Errorf("a missing root: %v", err)
	}
}

// What the call says wins over the launch configuration.
func TestLaunchConfig(t *testing.T) {
	h := workspaceHandlers(t, goWorkspace)
	p := &tools.SessionStartParams{LaunchConfigName: "Calc", Args: []string{"2"}, Env: map[string]string{"A": "mine"}}
	if _, err := h.starts().applyLaunchConfig(t.Context(), unattended(), p); err != nil {
		t.Fatal(err)
	}
	r := h.starts().request(p)
	if r.Program.Language != "go" || r.Program.Mode != adapters.Launch || r.Program.Target != h.Workspace+"/cmd/calc" {
		t.Errorf("%+v", r)
	}
	if diff := cmp.Diff(map[string]string{"A": "mine", "B": "2"}, r.Program.Env); diff != "" || r.Program.Args[0] != "2" {
		t.Errorf("%+v %s", r.Program.Args, diff)
	}
	if _, err := h.starts().applyLaunchConfig(t.Context(), unattended(), &tools.SessionStartParams{LaunchConfigName: "Calk"}); !fault.Is(err, fault.ConfigNotFound) {
		t.Errorf("an unknown configuration: %v", err)
	}
}

// Of very many build files the first are named, so that there is room for what can be started.
func TestInitNamesFewBuildFiles(t *testing.T) {
	files := map[string]string{}
	for i := range initList + 5 {
		files[fmt.Sprintf("m%02d/go.mod", i)] = "module m\n"
	}
	env, err := workspaceHandlers(t, files).lookAtWorkspace(t.Context(), &Call{}, &tools.InitParams{})
	if err != nil {
		t.Fatal(err)
	}
	if list := env.Data.(*responses.Workspace).BuildFiles; len(list.Rows) != initList || list.Total != initList+5 {
		t.Errorf("%d of %d build files", len(list.Rows), list.Total)
	}
}
