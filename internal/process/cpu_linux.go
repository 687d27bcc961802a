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

// Runnable says that a thread of a process, or of one of its children, computes or would
// if the machine had a core for it; known is false where the system does not tell.
func Runnable(pid int) (runnable, known bool) {
	tasks, err := os.ReadDir("/proc/" + strconv.Itoa(pid) + "/task")
	if err != nil {
		return false, false
	}
	for _, task := range tasks {
		text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/task/" + task.Name() + "/stat")
		if err != nil {
			continue // it has ended
		}
		if _, after, found := strings.Cut(string(text[strings.LastIndexByte(string(text), ')')+1:]), " "); found && strings.HasPrefix(after, "R") {
			return true, true
		}
	}
	for _, child := range Children(pid) {
		if runs, _ := Runnable(child.PID); runs {
			return true, true
		}
	}
	return false, true
}
