package netstat

import (
	"os"
	"slices"

	"aidb-mcp/internal/system/process"
)

// Listener is the process that listens at a TCP port of this machine, 0 when
// there is none or it is not ours to see.
func Listener(port int) int {
	sockets := map[string]bool{}
	for inode, at := range listeningSockets(os.Getpid()) {
		if int(at.Port()) == port {
			sockets[inode] = true
		}
	}
	if len(sockets) == 0 {
		return 0
	}
	return holder(sockets)
}

// holder is a process that has one of these sockets, by their inodes.
func holder(sockets map[string]bool) int {
	for _, pid := range process.All() {
		if slices.ContainsFunc(socketsOf(pid), func(inode string) bool { return sockets[inode] }) {
			return pid
		}
	}
	return 0
}
