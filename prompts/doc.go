// Package prompts is the texts that a person picks to set an agent to work: what to
// find out, with the exact calls of this server that find it, filled in from this
// workspace and the sessions that there are.
//
// What they show of a session is what the tools show; it is asked of a Looker. The
// package must not know MCP's messages, DAP, or any language's adapter.
package prompts
