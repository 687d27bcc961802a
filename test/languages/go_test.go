//go:build linux

package languages

import (
	"os/exec"
	"path/filepath"
	"testing"

	"aidb-mcp/internal/testkit"
)

// golang is Go with the built-in Delve.
var golang = []*language{{
	Name: "go", Title: "Go", Adapter: "Delve",
	File:  "main.go",
	Start: func(*testkit.Program) A { return A{"target": "."} },
	Outside: func(t testing.TB, p *testkit.Program, part string) outside {
		bin := filepath.Join(t.TempDir(), "tour")
		run(t, p.Dir, "go", "build", "-gcflags=all=-N -l", "-o", bin, ".")
		return outside{
			Command: exec.Command(bin, part),
			Attach:  func(pid int) A { return A{"mode": "attach", "pid": pid} },
		}
	},
	Phrases: map[string]phrase{
		"exception": {Show: "panic"},
	},
	Cannot: map[string]cannot{
		"patch":     {Why: "a Go program cannot load new code"},
		"step back": {Why: "Delve steps back only in recordings"},
	},
}}
