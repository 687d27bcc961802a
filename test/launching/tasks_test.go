//go:build linux

package launching

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
	"aidb-mcp/internal/testkit/filetree"
)

// A program that says what its tasks have made for it.
var taskWorkspace = map[string]string{
	"show.py": "import os\nprint('made:', open('made.txt').read().strip())\nprint('served:', os.path.exists('served.txt'))\n",
	".vscode/launch.json": `{"configurations": [
		{"name": "Show", "type": "debugpy", "request": "launch", "program": "${workspaceFolder}/show.py", "preLaunchTask": "all", "postDebugTask": "clean"},
		{"name": "Broken", "type": "debugpy", "request": "launch", "program": "${workspaceFolder}/show.py", "preLaunchTask": "broken"},
		{"name": "Never", "type": "debugpy", "request": "launch", "program": "${workspaceFolder}/show.py", "preLaunchTask": "never"},
		{"name": "Slip", "type": "debugpy", "request": "launch", "program": "${workspaceFolder}/show.py", "preLaunchTask": "al"}]}`,
	".vscode/tasks.json": `{"version": "2.0.0", "tasks": [
		{"label": "all", "dependsOn": ["make", "serve"], "dependsOrder": "sequence"},
		{"label": "make", "type": "shell", "command": "echo", "args": ["by the task", ">", "made.txt"]},
		{"label": "serve", "type": "shell", "command": "touch served.txt; echo $$ > served.pid; echo it is up; exec sleep 600", "isBackground": true,
			"problemMatcher": {"pattern": {"regexp": "."}, "background": {"activeOnStart": true, "beginsPattern": "x", "endsPattern": "^it is up$"}}},
		{"label": "clean", "type": "process", "command": "mv", "args": ["made.txt", "cleaned.txt"]},
		{"label": "broken", "type": "shell", "command": "echo 'shop.c:3: error: no such thing'; exit 2"},
		{"label": "never", "type": "shell", "command": "echo only half; exec sleep 600", "isBackground": true, "problemMatcher": "$tsc-watch"}]}`,
}

// Tasks run before and after each run of the program, and what they leave in the
// background ends with it.
func TestTasks(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	dir := filetree.New(t, taskWorkspace)
	s := testkit.Start(t, testkit.Options{Dir: dir})
	path := func(name string) string { return filepath.Join(dir, name) }
	s.OK("session_start", A{"launch_config_name": "Show", "breakpoints": []string{"show.py:2"}, "timeout_ms": startLimit}).Want("stopped_at_breakpoint", "data", "execution_state", "status")
	if text, err := os.ReadFile(path("made.txt")); err != nil || string(text) != "by the task\n" {
		t.Errorf("made is %q, %v", text, err)
	}
	s.OK("execute", nil).Want("terminated", "data", "execution_state", "status").Contains([]string{"data", "output", "stdout"}, "made: by the task", "served: True")
	ended := func() bool {
		_, err := os.Stat(path("cleaned.txt"))
		return err == nil
	}
	testkit.Eventually(t, 20*time.Second, "the task after the program has run", ended)
	pid, err := os.ReadFile(path("served.pid"))
	if err != nil {
		t.Fatal(err)
	}
	gone := func() bool {
		_, err := os.Stat("/proc/" + strings.TrimSpace(string(pid)))
		return err != nil
	}
	testkit.Eventually(t, 20*time.Second, "the task in the background is gone", gone)
	s.OK("session", A{"action": "restart", "timeout_ms": startLimit}).Want("stopped_at_breakpoint", "data", "execution_state", "status")
	if _, err := os.Stat(path("made.txt")); err != nil {
		t.Errorf("a restart has not run the task: %v", err)
	}
	s.OK("session", A{"action": "stop"})
}

// A task that fails, one that never gets ready and one that there is not keep the
// program from starting, and say so; what only looks runs none.
func TestTasksThatKeepAProgramFromStarting(t *testing.T) {
	t.Parallel()
	s := testkit.Start(t, testkit.Options{Dir: filetree.New(t, taskWorkspace)})
	s.OK("config", A{"action": "set", "key": "build_timeout", "value": "1"})
	s.Fail("BUILD_FAILED", "session_start", A{"launch_config_name": "Broken", "timeout_ms": startLimit}).Has("failed: exit code 2", "shop.c:3: error: no such thing").
		Want(`the task "broken" failed: exit code 2`, "summary")
	s.Fail("BUILD_FAILED", "session_start", A{"launch_config_name": "Never", "timeout_ms": startLimit}).Has("was not ready", "only half")
	s.Fail("CONFIG_INVALID", "session_start", A{"launch_config_name": "Slip"}).Has("names the task", "did it mean", "all")
	s.Fail("CONFIG_NOT_FOUND", "session_start", A{"launch_config_name": "Shw"}).Has("did you mean", "Show")
	s.NothingLeft(10 * time.Second)

	looking := testkit.Start(t, testkit.Options{Dir: s.Dir, Args: []string{"--read-only"}})
	looking.OK("init", nil).Has("Show (debugpy, launch)")
	looking.Fail("POLICY_DENIED", "session_start", A{"launch_config_name": "Show"})
	if _, err := os.Stat(filepath.Join(s.Dir, "made.txt")); err == nil {
		t.Error("a task was run by what only looks")
	}
}
