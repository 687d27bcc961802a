package process

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"time"
)

// ticks are those of the kernel's clock in a second, as it tells programs of it:
// the same on all architectures that Go supports.
const ticks = 100

// Began is when a process was started, zero when that cannot be known.
func Began(pid int) time.Time {
	const started = 19 // its place among the fields after the name
	stat := readStat("/proc/" + strconv.Itoa(pid) + "/stat")
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) <= started {
		return time.Time{}
	}
	after, err := strconv.ParseInt(string(fields[started]), 10, 64)
	if err != nil {
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
