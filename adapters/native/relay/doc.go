// Package relay stands between LLDB and the server that traces a program for it, and
// lets that program go in order, whatever has become of LLDB.
//
// LLDB cannot be trusted with it: it leaves watchpoints in the processor, waits for ever
// when it stops a program whose breakpoints' conditions it just judges, and leaves its
// breakpoints where they are when it is killed. The relay passes packets of the remote
// protocol on as they are, notes what is put into the program, and takes it all out when
// LLDB detaches or is gone, when it is asked to (see [Release]), or when one of those is
// gone that the session stands on.
//
// It is this same binary, which LLDB is told to start for its server (see [Environment]).
// The package knows nothing of sessions and nothing of the debug adapter protocol.
package relay

import (
	"strconv"
)

// serverCommand is what LLDB calls its server with.
const serverCommand = "gdbserver"

// How a relay is told what it needs, which LLDB passes on without knowing. ServerName is
// set by whoever knows LLDB's own server, and makes a relay of this binary.
const (
	ServerName = "AIDB_LLDB_SERVER"
	binaryName = "AIDB_LLDB_RELAY"
	socketName = "AIDB_LLDB_RELEASE"
	ownerName  = "AIDB_LLDB_OWNER"
)

// Environment is LLDB's for a relay: the binary, the socket at which it is asked to let
// the program go, and the process with whose end it does so unasked.
func Environment(binary, socket string, owner int) map[string]string {
	return map[string]string{binaryName: binary, socketName: socket, ownerName: strconv.Itoa(owner)}
}
