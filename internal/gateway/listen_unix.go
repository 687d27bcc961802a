//go:build unix

package gateway

import (
	"net"
	"os"
	"syscall"
)

// listenPrivately makes a socket that only this user can connect to, from its
// first moment. (The mask is the process's: nothing else is made meanwhile.)
func listenPrivately(path string) (net.Listener, error) {
	mask := syscall.Umask(0o177)
	defer syscall.Umask(mask)
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, err
	}
	return l, os.Chmod(path, 0o600)
}
