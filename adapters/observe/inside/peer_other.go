//go:build !linux

package inside

import "net"

// isStranger need not be asked: the socket lies in a private directory.
func isStranger(net.Conn) bool { return false }
