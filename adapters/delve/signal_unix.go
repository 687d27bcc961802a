//go:build unix

package delve

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// signalName is like "SIGKILL", empty when the signal is unknown.
func signalName(s syscall.Signal) string { return unix.SignalName(s) }
