package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"aidb-mcp/internal/fault"
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

func TestResolveLaunch(t *testing.T) {
	t.Setenv("AIDB_TEST_WHO", "me")
	root := t.TempDir()
	if _, err := ResolveLaunch(root, "App"); !fault.Is(err, fault.ConfigNotFound) {
		t.Errorf("without a launch.json: %v", err)
	}
	if err := os.Mkdir(filepath.Join(root, ".vscode"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, ".vscode", "launch.json"), []byte(launchJSON), 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := ResolveLaunch(root, "App")
	if err != nil {
		t.Fatal(err)
	}
	want := &Config{
		Name: "App", Type: "go", Request: "launch", Mode: "debug", Program: root + "/cmd/app",
		Args: []string{"-v", "me"}, Env: map[string]string{"ROOT": root}, BuildFlags: []string{"-tags=a"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got, err := ResolveLaunch(root, "Attach"); err != nil || got.ProcessID != 4711 {
		t.Errorf("attach: %+v, %v", got, err)
	}
	for name, part := range map[string]string{"Pick": "${command:pickProcess}", "Current file": "${file}"} {
		if _, err := ResolveLaunch(root, name); !fault.Is(err, fault.ConfigInvalid) || !strings.Contains(err.Error(), part) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := ResolveLaunch(root, "Ap"); !fault.Is(err, fault.ConfigNotFound) {
		t.Errorf("an unknown name: %v", err)
	}
}
