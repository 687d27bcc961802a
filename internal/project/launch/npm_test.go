package launch

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/testkit/filetree"
)

// Entries that run a command in place of a program are followed to the program.
func TestCommandsInPlaceOfPrograms(t *testing.T) {
	root := filetree.New(t, map[string]string{
		".vscode/launch.json": `{"configurations": [
			{"name": "npm run", "type": "node", "runtimeExecutable": "npm", "runtimeArgs": ["run", "dev"], "args": ["more"]},
			{"name": "npm start", "type": "node", "runtimeExecutable": "npm", "runtimeArgs": ["start"]},
			{"name": "through", "type": "node-terminal", "command": "npm run outer -- --x"},
			{"name": "yarn tool", "type": "node-terminal", "command": "yarn serve"},
			{"name": "terminal", "type": "node-terminal", "command": "PORT=80 node --inspect src/a.js 'b c'"},
			{"name": "tsx", "type": "node", "runtimeExecutable": "tsx", "runtimeArgs": ["watch", "src/a.ts"]},
			{"name": "tsx program", "type": "node", "runtimeExecutable": "tsx", "program": "${workspaceFolder}/a.ts"},
			{"name": "several", "type": "node-terminal", "command": "npm run both"},
			{"name": "unknown", "type": "node-terminal", "command": "make serve"},
			{"name": "circle", "type": "node-terminal", "command": "npm run circle"}]}`,
		"package.json": `{"scripts": {"dev": "node --no-warnings src/server.js --port 80", "start": "NODE_ENV=dev cross-env A=b node .", "outer": "npm run inner", "inner": "ts-node src/i.ts",
			"both": "npm run a && npm run b", "circle": "npm run circle"}}`,
		"node_modules/serve/cli.js": "",
	})
	if err := os.MkdirAll(filepath.Join(root, "node_modules/.bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../serve/cli.js", filepath.Join(root, "node_modules/.bin/serve")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]struct {
		program, flags string
		args           []string
		env            map[string]string
	}{
		"npm run":     {"src/server.js", `{"runtimeArgs":["--no-warnings"]}`, []string{"--port", "80", "more"}, nil},
		"npm start":   {"", "null", nil, map[string]string{"NODE_ENV": "dev", "A": "b"}},
		"through":     {"src/i.ts", "null", []string{"--x"}, nil},
		"yarn tool":   {"node_modules/serve/cli.js", "null", nil, nil},
		"terminal":    {"src/a.js", `{"runtimeArgs":["--inspect"]}`, []string{"b c"}, map[string]string{"PORT": "80"}},
		"tsx":         {"src/a.ts", "null", nil, nil},
		"tsx program": {"a.ts", "null", nil, nil},
	} {
		c, err := resolved(root, name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if c.Program != filepath.Join(root, want.program) || cmp.Diff(want.args, c.Args) != "" && len(want.args)+len(c.Args) > 0 || cmp.Diff(want.env, c.Env) != "" || c.Runtime != "" {
			t.Errorf("%s: %+v", name, c)
		}
		options, err := c.Options(map[string]string{"runtimeArgs": "runtimeArgs"})
		if text, _ := json.Marshal(options); err != nil || string(text) != want.flags {
			t.Errorf("%s: options %s, %v", name, text, err)
		}
	}
	for _, name := range []string{"several", "unknown", "circle"} {
		if _, err := resolved(root, name); !fault.Is(err, fault.ConfigInvalid) || !strings.Contains(err.Error(), "which program that starts is not plain") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What extensions propose and only they could fill in does no harm where it is not needed.
func TestEntriesAsExtensionsProposeThem(t *testing.T) {
	root := filetree.New(t, map[string]string{".vscode/launch.json": `{"configurations": [
		{"name": "python", "type": "debugpy", "request": "launch", "program": "a.py", "args": "${command:pickArgs}", "python": "${command:python.interpreterPath}"},
		{"name": "java", "type": "java", "request": "launch", "mainClass": "a.Main", "args": "${command:SpecifyProgramArgs}"},
		{"name": "bin", "type": "lldb", "request": "launch", "cargo": {"args": ["build", "--bin=shop", "--package=shop"], "filter": {"name": "shop", "kind": "bin"}}, "args": ["x"], "cwd": "${workspaceFolder}"},
		{"name": "test", "type": "lldb", "request": "launch", "cargo": {"args": ["test", "--no-run", "--lib"]}}]}`})
	for name, want := range map[string]Config{
		"python": {Type: "debugpy", Program: "a.py"},
		"java":   {Type: "java", Module: "a.Main"},
		"bin":    {Type: "rust", Program: root, Args: []string{"x"}, BuildFlags: []string{"--bin", "shop", "--package", "shop"}},
		"test":   {Type: "rust", Program: root, Mode: "test", BuildFlags: []string{"--lib"}},
	} {
		c, err := resolved(root, name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if c.Type != want.Type || c.Program != want.Program || c.Module != want.Module || c.Mode != want.Mode || c.Runtime != "" ||
			strings.Join(c.Args, " ") != strings.Join(want.Args, " ") || strings.Join(c.BuildFlags, " ") != strings.Join(want.BuildFlags, " ") {
			t.Errorf("%s: %+v", name, c)
		}
	}
}

// A debugger that is not built in gets all that the entry says only to it.
func TestRest(t *testing.T) {
	root := filetree.New(t, map[string]string{".vscode/launch.json": `{"configurations": [{"name": "x", "type": "php", "request": "launch", "program": "${workspaceFolder}/a.php",
		"args": ["1"], "stopOnEntry": true, "console": "none", "log": true, "xdebugSettings": {"max_depth": 3, "home": "${workspaceFolder}"}, "__secret": 1}]}`})
	c, err := resolved(root, "x")
	if err != nil {
		t.Fatal(err)
	}
	options, err := c.Options(c.Rest())
	if want := `{"log":true,"xdebugSettings":{"home":"` + root + `","max_depth":3}}`; err != nil || string(options) != want {
		t.Errorf("%s, %v, want %s", options, err, want)
	}
}
