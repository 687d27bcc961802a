// Package page serves the page on which a person watches the debug sessions of an agent,
// and may take over. It listens on a loopback address only, lets nobody in without a link
// that works once, and shows what a session's hub tells. The files of the page are embedded:
// it asks nothing of any other host.
//
// What may be seen and done it leaves to package persons. It must not know MCP, tools,
// replies or DAP.
package page
