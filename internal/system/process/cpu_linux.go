package process

import (
	"os"
	"slices"
	"strconv"
	"strings"
)

// Runnable says that a thread of a process, or of one of its children but those that are left out,
// computes or would if the machine had a core for it; known is false where the system does not tell.
func Runnable(pid int, leftOut ...int) (runnable, known bool) {
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
		if slices.Contains(leftOut, child.PID) {
			continue
		}
		if runs, _ := Runnable(child.PID, leftOut...); runs {
			return true, true
		}
	}
	return false, true
}

// ThreadTimes is how much of a processor each thread of a process has had until now, in
// the system's ticks, by the system's number of the thread; nil where it does not tell.
func ThreadTimes(pid int) map[int]int64 {
	folder := "/proc/" + strconv.Itoa(pid) + "/task/"
	tasks, err := os.ReadDir(folder)
	if err != nil {
		return nil
	}
	times := map[int]int64{}
	for _, task := range tasks {
		text, err := os.ReadFile(folder + task.Name() + "/stat")
		if err != nil {
			continue // it has ended
		}
		fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
		const user, system = 11, 12 // the state is the first that follows the name
		id, err := strconv.Atoi(task.Name())
		if err != nil || len(fields) <= system {
			continue
		}
		inUser, _ := strconv.ParseInt(fields[user], 10, 64)
		inSystem, _ := strconv.ParseInt(fields[system], 10, 64)
		times[id] = inUser + inSystem
	}
	return times
}
