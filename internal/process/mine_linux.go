package process

import (
	"os"
	"slices"
)

// Mine are the processes of this user that run programs, the newest first:
// without this one, what it has started, and what it was started by.
func Mine() []Other {
	table := processes()
	parents := map[int]int{}
	for _, p := range table {
		parents[p.pid] = p.parent
	}
	self := os.Getpid()
	near := ancestors(self, parents)
	var list []Other
	for _, p := range table {
		if slices.Contains(near, p.pid) || slices.Contains(ancestors(p.pid, parents), self) || ProgramOf(p.pid) == "" {
			continue
		}
		if command := commandOf(p.pid); command != "" {
			list = append(list, Other{p.pid, command})
		}
	}
	slices.SortFunc(list, func(a, b Other) int { return b.PID - a.PID })
	return list
}

// ancestors are a process and what it was started by.
func ancestors(pid int, parents map[int]int) []int {
	var list []int
	for pid > 0 && !slices.Contains(list, pid) {
		list = append(list, pid)
		pid = parents[pid]
	}
	return list
}
