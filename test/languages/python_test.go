//go:build linux

package languages

import (
	"os/exec"
	"testing"

	"aidb-mcp/internal/testkit"
)

// python is Python with debugpy.
var python = []*language{{
	Name: "python", Title: "Python", Adapter: "debugpy",
	File: "main.py", Comment: "#",
	Start: func(*testkit.Program) A { return A{"target": "main.py"} },
	Outside: func(_ testing.TB, p *testkit.Program, part string) outside {
		command := exec.Command("python3", "-u", "main.py", part)
		command.Dir = p.Dir
		return outside{
			Command: command,
			Attach:  func(pid int) A { return A{"mode": "attach", "pid": pid} },
		}
	},
	Phrases: map[string]phrase{
		"yes":       {Show: `True`},
		"name":      {Show: `'grüße 🙂'`},
		"lines":     {Show: `'one\\n"two"'`},
		"field":     {Show: `'Paris'`},
		"tag":       {Show: `'y'`},
		"main":      {Show: `<module>`},
		"exception": {Show: `.*TourError`},
		"patch":     {Say: "def twice(n):\n    result = n * 3\n    return result\n"},
	},
	Cannot: map[string]cannot{
		"watchpoint":          {Why: "debugpy has no data breakpoints"},
		"step back":           {Why: "Python only runs forwards"},
		"step by instruction": {Why: "Python code has no machine instructions"},
		"memory":              {Why: "Python values have no address"},
		"registers":           {Why: "Python code has no registers"},
		"disassembly":         {Why: "Python code has no machine instructions"},
	},
}}
