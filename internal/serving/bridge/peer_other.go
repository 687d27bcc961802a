//go:build !linux

package bridge

import "net"

// stranger says why the far end of a connection within this machine is not this
// user's own; this system does not tell.
func stranger(net.Conn) error { return nil }
