package process

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"strconv"
	"syscall"
)

// Gone says that there is no process of that id, or that all of its threads
// have ended and nobody has taken note of it.
func Gone(pid int) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return true
	}
	dir := "/proc/" + strconv.Itoa(pid)
	if !ended(dir) {
		return false
	}
	threads, err := os.ReadDir(dir + "/task")
	return err != nil || !slices.ContainsFunc(threads, func(t os.DirEntry) bool { return !ended(dir + "/task/" + t.Name()) })
}

// ended says that a thread is no more than an entry in the table.
func ended(dir string) bool {
	stat := readStat(dir + "/stat")
	state := bytes.TrimSpace(stat[bytes.LastIndexByte(stat, ')')+1:])
	return bytes.HasPrefix(state, []byte("Z")) || bytes.HasPrefix(state, []byte("X"))
}
