package process

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// OwnPID is the id that a process knows itself by, which is another in another container.
func OwnPID(pid int) int {
	ids := strings.Fields(statusOf(pid)["NSpid"])
	if len(ids) == 0 {
		return pid
	}
	own, err := strconv.Atoi(ids[len(ids)-1])
	if err != nil {
		return pid
	}
	return own
}

// SameNetwork says that a process has our network, or that it is not told.
func SameNetwork(pid int) bool {
	its, err := os.Readlink(fmt.Sprintf("/proc/%d/ns/net", pid))
	if err != nil {
		return true
	}
	ours, err := os.Readlink("/proc/self/ns/net")
	return err != nil || its == ours
}

// CanLoadFrom says that code may be loaded from files in a directory.
func CanLoadFrom(dir string) bool {
	const noexec = 0x8 // ST_NOEXEC
	var fs syscall.Statfs_t
	return syscall.Statfs(dir, &fs) != nil || fs.Flags&noexec == 0
}
