package process

import "syscall"

// SignalText is a signal by its number, like "killed".
func SignalText(number int) string { return syscall.Signal(number).String() }
