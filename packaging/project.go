package packaging

// What the packages say of the project, each thing once. No registry knows the
// project yet: the names that belong to one are what it would be asked for.
const (
	name        = "aidb-mcp"
	title       = "AI Debugger"
	server      = "aidb" // as clients register it
	description = "A debugger for AI agents: diagnose, trace and step through programs over MCP"
	license     = "Apache-2.0"
	author      = "aidb-mcp contributors"
	maintainer  = author + " <maintainers@aidb-mcp.invalid>" // Debian wants an address
	npmScope    = "@aidb-mcp"
	registered  = "io.github.aidb-mcp/aidb-mcp" // in the MCP registry
)

// keywords are those under which registries list the project.
var keywords = []string{"debugger", "debugging", "mcp", "dap", "agent"}
