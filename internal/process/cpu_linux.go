package process

import (
	"os"
	"strconv"
	"strings"
)

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
