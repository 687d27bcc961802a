//go:build linux

package launching

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
	"aidb-mcp/internal/testkit/filetree"
)

// A Go program and a server in Python that belong together.
var compoundWorkspace = map[string]string{
	"go.mod":    "module example.org/shop\n\ngo 1.25\n",
	"main.go":   "package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc main() {\n\ttext, err := os.ReadFile(\"made.txt\")\n\tfmt.Printf(\"%s%v\\n\", text, err)\n}\n",
	"server.py": "import socket\ns = socket.create_server(('127.0.0.1', 0))\nprint('ready on port', s.getsockname()[1], flush=True)\ns.accept()\n",
	".vscode/launch.json": `{
		"configurations": [
			{"name": "Shop", "type": "go", "request": "launch", "program": "${workspaceFolder}"},
			{"name": "Server", "type": "debugpy", "request": "launch", "program": "${workspaceFolder}/server.py",
				"serverReadyAction": {"pattern": "ready on port ([0-9]+)", "uriFormat": "http://localhost:%s/shop", "action": "openExternally"}},
			{"name": "Lost", "type": "debugpy", "request": "launch", "program": "${workspaceFolder}/lost.py"}],
		"compounds": [
			{"name": "Both", "configurations": ["Shop", "Server"], "preLaunchTask": "make", "stopAll": true},
			{"name": "Half", "configurations": ["Server", "Lost"]},
			{"name": "Circle", "configurations": ["Shop", "Around"]}, {"name": "Around", "configurations": ["Circle"]},
			{"name": "Strange", "configurations": ["Sop"]}]}`,
	".vscode/tasks.json": `{"tasks": [{"label": "make", "type": "shell", "command": "echo made >> made.txt"}]}`,
}

// A compound starts its programs in sessions of their own, and stops them together.
func TestCompound(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	s := testkit.Start(t, testkit.Options{Dir: filetree.New(t, compoundWorkspace)})
	r := s.OK("session_start", A{"launch_config_name": "Both", "breakpoints": []A{{"file": "main.go", "line": 10}}, "timeout_ms": startLimit})
	r.Stopped("stopped_at_breakpoint", "main.go:10").Want("go-1", "session_id").Want("python-1", "data", "other_sessions", "0", "session_id").Has("one of 2 sessions of")
	if text, err := os.ReadFile(filepath.Join(s.Dir, "made.txt")); err != nil || string(text) != "made\n" {
		t.Errorf("the task of the compound has made %q, %v", text, err)
	}
	port := s.OK("execute", A{"action": "wait", "session_id": "python-1", "timeout_ms": startLimit}).Want("running", "data", "execution_state", "status").Has("http://localhost:", "/shop")
	if port.At("data", "server_ready") == "" {
		t.Errorf("no address:\n%s", port)
	}
	s.OK("session", A{"action": "stop", "session_id": "go-1"}).Has("python-1")
	s.OK("session", A{"action": "status", "session_id": "python-1"}).Want("terminated", "data", "execution_state", "status")
	s.NothingLeft(10 * time.Second)
}

// Nothing of a compound is left when a member of it cannot be started.
func TestCompoundsThatCannotBeStarted(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	s := testkit.Start(t, testkit.Options{Dir: filetree.New(t, compoundWorkspace)})
	s.Fail("CONFIG_INVALID", "session_start", A{"launch_config_name": "Circle"}).Has("leads back to itself: Circle → Around → Circle")
	s.Fail("CONFIG_INVALID", "session_start", A{"launch_config_name": "Strange"}).Has("names the configuration", "Sop", "Shop")
	s.Fail("VALIDATION_INVALID_PARAM", "session_start", A{"launch_config_name": "Both", "args": []string{"x"}}).Has("Shop, Server")
	s.Fail("VALIDATION_INVALID_PARAM", "diagnose", A{"start": A{"launch_config_name": "Both"}}).Has("is a compound")
	if r := s.Call("session_start", A{"launch_config_name": "Half", "timeout_ms": startLimit}); !r.IsError {
		t.Errorf("a compound with a program that is not there starts:\n%s", r)
	} else {
		r.Has("of the compound", "lost.py")
	}
	s.OK("session", A{"action": "list"}).Has("0 sessions")
	s.NothingLeft(10 * time.Second)
}
