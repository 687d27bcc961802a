// Package handlers holds the tools: what each of their actions needs of a session,
// changes and does, and the one middleware chain through which every call goes.
//
// It knows no adapter's language, no DAP message and not the MCP SDK.
package handlers
