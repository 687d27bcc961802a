//go:build linux

package languages

import (
	"os/exec"
	"testing"

	"aidb-mcp/internal/testkit"
)

// javascript is JavaScript and TypeScript with js-debug.
var javascript = []*language{{
	Name: "javascript", Title: "JavaScript", Adapter: "js-debug",
	File:  "tour.js",
	Start: func(*testkit.Program) A { return A{"target": "tour.js"} },
	Outside: func(_ testing.TB, p *testkit.Program, part string) outside {
		cmd := exec.Command("node", "tour.js", part)
		cmd.Dir = p.Dir
		return outside{
			Command: cmd,
			Attach:  func(pid int) A { return A{"mode": "attach", "pid": pid} },
		}
	},
	Phrases: map[string]phrase{
		"main":      {Show: `\(anonymous\)`}, // the module itself
		"huge":      {Show: `9007199254740993n`},
		"name":      {Show: `'grüße 🙂'`},
		"lines":     {Show: `'one\n"two"'`},
		"nothing":   {Show: `null`},
		"bytes":     {Say: `new Uint8Array(16)`},
		"entry":     {Say: `ages.get("two")`},
		"field":     {Show: `'Paris'`},
		"tag":       {Show: `'y'`},
		"exception": {Show: `RangeError`},
	},
	Cannot: map[string]cannot{
		"many threads": {
			Why: "workers are programs of their own, which run on while another stands still, and are one row without a stack",
			Check: func(s *subject) {
				s.stop("threads", "gathered")
				s.OK("inspect", A{"target": "threads"}).Contains([]string{"data", "threads"}, `"count":20`)
				s.ended(s.goOn(), "0").Has("gathered")
			},
		},
		"return value":        {Why: "V8 tells what a function returns only while it stands at its return, where it is among the locals"},
		"watchpoint":          {Why: "js-debug has no data breakpoints"},
		"step by instruction": {Why: "js-debug steps by statements only"},
		"step back":           {Why: "node cannot run backwards"},
		"jump":                {Why: "node cannot move the point of execution"},
		"patch":               {Why: "js-debug has no request that replaces code"},
		"registers":           {Why: "JavaScript has none"},
		"disassembly":         {Why: "JavaScript has none"},
	},
}}
