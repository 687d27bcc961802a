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

	process, parent uint32 // as the kernel numbers them
	parentPID       int
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

// below are the ends of the processes below one of ours. isKnown is false where its number has
// belonged to several processes.
func below(all []End, pid int) (list []End, isKnown bool) {
	known := map[uint32]bool{}
	for _, e := range all {
		if e.parentPID == pid {
			known[e.parent] = true
		}
	}
	if len(known) > 1 {
		return nil, false
	}
	for grows := true; grows; {
		grows = false
		for _, e := range all {
			if known[e.parent] && !known[e.process] {
				known[e.process], grows = true, true
			}
		}
	}
	for _, e := range all {
		if known[e.parent] {
			list = append(list, e)
		}
	}
	return list, true
}
