package process

import (
	"bytes"
	"os"
	"strconv"
)

// Resident is the memory that the child and its descendants have in use, in
// bytes. What they share counts once for each: it may be far above the truth.
func (c *Child) Resident() int64 {
	page := int64(os.Getpagesize())
	return c.sum(func(pid string) int64 {
		fields := bytes.Fields(readStat("/proc/" + pid + "/statm"))
		if len(fields) < 2 {
			return 0
		}
		pages, _ := strconv.ParseInt(string(fields[1]), 10, 64)
		return pages * page
	})
}

// Proportional is the same with what is shared divided among those who share it:
// the truth, which takes the system milliseconds to find out.
func (c *Child) Proportional() int64 {
	return c.sum(func(pid string) int64 {
		rollup, err := os.ReadFile("/proc/" + pid + "/smaps_rollup")
		if err != nil {
			return 0 // it has ended
		}
		for line := range bytes.Lines(rollup) {
			if fields := bytes.Fields(line); len(fields) > 1 && string(fields[0]) == "Pss:" {
				kilobytes, _ := strconv.ParseInt(string(fields[1]), 10, 64)
				return kilobytes << 10
			}
		}
		return 0
	})
}

func (c *Child) sum(of func(pid string) int64) (total int64) {
	for _, pid := range family(c.supervisor.Process.Pid) {
		total += of(strconv.Itoa(pid))
	}
	return total
}
