package process

import (
	"os"
	"strconv"
	"strings"
	"time"
)

// tick is the unit in which /proc tells of time: USER_HZ, which is 100 on all machines
// that Go runs on.
const tick = 10 * time.Millisecond

// CPU is the time of the processor that a process and all that it has started and that
// run have taken; false where the process is not there, or where nobody tells
// (/proc/PID/stat).
func CPU(pid int) (time.Duration, bool) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0, false
	}
	_, after, found := strings.Cut(string(text[strings.LastIndexByte(string(text), ')')+1:]), " ")
	fields := strings.Fields(after)
	const user, system = 11, 12 // behind the name, state first
	if !found || len(fields) <= system {
		return 0, false
	}
	var all time.Duration
	for _, i := range []int{user, system} {
		n, err := strconv.ParseInt(fields[i], 10, 64)
		if err != nil {
			return 0, false
		}
		all += time.Duration(n) * tick
	}
	for _, child := range Children(pid) {
		took, _ := CPU(child.PID)
		all += took
	}
	return all, true
}
