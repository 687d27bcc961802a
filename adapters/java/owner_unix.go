//go:build unix

package java

import (
	"fmt"
	"os"
	"syscall"
)

// ownerOf is the user of a process, where the system tells.
func ownerOf(pid int) (uid int, known bool) {
	info, err := os.Stat(fmt.Sprintf("/proc/%d", pid))
	if err != nil {
		return 0, false
	}
	s, is := info.Sys().(*syscall.Stat_t)
	if !is {
		return 0, false
	}
	return int(s.Uid), true
}
