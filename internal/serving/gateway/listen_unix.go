//go:build unix

package gateway

import (
	"math"
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

// descriptors is how many files this process may have open.
func descriptors() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return math.MaxInt32
	}
	return int(min(limit.Cur, math.MaxInt32))
}
