// Package offspring knows how the processes below one of ours have ended: its children, their
// children and so on. Without it only the parent of each is told. The kernel tells us (eBPF),
// where this process has the right to ask.
//
// It knows nothing of debugging.
package offspring

import (
	"fmt"
	"syscall"
)

// End is a process that has ended.
type End struct {
	PID    int
	Name   string // of what it ran, as the kernel has it: at most 15 bytes
	Code   int
	Signal syscall.Signal // that ended it; 0: it has exited

	life
}

// life is one process among those that are followed.
type life struct {
	self, parent identity
	parentPID    int // in our namespace
}

// identity is what no two processes have in common: the kernel's number, which is given again, and
// the moment of birth.
type identity struct {
	number uint32
	birth  uint64
}

// Descent is what is known of the processes below one.
type Descent struct {
	// Ends are of all of them, as far as they have ended. Who was killed after the one that all
	// come from had ended is not among them: that is how what outlives a program is cleared away.
	Ends                    []End
	Children, Grandchildren int // how many it has started, and how many those have, whoever still lives
}

// HasFailed says that it was ended by a signal, or exited with a code other than 0.
func (e End) HasFailed() bool { return e.Signal != 0 || e.Code != 0 }

// String tells it for people: "sh (process 4711) ended with exit code 3".
func (e End) String() string {
	how := fmt.Sprintf("with exit code %d", e.Code)
	if e.Signal != 0 {
		how = "by signal " + signalName(e.Signal)
	}
	return fmt.Sprintf("%s (process %d) ended %s", e.Name, e.PID, how)
}

// below finds those below one of our processes. isKnown is false where its number has belonged to
// several processes.
func below(ends []End, living []life, pid int) (d Descent, isKnown bool) {
	all, known := make(map[identity]life), map[identity]bool{}
	for _, l := range living {
		all[l.self] = l
	}
	for _, e := range ends {
		all[e.self] = e.life
	}
	for _, l := range all {
		if l.parentPID == pid {
			known[l.parent] = true
		}
	}
	if len(known) > 1 {
		return Descent{}, false
	}
	for grows := true; grows; {
		grows = false
		for _, l := range all {
			if known[l.parent] && !known[l.self] {
				known[l.self], grows = true, true
			}
		}
	}
	for _, l := range all {
		switch {
		case l.parentPID == pid:
			d.Children++
		case known[l.parent]:
			d.Grandchildren++
		}
	}
	isOver := false
	for _, e := range ends {
		isCleared := isOver && e.Signal == syscall.SIGKILL
		if known[e.parent] && !isCleared {
			d.Ends = append(d.Ends, e)
		}
		isOver = isOver || e.PID == pid
	}
	return d, true
}
