package process

import (
	"os"
	"slices"
	"strconv"
	"strings"
)

// Listener is the process that listens at a TCP port of this machine, 0 when
// there is none or it is not ours to see.
func Listener(port int) int {
	sockets := map[string]bool{}
	for inode, at := range listeningSockets(os.Getpid()) {
		if int(at.Port()) == port {
			sockets[inode] = true
		}
	}
	if len(sockets) == 0 {
		return 0
	}
	return holder(sockets)
}

// holder is a process that has one of these sockets, by their inodes.
func holder(sockets map[string]bool) int {
	for _, p := range processes() {
		if slices.ContainsFunc(socketsOf(p.pid), func(inode string) bool { return sockets[inode] }) {
			return p.pid
		}
	}
	return 0
}

// ProgramOf is the executable that a process runs, empty when that cannot be known.
func ProgramOf(pid int) string {
	path, err := os.Readlink("/proc/" + strconv.Itoa(pid) + "/exe")
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(path, " (deleted)")
}

// WorkOf is the directory that a process works in and its arguments, without the
// name of the program; empty when that cannot be known.
func WorkOf(pid int) (dir string, args []string) {
	proc := "/proc/" + strconv.Itoa(pid)
	dir, err := os.Readlink(proc + "/cwd")
	if err != nil {
		return "", nil
	}
	text, err := os.ReadFile(proc + "/cmdline")
	if err != nil {
		return dir, nil
	}
	return dir, strings.Split(strings.TrimRight(string(text), "\x00"), "\x00")[1:]
}
