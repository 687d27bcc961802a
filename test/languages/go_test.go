//go:build linux

package languages

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"aidb-mcp/internal/testkit"
)

// golang is Go with the built-in Delve. The server builds it where a behaviour edits it;
// else all get a binary.
var golang = []*language{{
	Name: "go", Title: "Go", Adapter: "Delve",
	File: "main.go",
	Start: func(p *testkit.Program) A {
		if _, err := os.Stat(filepath.Join(p.Dir, "tour")); err == nil {
			return A{"target": "tour", "language": "go"}
		}
		return A{"target": "."}
	},
	Share: func(t testing.TB, p *testkit.Program) {
		run(t, p.Dir, "go", "build", "-gcflags=all=-N -l", "-ldflags=-compressdwarf=false", "-o", "tour", ".")
	},
	Outside: func(t testing.TB, p *testkit.Program, part string) outside {
		bin := filepath.Join(t.TempDir(), "tour")
		if text, err := os.ReadFile(filepath.Join(p.Dir, "tour")); err == nil {
			write(t, bin, string(text), 0o755)
		} else {
			run(t, p.Dir, "go", "build", "-gcflags=all=-N -l", "-o", bin, ".")
		}
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
