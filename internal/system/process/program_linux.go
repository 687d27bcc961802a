package process

import (
	"os"
	"strconv"
	"strings"
)

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
