package process

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// adopts: macOS has no subreapers; orphans go to launchd.
const adopts = false

func adopt() {}

// withhold: macOS cannot mark many descriptors at once; see the Linux one.
func withhold(uintptr) {}

// childAttributes: see the Linux ones; macOS has no parent-death signal.
func childAttributes(*duty) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}

func dup(from, to int) error { return syscall.Dup2(from, to) }

// processes reads the process table.
func processes() []process {
	infos, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return nil
	}
	table := make([]process, 0, len(infos))
	for _, info := range infos {
		pid := int(info.Proc.P_pid)
		session, err := unix.Getsid(pid)
		if err != nil {
			session = 0
		}
		table = append(table, process{pid: pid, parent: int(info.Eproc.Ppid), session: session})
	}
	return table
}

// belowSupervisor lists the processes that descend from a supervisor; this system tells
// only whole tables.
func belowSupervisor(int) (members []int, isTold bool) { return nil, false }
