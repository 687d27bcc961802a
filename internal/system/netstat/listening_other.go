//go:build !linux

package netstat

import "aidb-mcp/internal/system/process"

// Listener is the process that listens at a TCP port of this machine; this
// system does not tell, and the answer is 0.
func Listener(int) int { return 0 }

// Listening are the sockets at which a process accepts connections; this system does not tell.
func Listening(int) []Socket { return nil }

// Sharing are the processes that may answer in one's place; this system does not tell.
func Sharing(int, []Socket) []process.Other { return nil }

// Accepts says that somebody accepts connections at a port; this system does not tell.
func Accepts(int) bool { return false }

// Clients are those that are connected to a port; this system does not tell.
func Clients(int) (accepts bool, clients []Client) { return false, nil }

// Peers are the processes to which a process is connected; this system does not tell.
func Peers(int) []int { return nil }
