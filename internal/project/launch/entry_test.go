package launch

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/testkit/filetree"
)

const launchJSON = `{
	// comments and trailing commas are usual
	"configurations": [
		{"name": "App", "type": "go", "request": "launch", "mode": "debug", "program": "${workspaceFolder}/cmd/app",
		 "args": "-v ${env:AIDB_TEST_WHO}", "env": {"ROOT": "${workspaceFolder}"}, "buildFlags": ["-tags=a"],},
		{"name": "Attach", "type": "go", "request": "attach", "mode": "local", "processId": 4711},
		{"name": "Pick", "type": "go", "request": "attach", "processId": "${command:pickProcess}"},
		{"name": "Current file", "type": "go", "request": "launch", "program": "${file}"},
	],
}`

// resolved is a configuration as it would be started; what it lacks is the error.
func resolved(root, name string) (*Config, error) { return resolvedWith(root, name, Options{}) }

func resolvedWith(root, name string, o Options) (*Config, error) {
	s := Read(root, nil)
	e := s.Entry(Member{Name: name})
	if e == nil {
		return nil, s.Missing(name)
	}
	c, err := s.Resolve(e, o)
	if err != nil {
		return nil, err
	}
	return c, c.Lacking(func(string) bool { return false })
}

func TestResolveLaunch(t *testing.T) {
	t.Setenv("AIDB_TEST_WHO", "me")
	root := t.TempDir()
	if _, err := resolved(root, "App"); !fault.Is(err, fault.ConfigNotFound) {
		t.Errorf("without a launch.json: %v", err)
	}
	if err := os.Mkdir(filepath.Join(root, ".vscode"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, ".vscode", "launch.json"), []byte(launchJSON), 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := resolved(root, "App")
	if err != nil {
		t.Fatal(err)
	}
	want := &Config{
		Name: "App", Type: "go", Request: "launch", Mode: "debug", Program: root + "/cmd/app",
		Args: []string{"-v", "me"}, Env: map[string]string{"ROOT": root}, BuildFlags: []string{"-tags=a"},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Config{}, TaskRef{})); diff != "" {
		t.Error(diff)
	}
	if got, err := resolved(root, "Attach"); err != nil || got.ProcessID != 4711 {
		t.Errorf("attach: %+v, %v", got, err)
	}
	for name, part := range map[string]string{"Pick": "${command:pickProcess}", "Current file": "${file}"} {
		if _, err := resolved(root, name); !fault.Is(err, fault.ConfigInvalid) || !strings.Contains(err.Error(), part) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := resolved(root, "Ap"); !fault.Is(err, fault.ConfigNotFound) {
		t.Errorf("an unknown name: %v", err)
	}
}

// Entries are read in the words of each language's extension.
func TestResolveLaunchOfEveryLanguage(t *testing.T) {
	root := filetree.New(t, map[string]string{".vscode/launch.json": `{"configurations": [
		{"name": "module", "type": "debugpy", "request": "launch", "module": "shop", "python": "${workspaceFolder}/.venv/bin/python", "justMyCode": false, "django": true, "env": {"A": "1", "B": null}},
		{"name": "join", "type": "python", "request": "attach", "connect": {"host": "db", "port": 5678}, "pathMappings": [{"localRoot": "${workspaceFolder}", "remoteRoot": "/app"}]},
		{"name": "npm", "type": "node", "request": "launch", "program": "${workspaceFolder}/a.js", "runtimeExecutable": "npm", "runtimeArgs": ["--import", "${workspaceFolder}/x.mjs"], "skipFiles": ["<node_internals>/**"]},
		{"name": "inspect", "type": "pwa-node", "request": "attach", "address": "h", "port": 9229, "localRoot": "${workspaceFolder}", "remoteRoot": "/srv"},
		{"name": "cpp", "type": "cppdbg", "request": "launch", "program": "${workspaceFolder}/app", "stopAtEntry": true, "environment": [{"name": "N", "value": "${workspaceFolder}"}], "coreDumpPath": ""},
		{"name": "lldb", "type": "lldb", "request": "attach", "pid": 42},
		{"name": "java", "type": "java", "request": "launch", "mainClass": "shop.Main", "vmArgs": "-Xmx1g -Da=b", "args": "one two"},
		{"name": "jdwp", "type": "java", "request": "attach", "hostName": "localhost", "port": 5005},
		{"name": "wrong", "type": "node", "request": "launch", "port": "many"},
	]}`})
	no := false
	want := map[string]*Config{
		"module":  {Type: "debugpy", Request: "launch", Module: "shop", Runtime: root + "/.venv/bin/python", JustMyCode: &no, Env: map[string]string{"A": "1"}},
		"join":    {Type: "python", Request: "attach", Host: "db", Port: 5678, PathSubstitutions: []Substitution{{root, "/app"}}},
		"npm":     {Type: "node", Request: "launch", Program: root + "/a.js"},
		"inspect": {Type: "pwa-node", Request: "attach", Host: "h", Port: 9229, PathSubstitutions: []Substitution{{root, "/srv"}}},
		"cpp":     {Type: "cppdbg", Request: "launch", Program: root + "/app", StopOnEntry: true, Env: map[string]string{"N": root}},
		"lldb":    {Type: "lldb", Request: "attach", ProcessID: 42},
		"java":    {Type: "java", Request: "launch", Module: "shop.Main", Args: []string{"one", "two"}},
		"jdwp":    {Type: "java", Request: "attach", Host: "localhost", Port: 5005},
	}
	for name, w := range want {
		w.Name = name
		got, err := resolved(root, name)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(w, got, cmpopts.IgnoreUnexported(Config{}, TaskRef{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	for _, o := range []struct {
		of    string
		names map[string]string
		want  map[string]any
	}{
		{"module", map[string]string{"django": "django", "none": "none"}, map[string]any{"django": true}},
		{"npm", map[string]string{"runtimeArgs": "runtimeArgs"}, map[string]any{"runtimeArgs": []any{"--import", root + "/x.mjs"}}},
		{"java", map[string]string{"vmArgs": "vmArgs[]"}, map[string]any{"vmArgs": []any{"-Xmx1g", "-Da=b"}}},
	} {
		c, err := resolved(root, o.of)
		if err != nil {
			t.Fatal(err)
		}
		options, err := c.Options(o.names)
		var got map[string]any
		if err == nil {
			err = json.Unmarshal(options, &got)
		}
		if diff := cmp.Diff(o.want, got); diff != "" || err != nil {
			t.Errorf("options of %s: %v (-want +got):\n%s", o.of, err, diff)
		}
	}
	if _, err := resolved(root, "wrong"); !fault.Is(err, fault.ConfigInvalid) {
		t.Errorf("a wrong entry: %v", err)
	}
}
