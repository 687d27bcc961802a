//go:build amd64 || arm64

package detach

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// fromKernel is the code of a signal that a trap instruction has raised (SI_KERNEL).
const fromKernel = 0x80

// signalInfo is what a thread has stopped for.
func signalInfo(id int) (info unix.Siginfo, err error) {
	_, _, number := unix.Syscall6(unix.SYS_PTRACE, unix.PTRACE_GETSIGINFO, uintptr(id), 0, uintptr(unsafe.Pointer(&info)), 0, 0)
	if number != 0 {
		return info, number
	}
	return info, nil
}

// detach lets a thread go, and delivers a signal to it that it has stopped with.
func detach(id, signal int) error {
	_, _, number := unix.Syscall6(unix.SYS_PTRACE, unix.PTRACE_DETACH, uintptr(id), 0, uintptr(signal), 0, 0)
	if number != 0 {
		return number
	}
	return nil
}
