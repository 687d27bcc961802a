//go:build !linux

package process

import "net/netip"

// Socket is a TCP socket at which a process accepts connections.
type Socket struct {
	Inode   string
	PID     int
	Address netip.AddrPort
}

// Listening are the sockets at which a process accepts connections; this system does not tell.
func Listening(int) []Socket { return nil }

// Sharing are the processes that may answer in one's place; this system does not tell.
func Sharing(int, []Socket) []Other { return nil }

// Accepts says that somebody accepts connections at a port; this system does not tell.
func Accepts(int) bool { return false }

// Clients are those that are connected to a port; this system does not tell.
func Clients(int) (accepts bool, clients []Client) { return false, nil }

// Peers are the processes to which a process is connected; this system does not tell.
func Peers(int) []int { return nil }
