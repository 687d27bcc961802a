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
	if !hasEnded(dir) {
		return false
	}
	threads, err := os.ReadDir(dir + "/task")
	return err != nil || !slices.ContainsFunc(threads, func(t os.DirEntry) bool { return !hasEnded(dir + "/task/" + t.Name()) })
}

// EndedBy is the signal that has ended a process of which nobody has taken note
// yet, 0 when it ended in another way or that is not known.
func EndedBy(pid int) int {
	const exitCode = 49 // its place among the fields after the name
	dir := "/proc/" + strconv.Itoa(pid)
	if !hasEnded(dir) {
		return 0
	}
	fields := statFields(pid)
	if len(fields) <= exitCode {
		return 0
	}
	code, err := strconv.Atoi(string(fields[exitCode]))
	if err != nil {
		return 0
	}
	return code & 0x7f
}

// hasEnded says that a thread is no more than an entry in the table.
func hasEnded(dir string) bool {
	state := threadState(dir)
	return state == 'Z' || state == 'X'
}

// threadState is the letter by which the system tells what a thread does; 0 when it cannot be read, as when
// the thread is gone.
func threadState(dir string) byte {
	stat := readStat(dir + "/stat")
	if state := bytes.TrimSpace(stat[bytes.LastIndexByte(stat, ')')+1:]); len(state) > 0 {
		return state[0]
	}
	return 0
}
