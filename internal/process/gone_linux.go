package process

import (
	"bytes"
	"errors"
	"os"
	"strconv"
	"syscall"
)

// Gone says that there is no process of that id, or that it has ended and
// nobody has taken note of it.
func Gone(pid int) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return true
	}
	dir := "/proc/" + strconv.Itoa(pid)
	stat := readStat(dir + "/stat")
	state := bytes.TrimSpace(stat[bytes.LastIndexByte(stat, ')')+1:])
	if !bytes.HasPrefix(state, []byte("Z")) && !bytes.HasPrefix(state, []byte("X")) {
		return false
	}
	threads, err := os.ReadDir(dir + "/task")
	return err != nil || len(threads) == 1 // else only the first thread has ended
}
