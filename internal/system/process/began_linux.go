package process

import (
	"os"
	"strconv"
	"strings"
	"time"
)

// ticks are those of the kernel's clock in a second, as it tells programs of it:
// the same on all architectures that Go supports.
const ticks = 100

// startTime is the place of a process's beginning among its fields.
const startTime = 19

// startTicks is when a process began, in ticks since the system did; empty when that
// cannot be known.
func startTicks(pid int) string {
	fields := statFields(pid)
	if len(fields) <= startTime {
		return ""
	}
	return string(fields[startTime])
}

// startOf is when a process began, in ticks since the system did; -1 when that cannot
// be known.
func startOf(pid int) int64 {
	began, err := strconv.ParseInt(startTicks(pid), 10, 64)
	if err != nil {
		return -1
	}
	return began
}

// Began is when a process was started, zero when that cannot be known.
func Began(pid int) time.Time {
	after := startOf(pid)
	if after < 0 {
		return time.Time{}
	}
	text, err := os.ReadFile("/proc/uptime")
	if err != nil {
		return time.Time{}
	}
	up, _, _ := strings.Cut(string(text), " ")
	seconds, err := strconv.ParseFloat(up, 64)
	if err != nil {
		return time.Time{}
	}
	age := time.Duration(seconds*float64(time.Second)) - time.Duration(after)*(time.Second/ticks)
	return time.Now().Add(-max(age, 0))
}
