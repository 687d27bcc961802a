package process

import "syscall"

// SignalText is a signal by its number, like "killed".
func SignalText(number int) string { return syscall.Signal(number).String() }

// Gone says that there is no process of that id; this system does not tell.
func Gone(int) bool { return false }

// EndedBy is the signal that has ended a process; there are none here.
func EndedBy(int) int { return 0 }
