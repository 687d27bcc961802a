package register

import (
	"encoding/json"
	"path/filepath"
	"slices"

	"aidb-mcp/internal/text/pattern"
)

// Scope says whose settings are meant.
type Scope string

// The scopes.
const (
	User    Scope = "user"    // every project of this user
	Project Scope = "project" // one project, and everybody who works on it
)

// serverName is what the server is called in every client.
const serverName = "aidb"

// namesServer finds what a list of servers says of ours.
var namesServer = pattern.New(`(^|\s)` + serverName + `(:?\s|$)`)

// Client is a row of the table: an MCP client, and how it is told of servers.
type Client struct {
	Name  string // on the command line
	Title string // for people

	// programs are its commands, and traces files or folders that show that it has
	// been used: any of them means that it is here.
	programs []string
	traces   func(Machine) []string

	// file is where it keeps servers in a scope; empty: there is no such file.
	file func(Machine, Scope) string
	// servers leads to them in the file, and entry is ours there.
	servers []string
	entry   func(Server, Scope) fields

	// add and remove are its own commands. None: the file is edited.
	add, remove func(Server, Scope) []string
	// approval is what lets the tools run without a question, if that is a setting.
	approval func(Machine, Scope) approval
	// check is its own command that tells how the server does, in the lines that
	// tells finds.
	check []string
	tells *pattern.Pattern
	// after is what a person has to do or to know, besides.
	after string
}

// After is what a person has to do or to know once the server is registered; it may
// be empty.
func (c Client) After() string { return c.after }

// Server is how the server is started.
type Server struct {
	Command string
	Args    []string
}

// approval is a setting by which a client asks no more.
type approval struct {
	file string
	path []string
	// value is set, or text is added to a list.
	value any
	text  string
	asks  string // what the client does without it
}

// Clients is the table, in the order of the README.
func Clients() []Client {
	return []Client{
		claudeCode(), codex(), cursor(), vsCode(), geminiCLI(), windsurf(), zed(), cline(), jetBrains(), openCode(),
	}
}

// stdio is the entry that most clients have.
func stdio(s Server, _ Scope) fields { return fields{{"command", s.Command}, {"args", s.Args}} }

// forEditor gives a server the settings of editors, which start servers of a project anywhere.
func forEditor(s Server, scope Scope) Server {
	if scope == Project {
		s.Args = append(slices.Clone(s.Args), "--workspace", "${workspaceFolder}")
	}
	return s
}

// perScope is a file of the user and one of a project, each by the way to it.
func perScope(user func(Machine) string, project ...string) func(Machine, Scope) string {
	return func(m Machine, scope Scope) string {
		switch {
		case scope == User:
			return user(m)
		case len(project) == 0:
			return ""
		}
		return filepath.Join(append([]string{m.Project}, project...)...)
	}
}

func pathBelow(elements ...string) func(Machine) string {
	return func(m Machine) string { return filepath.Join(append([]string{m.Home}, elements...)...) }
}

func claudeCode() Client {
	// Other folders of settings have the file in them, and not beside them.
	file := func(m Machine) string { return filepath.Join(m.dir("CLAUDE_CONFIG_DIR"), ".claude.json") }
	return Client{
		Name: "claude-code", Title: "Claude Code",
		programs: []string{"claude"},
		traces:   func(m Machine) []string { return []string{file(m)} },
		file:     perScope(file, ".mcp.json"),
		servers:  []string{"mcpServers"},
		entry: func(s Server, _ Scope) fields {
			return fields{{"type", "stdio"}, {"command", s.Command}, {"args", s.Args}, {"env", fields{}}}
		},
		// The file is Claude Code's memory as well, which running ones write.
		add: func(s Server, scope Scope) []string {
			return append([]string{"claude", "mcp", "add", "-s", string(scope), serverName, "--", s.Command}, s.Args...)
		},
		remove: func(_ Server, scope Scope) []string {
			return []string{"claude", "mcp", "remove", "-s", string(scope), serverName}
		},
		approval: func(m Machine, scope Scope) approval {
			file := filepath.Join(m.dir("CLAUDE_CONFIG_DIR", ".claude"), "settings.json")
			if scope == Project {
				file = filepath.Join(m.Project, ".claude", "settings.json")
			}
			return approval{file: file, path: []string{"permissions", "allow"}, text: "mcp__" + serverName, asks: "asks before each call"}
		},
		// "claude mcp list" would start every other server as well.
		check: []string{"claude", "mcp", "get", serverName},
		tells: pattern.New(`^Status:`),
	}
}

func codex() Client {
	dir := func(m Machine) string { return m.dir("CODEX_HOME", ".codex") }
	file := perScope(func(m Machine) string { return filepath.Join(dir(m), "config.toml") }, ".codex", "config.toml")
	return Client{
		Name: "codex", Title: "Codex",
		programs: []string{"codex"},
		traces:   func(m Machine) []string { return []string{dir(m)} },
		file:     file,
		servers:  []string{"mcp_servers"},
		// Its own command (codex mcp add) drops comments from the tables of other
		// servers and knows no time limit: the file is edited.
		entry: func(s Server, scope Scope) fields {
			return append(stdio(s, scope), field{"tool_timeout_sec", 320})
		},
		approval: func(m Machine, scope Scope) approval {
			return approval{
				file: file(m, scope), path: []string{"mcp_servers", serverName, "default_tools_approval_mode"}, value: "approve",
				asks: "asks before tools that run programs, and codex exec refuses them",
			}
		},
		check: []string{"codex", "mcp", "list"},
		tells: namesServer,
	}
}

func cursor() Client {
	return Client{
		Name: "cursor", Title: "Cursor",
		programs: []string{"cursor", "cursor-agent"},
		traces:   func(m Machine) []string { return []string{filepath.Join(m.Home, ".cursor")} },
		file:     perScope(pathBelow(".cursor", "mcp.json"), ".cursor", "mcp.json"),
		servers:  []string{"mcpServers"},
		entry:    func(s Server, scope Scope) fields { return stdio(forEditor(s, scope), scope) },
		after:    "Cursor shows it in its settings under MCP, where it can be switched on",
	}
}

func vsCode() Client {
	dir := func(m Machine) string { return filepath.Join(m.appData(), "Code", "User") }
	return Client{
		Name: "vscode", Title: "VS Code",
		programs: []string{"code"},
		traces:   func(m Machine) []string { return []string{dir(m)} },
		file:     perScope(func(m Machine) string { return filepath.Join(dir(m), "mcp.json") }, ".vscode", "mcp.json"),
		servers:  []string{"servers"},
		entry: func(s Server, scope Scope) fields {
			return append(fields{{"type", "stdio"}}, stdio(forEditor(s, scope), scope)...)
		},
		add: func(s Server, scope Scope) []string {
			if scope != User {
				return nil
			}
			entry, err := json.Marshal(append(fields{{"name", serverName}, {"type", "stdio"}}, stdio(s, scope)...))
			if err != nil {
				return nil
			}
			return []string{"code", "--add-mcp", string(entry)}
		},
		after: "VS Code asks whether to trust it when it is first started",
	}
}

func geminiCLI() Client {
	file := perScope(pathBelow(".gemini", "settings.json"), ".gemini", "settings.json")
	return Client{
		Name: "gemini", Title: "Gemini CLI",
		programs: []string{"gemini"},
		traces:   func(m Machine) []string { return []string{file(m, User)} },
		file:     file,
		servers:  []string{"mcpServers"},
		entry:    stdio,
		add: func(s Server, scope Scope) []string {
			command := []string{"gemini", "mcp", "add", "-s", string(scope), serverName, s.Command}
			for i, arg := range s.Args {
				if i == 1 { // what begins with a dash is the server's from here on
					command = append(command, "--")
				}
				command = append(command, arg)
			}
			return command
		},
		remove: func(_ Server, scope Scope) []string {
			return []string{"gemini", "mcp", "remove", "-s", string(scope), serverName}
		},
		approval: func(m Machine, scope Scope) approval {
			return approval{
				file: file(m, scope), path: []string{"mcpServers", serverName, "trust"}, value: true,
				asks: "asks before each call, and gemini -p does not show the tools to its model",
			}
		},
		check: []string{"gemini", "mcp", "list"},
		tells: namesServer,
		after: "Gemini CLI starts servers only in a folder that it trusts; elsewhere they are disabled",
	}
}

func windsurf() Client {
	return Client{
		Name: "windsurf", Title: "Windsurf",
		programs: []string{"windsurf"},
		traces:   func(m Machine) []string { return []string{filepath.Join(m.Home, ".codeium", "windsurf")} },
		file:     perScope(pathBelow(".codeium", "windsurf", "mcp_config.json")),
		servers:  []string{"mcpServers"},
		entry:    stdio,
		after:    "Windsurf reads it when Cascade's MCP servers are refreshed, or at its next start",
	}
}

func zed() Client {
	dir := func(m Machine) string {
		switch m.OS {
		case "windows":
			return filepath.Join(m.appData(), "Zed")
		case "darwin":
			return filepath.Join(m.Home, ".config", "zed")
		}
		return filepath.Join(m.xdg(), "zed")
	}
	return Client{
		Name: "zed", Title: "Zed",
		programs: []string{"zed", "zeditor"},
		traces:   func(m Machine) []string { return []string{dir(m)} },
		file:     perScope(func(m Machine) string { return filepath.Join(dir(m), "settings.json") }, ".zed", "settings.json"),
		servers:  []string{"context_servers"},
		entry: func(s Server, scope Scope) fields {
			return append(append(fields{{"source", "custom"}}, stdio(s, scope)...), field{"env", fields{}})
		},
	}
}

func cline() Client {
	extension := func(m Machine) string {
		return filepath.Join(m.appData(), "Code", "User", "globalStorage", "saoudrizwan.claude-dev")
	}
	data := func(m Machine) string {
		return filepath.Dir(filepath.Join(m.dir("CLINE_DATA_DIR", ".cline", "data"), "x"))
	}
	return Client{
		Name: "cline", Title: "Cline",
		programs: []string{"cline"},
		traces:   func(m Machine) []string { return []string{data(m), extension(m)} },
		file: perScope(func(m Machine) string {
			if file := m.Env("CLINE_MCP_SETTINGS_PATH"); file != "" {
				return file
			}
			const name = "cline_mcp_settings.json"
			// The extension had one of its own before it shared the command's.
			return firstExisting(filepath.Join(data(m), "settings", name), filepath.Join(extension(m), "settings", name))
		}),
		servers: []string{"mcpServers"},
		entry: func(s Server, scope Scope) fields {
			return append(stdio(s, scope), field{"disabled", false}, field{"timeout", 320})
		},
	}
}

func jetBrains() Client {
	return Client{
		Name: "jetbrains", Title: "JetBrains (Junie)",
		programs: []string{"junie"},
		traces: func(m Machine) []string {
			found := []string{filepath.Join(m.Home, ".junie"), filepath.Join(m.appData(), "JetBrains")}
			return found
		},
		file:    perScope(pathBelow(".junie", "mcp", "mcp.json"), ".junie", "mcp", "mcp.json"),
		servers: []string{"mcpServers"},
		entry:   stdio,
		after:   "JetBrains AI Assistant keeps servers elsewhere: paste the same under Settings, Tools, AI Assistant, Model Context Protocol, As JSON",
	}
}

func openCode() Client {
	dir := func(m Machine) string { return filepath.Join(m.xdg(), "opencode") }
	return Client{
		Name: "opencode", Title: "opencode",
		programs: []string{"opencode"},
		traces:   func(m Machine) []string { return []string{dir(m)} },
		file: func(m Machine, scope Scope) string {
			in := m.Project
			if scope == User {
				in = dir(m)
			}
			return firstExisting(filepath.Join(in, "opencode.json"), filepath.Join(in, "opencode.jsonc"))
		},
		servers: []string{"mcp"},
		entry: func(s Server, _ Scope) fields {
			return fields{{"type", "local"}, {"command", append([]string{s.Command}, s.Args...)}, {"enabled", true}}
		},
		check: []string{"opencode", "mcp", "list"},
		tells: namesServer,
	}
}
