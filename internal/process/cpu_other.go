//go:build !linux

package process

import "time"

// CPU is not known here.
func CPU(int) (time.Duration, bool) { return 0, false }

// Runnable says that a thread of a process computes; here nobody knows.
func Runnable(int) (runnable, known bool) { return false, false }
