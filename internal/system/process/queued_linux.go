package process

import (
	"bytes"
	"os"
	"strconv"
	"time"
)

// queued is how long each thread has been ready to run and has waited for a processor.
type queued map[int]time.Duration

// queuedFor is that of the processes' threads; empty where the system does not tell. See
// schedstat in proc_pid_task(5).
func queuedFor(pids []int) queued {
	q := queued{}
	for _, pid := range pids {
		dir := "/proc/" + strconv.Itoa(pid) + "/task/"
		tasks, err := os.ReadDir(dir)
		if err != nil {
			continue // it has ended
		}
		for _, task := range tasks {
			fields := bytes.Fields(readStat(dir + task.Name() + "/schedstat"))
			if id, err := strconv.Atoi(task.Name()); err == nil && len(fields) > 1 {
				waited, _ := strconv.ParseInt(string(fields[1]), 10, 64)
				q[id] = time.Duration(waited)
			}
		}
	}
	return q
}

// Queued is how long the thread of a process, or of one below it, has waited for a processor that has
// waited longest: so much longer the program took, at least, than on a machine with nothing else to do. 0
// where the system does not tell.
func Queued(pid int) time.Duration { return queuedFor(append(Below(pid), pid)).since(nil) }

// since is the most that one of the threads has waited since an earlier look.
func (q queued) since(before queued) (longest time.Duration) {
	for id, waited := range q {
		longest = max(longest, waited-before[id])
	}
	return longest
}
