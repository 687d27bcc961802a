// Package handlers turns tool calls into session operations: the registry maps
// a tool's name to its handler wrapped in the one middleware chain.
//
// It knows no adapter's language, no DAP message and not the MCP SDK.
package handlers
