package testkit

import (
	"os"
	"syscall"
	"testing"
)

// Port is a port of this machine that nobody listens at, and that is given to nobody
// who asks for any: whoever is told it may listen there, give it up and take it again
// until the test ends. A port that is only looked for and closed is another's at any
// time on a busy machine.
//
// It is bound and not listened at. The system then lets only those bind it who name it,
// and who allow addresses to be used again, as servers do.
func Port(t testing.TB) int {
	t.Helper()
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(os.NewSyscallError("socket", err))
	}
	t.Cleanup(func() { _ = syscall.Close(fd) })
	if err := syscall.SetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1); err != nil {
		t.Fatal(os.NewSyscallError("setsockopt", err))
	}
	if err := syscall.Bind(fd, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		t.Fatal(os.NewSyscallError("bind", err))
	}
	at, err := syscall.Getsockname(fd)
	if err != nil {
		t.Fatal(os.NewSyscallError("getsockname", err))
	}
	return at.(*syscall.SockaddrInet4).Port
}
