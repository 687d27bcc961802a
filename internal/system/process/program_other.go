//go:build !linux

package process

// ProgramOf is the executable that a process runs; this system does not tell.
func ProgramOf(int) string { return "" }

// WorkOf is the directory that a process works in and its arguments; this system
// does not tell.
func WorkOf(int) (dir string, args []string) { return "", nil }
