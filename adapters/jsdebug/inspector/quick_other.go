//go:build !linux

package inspector

import "net"

// Helps says that connections of this package are faster than others here.
const Helps = false

// acknowledge does nothing: no other system can be told.
func acknowledge(*net.TCPConn) {}
