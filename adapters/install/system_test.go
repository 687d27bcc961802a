//go:build unix

package install

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aidb-mcp/internal/fault"
)

// manager makes PATH hold nothing but the given commands.
func manager(t *testing.T, scripts map[string]string) {
	t.Helper()
	dir := t.TempDir()
	for name, script := range scripts {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755))
	}
	t.Setenv("PATH", dir)
}

func lines(commands [][]string) string {
	var text []string
	for _, c := range commands {
		text = append(text, strings.TrimPrefix(strings.Join(c, " "), "sudo -n "))
	}
	return strings.Join(text, "\n")
}

// The newest LLDB is asked for, and nothing may be removed for it.
func TestSystemCommands(t *testing.T) {
	manifest := Manifest{pinned, {Name: "other", Languages: []string{"python"}}}
	const found = "echo 'lldb-9 - old'; echo 'lldb-16 - new'; echo 'lldb-14 - between'"
	for name, tt := range map[string]struct {
		scripts map[string]string
		want    string
	}{
		"apt":           {map[string]string{"apt-get": "", "apt-cache": found}, "apt-get update\napt-get install -y --no-install-recommends --no-remove lldb-16"},
		"apt, no lists": {map[string]string{"apt-get": "", "apt-cache": "exit 1"}, "apt-get update\napt-get install -y --no-install-recommends --no-remove lldb-19"},
		"dnf":           {map[string]string{"dnf": ""}, "dnf install -y lldb"},
		"brew":          {map[string]string{"brew": ""}, "brew install llvm"},
	} {
		t.Run(name, func(t *testing.T) {
			manager(t, tt.scripts)
			commands, err := manifest.SystemCommands(t.Context(), "rust")
			if err != nil || lines(commands) != tt.want {
				t.Errorf("commands are %q, %v; want %q", lines(commands), err, tt.want)
			}
		})
	}
	manager(t, nil)
	_, err := manifest.SystemCommands(t.Context(), "c")
	refused(t, err, "lldb-dap")
	_, err = manifest.SystemCommands(t.Context(), "python")
	refused(t, err, "python")
}

func TestRunningSystemCommands(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	manager(t, map[string]string{"good": "echo good $1 >> " + log, "bad": "echo 'no such package' >&2; exit 100"})
	discard := slog.New(slog.DiscardHandler)
	must(t, RunSystem(t.Context(), discard, [][]string{{"good", "one"}, {"good", "two"}}))
	err := RunSystem(t.Context(), discard, [][]string{{"bad", "x"}, {"good", "three"}})
	refused(t, err, "bad x failed: no such package", "as the administrator: bad x && good three")
	text, err := os.ReadFile(log)
	if err != nil || string(text) != "good one\ngood two\n" {
		t.Errorf("ran %q, %v", text, err)
	}
	if err := RunSystem(t.Context(), discard, [][]string{{"none"}}); !fault.Is(err, fault.AdapterInstall) {
		t.Errorf("error is %v", err)
	}
}
