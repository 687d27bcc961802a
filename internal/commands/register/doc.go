// Package register writes this server into the settings of MCP clients, and takes
// it out again.
//
// What clients there are, where their settings lie and what they look like is a
// table ([Clients]). A [Plan] is what would change, worked out without changing
// anything, so that a person can be asked. [Plan.Apply] does it: by the client's own
// command where it has one that leaves the rest alone, else by an edit that keeps
// comments, order and layout. What was put in is noted, so that [Registrar.Undo]
// takes out that and nothing else.
//
// The package asks nobody and prints nothing, and knows nothing of debugging.
package register
