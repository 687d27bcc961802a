//go:build !linux

package process

import "time"

// CPU is not known here.
func CPU(int) (time.Duration, bool) { return 0, false }
