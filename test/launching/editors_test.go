//go:build linux

package launching

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"aidb-mcp/internal/testkit"
	"aidb-mcp/internal/testkit/filetree"
)

// The same program as three editors start it, and what cannot be started.
var editorsWorkspace = map[string]string{
	"shop.py": "import os, sys\nprint(os.environ['WHO'], *sys.argv[1:])\n",
	".vscode/launch.json": `{"configurations": [
		{"name": "Current file", "type": "debugpy", "request": "launch", "program": "${file}", "args": ["${input:who}"], "env": {"WHO": "code", "TOKEN": "${env:PATH}"}},
		{"name": "No variable", "type": "debugpy", "request": "launch", "program": "${workspaceFolder}/shop.py", "env": {"A": "${env:AIDB_NO_SUCH}"}},
		{"name": "Circle", "type": "debugpy", "request": "launch", "program": "${config:shop.a}"},
		{"name": "Cobol", "type": "cobol", "request": "launch", "program": "a.cob"},
		{"name": "Gone", "type": "debugpy", "request": "launch", "program": "${workspaceFolder}/gone.py"}],
		"inputs": [{"id": "who", "type": "pickString", "description": "who", "options": ["you", "me"], "default": "me"}]}`,
	".vscode/settings.json": `{"shop.a": "${config:shop.b}", "shop.b": "${config:shop.a}"}`,
	".run/shop.run.xml": `<component name="ProjectRunConfigurationManager"><configuration default="false" name="In PyCharm" type="PythonConfigurationType" factoryName="Python">
		<option name="SCRIPT_NAME" value="$PROJECT_DIR$/shop.py" /><option name="PARAMETERS" value="'a b'" /><envs><env name="WHO" value="charm" /></envs></configuration></component>`,
	".zed/debug.json": `[{"label": "In Zed", "adapter": "Debugpy", "program": "$ZED_WORKTREE_ROOT/shop.py", "args": ["z"], "env": {"WHO": "zed"}, "build": {"command": "touch", "args": ["built by zed"]}}]`,
}

// Every configuration starts by its name, and config shows what it means.
func TestConfigurationsOfEditors(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	s := testkit.Start(t, testkit.Options{Dir: filetree.New(t, editorsWorkspace)})
	s.OK("init", nil).Has("Current file", "In PyCharm", "In Zed")

	r := s.OK("config", A{"action": "launch"})
	var rows []struct {
		Name, Problem, Remedy string
		Start                 json.RawMessage `json:"session_start"`
	}
	r.Decode(&rows, "data", "launch")
	problems := map[string]string{}
	for _, row := range rows {
		problems[row.Name] = row.Problem
	}
	for name, want := range map[string]bool{"Current file": true, "No variable": true, "Circle": true, "Cobol": true, "Gone": true, "In PyCharm": false, "In Zed": false} {
		if problem, listed := problems[name]; !listed || (problem != "") != want {
			t.Errorf("%s: %q\n%s", name, problem, r)
		}
	}
	r.Has("AIDB_NO_SUCH", "gone.py", "cobol", "leads back to itself", "name the file: as target, or in breakpoints", "shop.py", "charm")
	if _, err := os.Stat(filepath.Join(s.Dir, "built by zed")); err == nil {
		t.Error("looking at the configurations has run a task")
	}
	s.OK("config", A{"action": "launch", "config_name": "In Zed"}).Has("built by zed").Lacks("charm")
	s.Fail("CONFIG_NOT_FOUND", "config", A{"action": "launch", "config_name": "In Zod"}).Has("In Zed")

	for name, want := range map[string]string{"In PyCharm": "charm a b\n", "In Zed": "zed z\n"} {
		s.OK("session_start", A{"launch_config_name": name, "timeout_ms": startLimit}).Want("terminated", "data", "execution_state", "status").Want(want, "data", "output", "stdout")
	}
	s.OK("session_start", A{"launch_config_name": "Current file", "target": "shop.py", "timeout_ms": startLimit}).Want("code me\n", "data", "output", "stdout")
	s.OK("session_start", A{"launch_config_name": "Current file", "breakpoints": []string{"shop.py:2"}, "timeout_ms": startLimit}).Stopped("stopped_at_breakpoint", "shop.py:2")

	s.Fail("CONFIG_INVALID", "session_start", A{"launch_config_name": "No variable"}).Has("AIDB_NO_SUCH", "No variable")
	s.OK("session_start", A{"launch_config_name": "No variable", "env": A{"A": "1", "WHO": "you"}, "timeout_ms": startLimit}).Want("you\n", "data", "output", "stdout")
	s.Fail("CONFIG_INVALID", "session_start", A{"launch_config_name": "Circle"}).Has("config:shop.a → config:shop.b → config:shop.a")
	s.Fail("ADAPTER_NOT_FOUND", "session_start", A{"launch_config_name": "Cobol"}).Has("custom-adapters.md")
	s.Fail("CONFIG_INVALID", "session_start", A{"launch_config_name": "Current file"}).Has("name the file")
}

// A person at the client answers the inputs, once each.
func TestInputs(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	var asked []string
	s := testkit.Start(t, testkit.Options{Dir: filetree.New(t, editorsWorkspace), Client: func(o *mcp.ClientOptions) {
		o.ElicitationHandler = func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			asked = append(asked, r.Params.Message)
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"choice": "you"}}, nil
		}
	}})
	s.OK("config", A{"action": "launch"})
	s.OK("session_start", A{"launch_config_name": "Current file", "target": "shop.py", "timeout_ms": startLimit}).Want("code you\n", "data", "output", "stdout")
	if len(asked) != 1 || !strings.Contains(asked[0], "asks for who") {
		t.Errorf("asked was %q", asked)
	}
}

// A launch.json that does not parse is told with its place, and does no harm else.
func TestLaunchJSONThatDoesNotParse(t *testing.T) {
	t.Parallel()
	s := testkit.Start(t, testkit.Options{Dir: filetree.New(t, map[string]string{
		".vscode/launch.json": "{\n\t// half\n\t\"configurations\": [{\"name\": \"x\" \"type\": \"go\"}]\n}\n",
	})})
	where := "line 3, column 34"
	s.Fail("CONFIG_INVALID", "session_start", A{"launch_config_name": "x"}).Has(where)
	s.OK("init", nil).Has(where)
	s.OK("config", A{"action": "launch"}).Has(where, "0 launch configurations")
}
