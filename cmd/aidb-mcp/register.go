package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
)

// registration is what someone reads who starts the server by hand: SHELL is this binary, as
// a shell reads it, and JSON as JSON writes it.
const registration = `aidb-mcp speaks MCP on standard input and output: an agent starts it, not a person.

Register it with your agents, each change shown and asked about:
  SHELL setup --all

Or by hand:
  Claude Code   claude mcp add aidb -- SHELL serve
  Codex         codex mcp add aidb -- SHELL serve
  Gemini CLI    gemini mcp add aidb SHELL serve
  Others        {"mcpServers": {"aidb": {"command": JSON, "args": ["serve"]}}}
                (VS Code: "servers" in .vscode/mcp.json; Zed: "context_servers" in its settings)

Or see it work:
  SHELL demo      debugs a small program the way an agent would
  SHELL doctor    checks what debugging needs on this machine
  SHELL --help    lists all commands
`

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
	_, err = strings.NewReplacer("SHELL", shellQuote(path), "JSON", string(quoted)).WriteString(w, registration)
	return err
}

// shellQuote quotes a path where a shell would split it.
func shellQuote(path string) string {
	if !strings.ContainsAny(path, " '\"$`\\&;()") {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
