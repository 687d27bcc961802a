package relay

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"
)

// program is the one that is traced.
type program struct {
	pid        int
	wasStopped bool // by a signal, before anybody traced it
}

func look(pid int) program {
	return program{pid: pid, wasStopped: bytes.HasPrefix(field(filepath.Join("/proc", strconv.Itoa(pid), "status"), "State:"), []byte("T"))}
}

// dropStops takes back the SIGSTOPs with which its server has stopped threads that had
// stopped by then for another reason: they wait, and would stop the program once nobody
// traces it. SIGCONT takes them all out of the queues, and is nothing to a program that runs.
func (p program) dropStops() {
	if p.wasStopped {
		return
	}
	statuses, _ := filepath.Glob(filepath.Join("/proc", strconv.Itoa(p.pid), "task", "*", "status"))
	for _, status := range statuses {
		pending, err := strconv.ParseUint(string(field(status, "SigPnd:")), 16, 64)
		if err == nil && pending&(1<<(unix.SIGSTOP-1)) != 0 {
			_ = unix.Kill(p.pid, unix.SIGCONT)
			return
		}
	}
}

// field is a line of a status file of /proc without its name.
func field(path, name string) []byte {
	status, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	for line := range bytes.Lines(status) {
		if value, ok := bytes.CutPrefix(line, []byte(name)); ok {
			return bytes.TrimSpace(value)
		}
	}
	return nil
}

// awaitAny waits until one of the processes has ended. False: this system cannot tell.
func awaitAny(pids []int) bool {
	var waiting []unix.PollFd
	for _, pid := range pids {
		fd, err := unix.PidfdOpen(pid, 0)
		if errors.Is(err, unix.ESRCH) {
			return true
		}
		if err != nil {
			return false
		}
		defer unix.Close(fd)
		waiting = append(waiting, unix.PollFd{Fd: int32(fd), Events: unix.POLLIN})
	}
	for {
		n, err := unix.Poll(waiting, -1)
		if n > 0 {
			return true
		}
		if err != nil && !errors.Is(err, unix.EINTR) {
			return false
		}
	}
}
