// Package delve debugs Go programs with the Delve that is linked into this
// binary: it says what a request means for Go, builds what must be built, and
// starts this binary again as the adapter's process, one for each session.
//
// It knows nothing of sessions and nothing of MCP.
//
// # Who does what
//
// The program is built here (go build or go test -c, without optimizations), under
// supervision: a build can be cancelled, the compiler's errors are kept, and the
// binary lies in a scratch directory that is removed with the session.
//
// Package serve is the other process, "aidb-mcp dap-go". Its front receives launch or
// attach, starts the program with Delve's debugger package, hands it to Delve's own DAP
// session and passes everything else through. It is a process of its own because Delve
// waits for any child of its process, so that two sessions in one would take each
// other's, and because a crash of Delve must not end the server. Since the front holds
// the debugger, it also answers what DAP has no request for: these are the requests
// aidb/… in package wire. It has exception filters of its own: panic, also for panics
// that are recovered, and test-failure, which stops at the call that fails a test.
//
// The program's standard streams are pipes of the server. They go through supervisor and
// dap-go as descriptors 3, 4 and 5, so that the output is complete, separated by stream,
// and never mixed with the protocol. Where that cannot be, docs/platforms.md says so.
//
// Package detach lets go of a program that was attached to. Packages weave and
// weave/recorder are the recorder for trace and why: no debugger, but statements that are
// put into the sources by a build overlay.
//
// A Delve that the user has started (remote.go) is asked by DAP alone, and can do less.
package delve
