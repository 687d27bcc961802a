//go:build !unix

package delve

import "syscall"

// signalName is not known here.
func signalName(syscall.Signal) string { return "" }
