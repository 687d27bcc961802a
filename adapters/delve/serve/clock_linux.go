//go:build amd64 || arm64

package serve

import "golang.org/x/sys/unix"

// monotonic reads the clock that the Go runtime stamps waiting goroutines with.
func monotonic() int64 {
	var now unix.Timespec
	if unix.ClockGettime(unix.CLOCK_MONOTONIC, &now) != nil {
		return 0
	}
	return now.Nano()
}
