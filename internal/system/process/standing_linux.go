package process

import (
	"bytes"
	"cmp"
	"errors"
	"os"
	"strconv"
	"syscall"
)

// Zombie says that a process has ended, and is no more than its entry in the
// table until its parent takes note of that.
func Zombie(pid int) bool {
	return Gone(pid) && !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
}

// ParentOf is the process that a process was started by, or its heir; 0 when that
// cannot be known.
func ParentOf(pid int) int { return statusNumber(pid, "PPid:") }

// TracerOf is the process that holds another one with ptrace, as debuggers do; 0
// when there is none.
func TracerOf(pid int) int {
	thread := statusNumber(pid, "TracerPid:")
	if thread == 0 {
		return 0
	}
	return cmp.Or(statusNumber(thread, "Tgid:"), thread) // of another user, it may not be looked at
}

// Programless says that a process is a thread of the kernel, which runs no program.
func Programless(pid int) bool {
	const (
		flags        = 6 // their place among the fields after the name
		kernelThread = 0x00200000
	)
	fields := statFields(pid)
	if len(fields) <= flags {
		return false
	}
	n, err := strconv.ParseUint(string(fields[flags]), 10, 64)
	return err == nil && n&kernelThread != 0
}

// CommandOf is a process's command line, short; empty when that cannot be known.
func CommandOf(pid int) string { return commandOf(pid) }

func statusNumber(pid int, name string) int {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		return 0
	}
	for line := range bytes.Lines(text) {
		if value, ok := bytes.CutPrefix(line, []byte(name)); ok {
			n, _ := strconv.Atoi(string(bytes.TrimSpace(value)))
			return n
		}
	}
	return 0
}
