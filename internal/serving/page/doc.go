// Package page serves the page on which a person watches the debug sessions of an agent,
// and may take over. It listens on a loopback address only, lets nobody in without a link
// that works once, and shows what a session's hub tells. The files of the page are embedded:
// it asks nothing of any other host.
//
// The package must not know sessions, debuggers or MCP: what it shows and drives stands
// behind Sessions.
package page
