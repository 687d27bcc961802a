//go:build !linux

package process

// Listener is the process that listens at a TCP port of this machine; this
// system does not tell, and the answer is 0.
func Listener(int) int { return 0 }

// ProgramOf is the executable that a process runs; this system does not tell.
func ProgramOf(int) string { return "" }

// WorkOf is the directory that a process works in and its arguments; this system
// does not tell.
func WorkOf(int) (dir string, args []string) { return "", nil }
