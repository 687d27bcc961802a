//go:build unix

package process

import (
	"errors"
	"fmt"
	"syscall"

	"golang.org/x/sys/unix"
)

// SignalText is a signal by its number, like "SIGKILL (killed)".
func SignalText(number int) string {
	s := syscall.Signal(number)
	if name := unix.SignalName(s); name != "" {
		return fmt.Sprintf("%s (%s)", name, s)
	}
	return s.String()
}

// Gone says that there is no process of that id.
func Gone(pid int) bool { return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }
