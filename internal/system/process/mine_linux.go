package process

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
)

// Mine are the processes of this user that run programs, the newest first:
// without this one and what it was started by, and without what it or another of
// its kind has started: debug adapters, and what they debug.
func Mine() []Other {
	table := processes()
	parents := map[int]int{}
	kin := map[int]bool{} // this process and its like
	self, own := os.Getpid(), filepath.Base(ProgramOf(os.Getpid()))
	for _, p := range table {
		parents[p.pid] = p.parent
		kin[p.pid] = p.pid == self || filepath.Base(ProgramOf(p.pid)) == own
	}
	parentOf := func(pid int) int { return parents[pid] }
	near := ancestors(self, parentOf)
	var list []Other
	for _, p := range table {
		if slices.Contains(near, p.pid) || ProgramOf(p.pid) == "" || OwnerOf(p.pid) != os.Geteuid() {
			continue
		}
		if slices.ContainsFunc(ancestors(p.pid, parentOf), func(pid int) bool { return kin[pid] }) {
			continue
		}
		if command := commandOf(p.pid); command != "" {
			list = append(list, Other{p.pid, command})
		}
	}
	newestFirst(list, startOf)
	return list
}

// newestFirst orders processes by when they started. Their ids do not tell that, because the kernel
// begins again with low ones; they decide only between two of the same tick.
func newestFirst(list []Other, began func(pid int) int64) {
	at := map[int]int64{}
	for _, o := range list {
		at[o.PID] = began(o.PID)
	}
	slices.SortFunc(list, func(a, b Other) int {
		return cmp.Or(cmp.Compare(at[b.PID], at[a.PID]), cmp.Compare(b.PID, a.PID))
	})
}

// OwnerOf is the user as whom a process runs, -1 when that cannot be known.
func OwnerOf(pid int) int {
	info, err := os.Stat("/proc/" + strconv.Itoa(pid))
	if err != nil {
		return -1
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return -1
	}
	return int(stat.Uid)
}

// Lineage is a process and what it was started by, the nearest first.
func Lineage(pid int) []int { return ancestors(pid, ParentOf) }

// ancestors are a process and what it was started by, the nearest first.
func ancestors(pid int, parentOf func(pid int) int) (list []int) {
	for pid > 0 && !slices.Contains(list, pid) {
		list = append(list, pid)
		pid = parentOf(pid)
	}
	return list
}
