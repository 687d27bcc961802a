// Package tools is what the agent sees of aidb-mcp: names, titles,
// descriptions, annotations and typed parameters of every tool, and how lenient
// their arguments are. Data, no logic.
//
// It knows nothing of sessions, DAP or the SDK's server.
package tools
