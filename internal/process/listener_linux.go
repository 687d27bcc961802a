package process

import (
	"os"
	"strconv"
	"strings"
)

// Listener is the process that listens at a TCP port of this machine, 0 when
// there is none or it is not ours to see.
func Listener(port int) int {
	sockets := map[string]bool{}
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		text, err := os.ReadFile(table)
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(text)) {
			// number: address:port remote state queues timer retransmissions user timeout inode …, in hexadecimal
			fields := strings.Fields(line)
			if len(fields) < 10 || fields[3] != listening {
				continue
			}
			_, at, _ := strings.Cut(fields[1], ":")
			if n, err := strconv.ParseInt(at, 16, 32); err == nil && int(n) == port {
				sockets["socket:["+fields[9]+"]"] = true
			}
		}
	}
	if len(sockets) == 0 {
		return 0
	}
	for _, p := range processes() {
		dir := "/proc/" + strconv.Itoa(p.pid) + "/fd"
		files, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, f := range files {
			if link, err := os.Readlink(dir + "/" + f.Name()); err == nil && sockets[link] {
				return p.pid
			}
		}
	}
	return 0
}

// listening is the state of a socket that accepts connections.
const listening = "0A"

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
