//go:build !linux

package process

// Runnable says that a thread of a process computes; here nobody knows.
func Runnable(int) (runnable, known bool) { return false, false }
