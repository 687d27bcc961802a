package inspector

import (
	"net"
	"syscall"
)

// Helps says that connections of this package are faster than others here.
const Helps = true

// acknowledge has the system acknowledge what has come and what comes next at once.
func acknowledge(conn *net.TCPConn) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return
	}
	_ = raw.Control(func(fd uintptr) { // without it all is as right, and slower
		_ = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, syscall.TCP_QUICKACK, 1)
	})
}
