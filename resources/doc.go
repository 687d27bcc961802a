// Package resources is what a client can read without a call of a tool: the URIs
// of aidb://, what stands behind them, and which of them a change makes stale.
//
// What they show is what the tools show; it is asked of a Looker. The package must
// not know MCP's messages, DAP, or how a reply is made.
package resources
