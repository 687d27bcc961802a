//go:build !linux

package process

// Zombie says that a process is no more than an entry in the table; this system
// does not tell.
func Zombie(int) bool { return false }

// ParentOf is the process that a process was started by; this system does not tell.
func ParentOf(int) int { return 0 }

// TracerOf is the process that holds another one; this system does not tell.
func TracerOf(int) int { return 0 }

// Programless says that a process is a thread of the kernel; this system does not tell.
func Programless(int) bool { return false }

// CommandOf is a process's command line; this system does not tell.
func CommandOf(int) string { return "" }
