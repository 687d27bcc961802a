//go:build unix

package caller

import (
	"os/exec"
	"syscall"
)

// leaveGroup has a child spared by the signals that a terminal sends.
func leaveGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
