package inside

import (
	"net"
	"os"

	"golang.org/x/sys/unix"
)

// isStranger says that a process of another user has come, who would only hold the program up.
// Root, and who is served by it, may be any.
func isStranger(conn net.Conn) bool {
	socket, is := conn.(*net.UnixConn)
	if !is {
		return false
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return true
	}
	var peer *unix.Ucred
	bad := raw.Control(func(fd uintptr) { peer, err = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) })
	if bad != nil || err != nil {
		return true
	}
	us := os.Geteuid()
	return us != 0 && peer.Uid != 0 && int(peer.Uid) != us
}
