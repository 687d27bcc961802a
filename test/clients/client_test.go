//go:build linux

package clients

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
)

// client is a row of the suite.
type client struct {
	Name    string // for people, and in the names of tests
	From    testkit.Shelf
	Package string              // as its registry calls it
	Speaks  string              // for people: revisions of MCP
	Sees    string              // for people: what its model is shown
	Finds   func(*place)        // finds the bug, or fails the test
	Needs   func(*place) string // why it cannot run here; empty: it can
}

// clients are the rows, in the order of the documentation.
var clients = []client{
	{"Claude Code", testkit.Npm, "@anthropic-ai/claude-code", "2026-07-28", "the text, or the structured reply if there is one; `diagnose` and `session_start` at once, the other tools when it searches for them", claudeCode, nil},
	{"Codex", testkit.Npm, "@openai/codex", "2025-06-18", "the text, or the structured reply if there is one, after the time it took; OpenAI's models first search for the tools; the newest call them from a program and see everything", codex, nil},
	{"Gemini CLI", testkit.Npm, "@google/gemini-cli", "2025-06-18", "the text, marked as untrusted", geminiCLI, nodeIsOld},
	{"Inspector", testkit.Npm, "@modelcontextprotocol/inspector", "2025-11-25, 2026-07-28", "no model: prints everything; `--strict` finds no fault in the tools", inspector, nodeIsOld},
	{"TypeScript SDK 1", testkit.Npm, "@modelcontextprotocol/sdk", "2025-11-25", "no model: the program gets everything", typeScript1, nodeIsOld},
	{"TypeScript SDK 2", testkit.Npm, "@modelcontextprotocol/client", "2025-11-25, 2026-07-28", "no model: the program gets everything", typeScript2, nodeIsOld},
	{"Python SDK 1", testkit.Python1, "mcp", "2025-11-25", "no model: the program gets everything", pythonSDK1, nil},
	{"Python SDK 2", testkit.Python, "mcp", "2025-11-25, 2026-07-28", "no model: the program gets everything", pythonSDK2, nil},
	{"FastMCP", testkit.Python, "fastmcp", "2026-07-28", "no model: the program gets everything", fastMCP, nil},
	{"Google Gen AI SDK", testkit.Python, "google-genai", "2025-11-25", "every tool as a function; the part of a reply that the program passes on", googleGenAI, nil},
	{"OpenAI Agents SDK", testkit.Python, "openai-agents", "2026-07-28", "every tool as a function, strict except `session_start`, whose `env` can have any names; the text", openAIAgents, nil},
}

// enough is how many clients must run on a machine that is to be trusted.
const enough = 6

// Every client finds the bug in one call and ends clean.
func TestClients(t *testing.T) {
	t.Parallel()
	names := toolNames(t)
	var told outcomes
	t.Run("each", func(t *testing.T) {
		for _, c := range clients {
			t.Run(c.Name, func(t *testing.T) {
				t.Parallel()
				c.long(t)
				c.run(t, names, &told)
			})
		}
	})
	told.publish(t)
}

// long leaves to the long run what is much to fetch, and what speaks by another client's code.
func (c client) long(t *testing.T) {
	switch {
	case c.From == testkit.Npm:
		testkit.Long(t, "1.4 GB of clients are fetched for it; other clients find the bug in the short run")
	case c.Name == "FastMCP" || c.Name == "OpenAI Agents SDK":
		testkit.Long(t, "it speaks by Python SDK 2, which finds the bug in the short run")
	}
}

// run lets a client find the bug and tells what became of it.
func (c client) run(t *testing.T, tools []string, told *outcomes) {
	outcome := "failed"
	defer func() { told.add(c, outcome) }() // whatever ends the test
	unable := func(why string) {
		if why != "" {
			outcome = cannot + why
			t.Skip(outcome)
		}
	}
	unable(c.From.Missing())
	p := newPlace(t, c)
	p.tools = tools
	if c.Needs != nil {
		unable(c.Needs(p))
	}
	begun := time.Now()
	c.Finds(p)
	if !t.Failed() {
		outcome = fmt.Sprintf("found the bug in %.1f s", time.Since(begun).Seconds())
	}
}

// cannot begins the outcome of a client that did not run.
const cannot = "cannot run here: "

// outcomes are what became of the clients.
type outcomes struct {
	mu   sync.Mutex
	rows map[string]string // by name
}

func (o *outcomes) add(c client, outcome string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.rows == nil {
		o.rows = map[string]string{}
	}
	o.rows[c.Name] = outcome
}

// publish writes the table into the log, and into the cache for those who run
// the tests without it, and counts.
func (o *outcomes) publish(t *testing.T) {
	t.Helper()
	if len(o.rows) < len(clients) {
		return // some were left out by -run
	}
	var table strings.Builder
	ran := 0
	for _, c := range clients {
		fmt.Fprintf(&table, "%-18s %-34s %-10s %s\n", c.Name, c.Package, c.version(t), o.rows[c.Name])
		if !strings.HasPrefix(o.rows[c.Name], cannot) {
			ran++
		}
	}
	t.Logf("\n%s", &table)
	if err := os.WriteFile(filepath.Join(testkit.Clients(), "outcome.txt"), []byte(table.String()), 0o644); err != nil {
		t.Error(err)
	}
	if ran < enough {
		t.Errorf("only %d of %d clients ran, and %d are needed to say that clients work", ran, len(clients), enough)
	}
}

// bug is the program that each client is to find the bug of.
const bug = "nilderef"

// read fails the test unless this is the whole stop at the bug, as a model reads it.
func (p *place) read(text string) {
	p.t.Helper()
	line := p.bug.Line("deref")
	want := fmt.Sprintf(`(?s)^panic: .*nil pointer.*, at main\.go:%d in main\.greet   \[go-1, .*\n%d→ .*`+
		`\nlocals\n id = "bob" .*\n u = nil .*\nstack\n main\.greet main\.go:%d\n.*\nstdout\n hello Ada$`, line, line, line)
	if !regexp.MustCompile(want).MatchString(strings.TrimSpace(text)) {
		p.t.Errorf("this is not the stop at the bug:\n%s", text)
	}
}

// shown fails the test unless this is the same as JSON, for a program.
func (p *place) shown(text string) {
	p.t.Helper()
	var reply struct {
		Success bool
		Data    struct {
			Location  string
			Exception struct{ Type, Message string }
			Locals    map[string]struct{ V string }
			Stack     []string
			Output    struct{ Stdout string } // the last field: nothing is cut off
		}
	}
	p.decode(text, &reply)
	d := reply.Data
	right := reply.Success && d.Location == p.bug.At("main.go", "deref") && d.Exception.Type == "panic" &&
		strings.Contains(d.Exception.Message, "nil pointer") && d.Locals["u"].V == "nil" && d.Locals["id"].V == `"bob"` &&
		len(d.Stack) == 3 && d.Output.Stdout == "hello Ada\n"
	if !right {
		p.t.Errorf("this is not the stop at the bug:\n%s", text)
	}
}

// toolNames are our tools as the server lists them.
func toolNames(t *testing.T) []string {
	t.Helper()
	list, err := testkit.Start(t, testkit.Options{}).Client.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	return names
}
