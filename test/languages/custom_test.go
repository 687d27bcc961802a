//go:build linux

package languages

import (
	"os"
	"os/exec"
	"strconv"
	"testing"

	"aidb-mcp/internal/testkit"
)

// customTables is a settings file with the tables of docs/custom-adapters.md.
var customTables = testkit.CustomTables()

// custom is adapters that only the configuration knows.
var custom = []*language{{
	Name: "plainruby", Title: "Ruby", Adapter: "rdbg, from a table in the settings file", Folder: "ruby",
	Again: "python", New: true, // but for what a table says of its adapter
	Short: []string{
		"line breakpoint", "function breakpoint", "step into", "stop view", "evaluate", "uncaught exception", "attach", "capabilities",
	},
	File: "tour.rb", Comment: "#", Env: []string{customTables},
	Args:  []string{"--request-timeout", "60s"}, // it writes a list, and a text, whole each time, which takes a busy machine longer than usual
	Start: func(*testkit.Program) A { return A{"language": "plainruby", "target": "tour.rb"} },
	Outside: func(t testing.TB, p *testkit.Program, part string) outside {
		port := freePort(t)
		rdbg := exec.Command("rdbg3.1", "--open", "--nonstop", "--host", "127.0.0.1", "--port", port, "--", p.Dir+"/tour.rb", part)
		rdbg.Env = append(os.Environ(), "RUBY_DEBUG_LOG_LEVEL=ERROR", "RUBY_DEBUG_SOCK_DIR="+t.TempDir())
		return outside{Command: rdbg, Port: port, PausesWhenJoined: true, Attach: func(int) A {
			return A{"language": "plainruby", "mode": "remote_attach", "host": "127.0.0.1", "port": port}
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
	},
	Cannot: map[string]cannot{
		"unknown adapter option": {
			Why: "for a table, adapter_options are passed on unchecked",
			Check: func(s *subject) {
				s.ended(s.start("loop", A{"adapter_options": A{"nosuchOption": 1}}), "0")
			},
		},
		"return value": {Why: "rdbg has it only on the last line of the method, as the local _return"},
		"many threads": {
			Why: "rdbg shows the stack of the stopped thread only",
			Check: func(s *subject) {
				s.stop("threads", "gathered")
				s.OK("inspect", A{"target": "threads"}).Want("21", "data", "total")
			},
		},
		"text of a megabyte": {
			Why: "rdbg cuts long texts itself and does not say how long they are",
			Check: func(s *subject) {
				s.stop("big", "big-end")
				if r := s.OK("inspect", A{"expression": "text"}); len(r.Text) > 3000 {
					s.t.Errorf("%d bytes for a text", len(r.Text))
				}
				s.OK("inspect", A{"expression": "text.size"}).Want("1000000", "data", "result", "v")
			},
		},
		"list of a million": {
			Why: "rdbg writes the whole list each time, which takes seconds",
			Check: func(s *subject) {
				s.stop("big", "big-end")
				s.evaluates("last")
			},
		},
		"step back":           {Why: "rdbg steps back only in recordings"},
		"watchpoint":          {Why: "rdbg has no data breakpoints"},
		"jump":                {Why: "rdbg cannot change the next line to run"},
		"step by instruction": {Why: "rdbg steps by line"},
		"memory":              {Why: "rdbg shows none"},
		"registers":           {Why: "rdbg shows none"},
		"disassembly":         {Why: "rdbg shows none"},
		"patch":               {Why: "a table in the settings cannot describe it; evaluating a new definition replaces code in Ruby"},
	},
}}

// freePort is a port of the test's own, where nobody listens yet, as it is written.
func freePort(t testing.TB) string {
	t.Helper()
	return strconv.Itoa(testkit.Port(t))
}
