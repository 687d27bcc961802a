// Package session is the debugging engine: what one debugging session is, its
// state, breakpoints, stops, values, output and history, and the manager that
// holds all sessions.
//
// It speaks DAP through package dap and asks an adapters.Dialect where one
// adapter differs. It knows nothing of MCP, tools or replies, and of no
// language by name.
package session
