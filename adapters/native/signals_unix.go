//go:build unix

package native

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// signalNumber is 0 for a name that is none.
func signalNumber(name string) int { return int(unix.SignalNum(name)) }

// signalText is what the system calls it: "segmentation fault".
func signalText(name string) string { return syscall.Signal(signalNumber(name)).String() }
