//go:build unix

package process

import (
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
