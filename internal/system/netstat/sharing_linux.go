package netstat

import (
	"slices"

	"aidb-mcp/internal/system/process"
)

// Sharing are the processes beside one that may answer in its place: its parent, those that
// its parent has started and those that it has started itself, where they hold one of the
// sockets open, and of the last also those that run the same program, to which it may hand
// what it accepts. What may not be looked into is not among them.
func Sharing(pid int, open []Socket) []process.Other {
	if len(open) == 0 {
		return nil
	}
	var pids []int
	add := func(other int, isSure bool) {
		if other != pid && !slices.Contains(pids, other) && len(pids) < mostOfTree && (isSure || holdsOne(other, open)) {
			pids = append(pids, other)
		}
	}
	program := process.ProgramOf(pid)
	for _, child := range process.ChildrenOf(pid) {
		add(child, program != "" && process.ProgramOf(child) == program)
	}
	if parent := process.ParentOf(pid); parent > 1 {
		add(parent, false)
		for _, sibling := range process.ChildrenOf(parent) {
			add(sibling, false)
		}
	}
	return process.Running(pids)
}

// holdsOne says that a process has one of the sockets open.
func holdsOne(pid int, open []Socket) bool {
	return slices.ContainsFunc(socketsOf(pid), func(inode string) bool { return hasSocket(open, inode) })
}
