//go:build linux

package languages

import (
	"os"
	"os/exec"
	"testing"

	"aidb-mcp/internal/testkit"
)

// ruby is Ruby with rdbg.
var ruby = []*language{{
	Name: "ruby", Title: "Ruby", Adapter: "rdbg",
	File: "tour.rb", Comment: "#",
	Start: func(*testkit.Program) A { return A{"target": "tour.rb"} },
	Outside: func(t testing.TB, p *testkit.Program, part string) outside {
		port := freePort(t)
		rdbg := exec.Command("rdbg3.1", "--open", "--nonstop", "--host", "127.0.0.1", "--port", port, "--", p.Dir+"/tour.rb", part)
		rdbg.Env = append(os.Environ(), "RUBY_DEBUG_LOG_LEVEL=ERROR", "RUBY_DEBUG_SOCK_DIR="+t.TempDir())
		return outside{Command: rdbg, Port: port, Attach: func(int) A {
			return A{"mode": "remote_attach", "host": "127.0.0.1", "port": port}
		}}
	},
	Phrases: map[string]phrase{
		"main":      {Show: `<main>`},
		"part":      {Show: `.*\b(calls|loop_part)\b.*`},
		"log":       {Say: "at {i} total {total}"},
		"watch":     {Say: "$counter"},
		"name":      {Show: `"gr.*e .*"`},
		"ages":      {Show: `.*"one"=>1.*"two"=>2.*`},
		"exception": {Show: "RuntimeError"},
		"fail":      {Show: `.*\bfail_with\b`},
		"patch":     {Say: "def twice(n)\n  result = n * 3\n  result\nend\n"},
	},
	Cannot: map[string]cannot{
		"step back":           {Why: "rdbg steps back only in recordings"},
		"watchpoint":          {Why: "rdbg has no data breakpoints"},
		"jump":                {Why: "Ruby cannot change the next line to run"},
		"step by instruction": {Why: "rdbg steps by line"},
		"memory":              {Why: "Ruby values have no address"},
		"registers":           {Why: "Ruby code has no registers"},
		"disassembly":         {Why: "Ruby code has no machine instructions"},
	},
}}
