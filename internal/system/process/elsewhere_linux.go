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

// LackedPower is the capabilities that the superuser's debugger needs for a process of another user,
// beside that to trace, and that we lack: to write its memory, and to stop its threads by signals. One
// that can do only half of it would leave the process half changed.
func LackedPower(pid int) (lacked []string) {
	if os.Geteuid() != 0 || firstNumber(statusOf(pid)["Uid"]) == 0 {
		return nil
	}
	ours := capabilities(statusOf(os.Getpid())["CapEff"])
	for _, c := range []struct {
		bit  int
		name string
	}{{1, "CAP_DAC_OVERRIDE"}, {5, "CAP_KILL"}} {
		if ours>>c.bit&1 == 0 {
			lacked = append(lacked, c.name)
		}
	}
	return lacked
}
