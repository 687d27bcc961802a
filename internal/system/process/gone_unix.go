//go:build unix && !linux

package process

import (
	"errors"
	"syscall"
)

// Gone says that there is no process of that id.
func Gone(pid int) bool { return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }

// EndedBy is the signal that has ended a process; this system does not tell.
func EndedBy(int) int { return 0 }
