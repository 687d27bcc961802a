package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"text/template"
)

// registration is what someone reads who starts the server by hand.
var registration = template.Must(template.New("").Parse(`aidb-mcp speaks MCP on standard input and output: an agent starts it, not a person.

Register it with your agents, each change shown and asked about:
  {{.Shell}} setup --all

Or by hand:
  Claude Code   claude mcp add aidb -- {{.Shell}} serve
  Codex         codex mcp add aidb -- {{.Shell}} serve
  Gemini CLI    gemini mcp add aidb {{.Shell}} serve
  Others        {"mcpServers": {"aidb": {"command": {{.JSON}}, "args": ["serve"]}}}
                (VS Code: "servers" in .vscode/mcp.json; Zed: "context_servers" in its settings)

Or see it work:
  {{.Shell}} demo      debugs a small program the way an agent would
  {{.Shell}} doctor    checks what debugging needs on this machine
  {{.Shell}} --help    lists all commands
`))

// explainRegistration says how to register this very binary.
func explainRegistration(w io.Writer) error {
	path, err := os.Executable()
	if err != nil {
		path = "aidb-mcp"
	}
	quoted, err := json.Marshal(path)
	if err != nil {
		return fmt.Errorf("quoting %s: %w", path, err)
	}
	return registration.Execute(w, struct{ Shell, JSON string }{shellQuote(path), string(quoted)})
}

// shellQuote quotes a path where a shell would split it.
func shellQuote(path string) string {
	if !strings.ContainsAny(path, " '\"$`\\&;()") {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
