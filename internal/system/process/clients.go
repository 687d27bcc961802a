package process

import "net/netip"

// Client is who is connected to a port.
type Client struct {
	Address netip.AddrPort
	PID     int // 0 when it is on another machine, or cannot be known
}
