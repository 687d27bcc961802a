package process

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// ReadsFrom says that a program below us whose standard input is the other end of this
// pipe is blocked in a read of it, or waits for events among which is its
// input. It is asked of the kernel; where that does not tell, the answer is no.
func ReadsFrom(pipe *os.File) bool {
	name := pipeName(pipe)
	if name == "" {
		return false
	}
	for _, pid := range Below(os.Getpid()) {
		dir := "/proc/" + strconv.Itoa(pid)
		if link, err := os.Readlink(dir + "/fd/0"); err == nil && link == name && awaits(dir) {
			return true
		}
	}
	return false
}

// awaits says that one of a process's threads is blocked until its standard
// input has something to read.
func awaits(dir string) bool {
	threads, err := os.ReadDir(dir + "/task")
	if err != nil {
		return false
	}
	return slices.ContainsFunc(threads, func(t os.DirEntry) bool {
		// number arguments …, all but the number in hexadecimal; "running" when it is not blocked
		call := strings.Fields(string(readStat(dir + "/task/" + t.Name() + "/syscall")))
		if len(call) < 2 {
			return false
		}
		number, err := strconv.Atoi(call[0])
		if err != nil {
			return false
		}
		fd, err := strconv.ParseInt(call[1], 0, 64)
		if err != nil {
			return false
		}
		switch {
		case number == syscall.SYS_READ || number == syscall.SYS_READV:
			return fd == 0
		case slices.Contains(eventCalls, number):
			return listensTo(dir, fd)
		}
		return false
	})
}

// eventCalls wait for the events of a set of descriptors.
var eventCalls = []int{syscall.SYS_EPOLL_PWAIT, epollWait, 441 /* epoll_pwait2 */}

// listensTo says that a set of descriptors holds the standard input.
func listensTo(dir string, set int64) bool {
	text, err := os.ReadFile(fmt.Sprintf("%s/fdinfo/%d", dir, set))
	if err != nil {
		return false
	}
	for line := range bytes.Lines(text) {
		fields := bytes.Fields(line)
		if len(fields) > 1 && string(fields[0]) == "tfd:" && string(fields[1]) == "0" {
			return true
		}
	}
	return false
}

// pipeName is what the kernel calls the other end of a pipe, or of a pseudo
// terminal whose master this is.
func pipeName(pipe *os.File) string {
	info, err := pipe.Stat()
	if err != nil {
		return ""
	}
	if info.Mode()&os.ModeCharDevice != 0 {
		return terminalName(pipe)
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	return fmt.Sprintf("pipe:[%d]", stat.Ino)
}

// terminalName is the slave of a pseudo terminal's master, empty for another device.
func terminalName(master *os.File) string {
	raw, err := master.SyscallConn()
	if err != nil {
		return ""
	}
	number, failed := 0, error(nil)
	err = raw.Control(func(fd uintptr) { number, failed = unix.IoctlGetInt(int(fd), unix.TIOCGPTN) })
	if err != nil || failed != nil {
		return ""
	}
	return "/dev/pts/" + strconv.Itoa(number)
}

// WriterOf is the process below us whose standard output is the other end of this pipe or
// terminal, and not one that it has started; 0 when there is none.
func WriterOf(pipe *os.File) int {
	name := pipeName(pipe)
	if name == "" {
		return 0
	}
	for _, pid := range Below(os.Getpid()) { // parents before their children
		if link, err := os.Readlink("/proc/" + strconv.Itoa(pid) + "/fd/1"); err == nil && link == name {
			return pid
		}
	}
	return 0
}
