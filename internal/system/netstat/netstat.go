// Package netstat tells which processes of this machine accept TCP connections, and who is
// connected to whom, where the system says so (Linux). It connects to nothing.
package netstat

import "net/netip"

// Client is who is connected to a port.
type Client struct {
	Address netip.AddrPort
	PID     int // 0 when it is on another machine, or cannot be known
}

// Socket is a TCP socket at which a process accepts connections.
type Socket struct {
	Inode   string // names it for as long as it is open
	PID     int
	Address netip.AddrPort
}
