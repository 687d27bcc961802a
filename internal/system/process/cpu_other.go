//go:build !linux

package process

// Runnable says that a thread of a process computes; here nobody knows.
func Runnable(int, ...int) (runnable, known bool) { return false, false }

// ThreadTimes is how much of a processor each thread has had; here nobody knows.
func ThreadTimes(int) map[int]int64 { return nil }
