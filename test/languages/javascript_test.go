//go:build linux

package languages

import (
	"os/exec"
	"testing"

	"aidb-mcp/internal/testkit"
)

// javascript is JavaScript and TypeScript with js-debug. The one is a script
// that node runs as it is; the other a module compiled by tsc, where nothing
// stands on the line that the user sees, so that all goes through source maps.
var javascript = []*language{
	scripted(language{
		Name: "javascript", Title: "JavaScript", Adapter: "js-debug", File: "tour.js",
		Outside: runByNode("tour.js"),
	}),
	scripted(language{
		Name: "typescript", Title: "TypeScript", Adapter: "js-debug, compiled by tsc", File: "src/tour.ts",
		Prepare: preparedByTSC, Rebuild: compile, Again: "javascript",
		Short: []string{
			"line breakpoint", "step into", "stop view", "evaluate", "uncaught exception", "restart after an edit",
		},
		Outside: runByNode("dist/tour.js"),
	}),
}

// scripted fills in what JavaScript and TypeScript have in common.
func scripted(l language) *language {
	l.Start = func(*testkit.Program) A { return A{"target": l.File} }
	l.Phrases = map[string]phrase{
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
	}
	l.Cannot = map[string]cannot{
		"many threads": {
			Why: "each worker runs on while another is stopped, and is one row without a stack",
			Check: func(s *subject) {
				testkit.Long(s.t, "with twenty workers what TestJavaScriptProcesses sees of one")
				s.stop("threads", "gathered")
				s.OK("inspect", A{"target": "threads"}).Contains([]string{"data", "threads"}, `"count":20`)
				s.ended(s.goOn(), "0").Has("gathered")
			},
		},
		"return value":        {Why: "V8 knows the value only at the return itself, where it is among the locals"},
		"watchpoint":          {Why: "js-debug has no data breakpoints"},
		"step by instruction": {Why: "js-debug only steps by statement"},
		"step back":           {Why: "node cannot run backwards"},
		"jump":                {Why: "node cannot change the next line to run"},
		"patch":               {Why: "js-debug has no request to replace code"},
		"registers":           {Why: "JavaScript has none"},
		"disassembly":         {Why: "JavaScript has none"},
	}
	return &l
}

// runByNode is a file of the program that node runs by itself. Its inspector may open
// at any port: at the usual one only one node can be attached to at a time.
func runByNode(file string) func(testing.TB, *testkit.Program, string) outside {
	return func(t testing.TB, p *testkit.Program, part string) outside {
		cmd := exec.Command("node", "--inspect-port=0", file, part)
		cmd.Dir = p.Dir
		return outside{
			Command: cmd,
			Attach:  func(pid int) A { return A{"mode": "attach", "pid": pid} },
		}
	}
}

// preparedByTSC compiles a program with what npm has installed for all tests.
func preparedByTSC(t testing.TB, p *testkit.Program) {
	t.Helper()
	link(t, p, "typescript", "@types/node")
	compile(t, p)
}
