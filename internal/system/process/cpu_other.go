//go:build !linux

package process

import "time"

// Runnable says that a thread of a process computes; here nobody knows.
func Runnable(int, ...int) (runnable, known bool) { return false, false }

// Queued is how long a program has waited for a processor; here nobody knows.
func Queued(int) time.Duration { return 0 }

// ThreadTimes is how much of a processor each thread has had; here nobody knows.
func ThreadTimes(int) map[int]int64 { return nil }

// Parked says that threads of a program wait for each other; here nobody knows.
func Parked(int) bool { return false }
