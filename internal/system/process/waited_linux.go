package process

import (
	"strconv"
	"unsafe"

	"golang.org/x/sys/unix"
)

// HasWaited says that a process has waited for the end of others that it had started, as
// far as the system has counted what those used: a process that has ended and was not
// waited for itself is still known. False says nothing.
func HasWaited(pid int) bool {
	// state parent group session terminal foreground flags minflt cminflt majflt cmajflt utime stime cutime cstime
	fields := statFields(pid)
	for _, of := range []int{8, 10, 13, 14} {
		if of >= len(fields) {
			return false
		}
		if n, err := strconv.ParseUint(string(fields[of]), 10, 64); err == nil && n > 0 {
			return true
		}
	}
	return false
}

// awaitAny waits until a child has ended, and leaves it to be waited for: its process id, -1,
// which is any, where the system does not tell.
func awaitAny() int {
	for {
		var info unix.Siginfo
		switch err := unix.Waitid(unix.P_ALL, 0, &info, unix.WEXITED|unix.WNOWAIT, nil); err {
		case nil:
			// Three numbers come before the process id, which is aligned as an address.
			const at = (12 + unsafe.Sizeof(uintptr(0)) - 1) &^ (unsafe.Sizeof(uintptr(0)) - 1)
			return int(*(*int32)(unsafe.Add(unsafe.Pointer(&info), at)))
		case unix.EINTR:
		default:
			return -1
		}
	}
}
