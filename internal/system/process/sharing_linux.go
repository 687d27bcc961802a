package process

import "slices"

// Sharing are the processes beside one that may answer in its place: its parent, those that
// its parent has started and those that it has started itself, where they hold one of the
// sockets open, and of the last also those that run the same program, to which it may hand
// what it accepts. What may not be looked into is not among them.
func Sharing(pid int, open []Socket) []Other {
	if len(open) == 0 {
		return nil
	}
	var pids []int
	add := func(other int, isSure bool) {
		if other != pid && !slices.Contains(pids, other) && len(pids) < mostOfTree && (isSure || holdsOne(other, open)) {
			pids = append(pids, other)
		}
	}
	program := ProgramOf(pid)
	for _, child := range childrenOf(pid) {
		add(child, program != "" && ProgramOf(child) == program)
	}
	if parent := ParentOf(pid); parent > 1 {
		add(parent, false)
		for _, sibling := range childrenOf(parent) {
			add(sibling, false)
		}
	}
	return running(pids)
}

// holdsOne says that a process has one of the sockets open.
func holdsOne(pid int, open []Socket) bool {
	return slices.ContainsFunc(socketsOf(pid), func(inode string) bool { return hasSocket(open, inode) })
}
