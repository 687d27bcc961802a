package process

import (
	"bytes"
	"math"
	"os"
	"strconv"
	"syscall"
)

// What package syscall lacks; close_range has one number on all architectures.
const (
	prSetChildSubreaper = 36
	sysCloseRange       = 436
	closeRangeCloexec   = 4
)

// adopts: all orphans among a supervisor's descendants become its children, so
// that it has none left when it has no children left.
const adopts = true

// adopt makes this process the new parent of all orphans among its descendants.
// It cannot fail on the kernels that Go supports.
func adopt() {
	_, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, prSetChildSubreaper, 1, 0)
}

// withhold keeps descriptors from first on out of the child: whoever started us
// may have left some open, such as a pipe whose end somebody waits for. Kernels
// before 5.11 cannot do it, and the child inherits them as it would from a shell.
func withhold(first uintptr) {
	_, _, _ = syscall.RawSyscall(sysCloseRange, first, math.MaxInt32, closeRangeCloexec)
}

// childAttributes: the child dies with its supervisor, and has a process group
// of its own, so that signals to "its group" do not reach the supervisor. One that
// holds what is not ours is asked to let go of it instead.
func childAttributes(d *duty) *syscall.SysProcAttr {
	attributes := &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if d != nil {
		attributes.Pdeathsig = d.Signal
	}
	return attributes
}

func dup(from, to int) error { return syscall.Dup3(from, to, 0) }

// processes reads the process table. What vanishes meanwhile is left out.
func processes() []process {
	var table []process
	for _, pid := range All() {
		// state parent group session …
		fields := statFields(pid)
		if len(fields) < 4 {
			continue
		}
		parent, _ := strconv.Atoi(string(fields[1]))
		session, _ := strconv.Atoi(string(fields[3]))
		table = append(table, process{pid: pid, parent: parent, session: session})
	}
	return table
}

// All lists all processes of the machine.
func All() (list []int) {
	proc, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer proc.Close()
	names, _ := proc.Readdirnames(-1)
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			list = append(list, pid)
		}
	}
	return list
}

// statFields are what the system tells of a process after its name, which may hold
// anything; none when it is gone. See proc_pid_stat(5).
func statFields(pid int) [][]byte {
	stat := readStat("/proc/" + strconv.Itoa(pid) + "/stat")
	return bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
}

// readStat reads a small file in three system calls; package os takes ten, and
// there may be thousands of processes.
func readStat(path string) []byte {
	fd, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer syscall.Close(fd)
	buf := make([]byte, 1024)
	n, err := syscall.Read(fd, buf)
	if err != nil {
		return nil
	}
	return buf[:n]
}
