//go:build amd64 || arm64

package mend

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// limit is how long all threads may take to stop. One that waits in the kernel for what
// cannot be interrupted (a vfork, a disk) takes as long as that does.
const limit = 2 * time.Second

var errSlow = errors.New("not all of its threads could be stopped in time")

// Program takes out of a program what was not there before its debugger came, and has it
// run on if it ran before. It does nothing to one that somebody else traces by now. The
// threads stand for about a millisecond.
//
// Goroutines: one does the tracing, on a thread of its own, for the kernel knows the
// thread as the tracer. It outlives the call where a thread does not stop in time.
func Program(pid int, before Sight) (mended []Trap, err error) {
	type result struct {
		mended []Trap
		err    error
	}
	done := make(chan result, 1)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		mended, err := program(pid, before)
		done <- result{mended, err}
	}()
	late := time.NewTimer(limit)
	defer late.Stop()
	select {
	case r := <-done:
		return r.mended, r.err
	case <-late.C:
		return nil, fmt.Errorf("mending process %d: %w", pid, errSlow)
	}
}

func program(pid int, before Sight) ([]Trap, error) {
	now, err := stateOf(pid)
	if err != nil || !now.IsAlive || now.Tracer != 0 {
		return nil, err
	}
	threads, err := stopAll(pid)
	defer threads.resumeAll()
	if err != nil {
		return nil, err
	}
	now.Traps, err = findTraps(pid)
	traps := now.Since(before)
	for _, t := range traps {
		if _, e := unix.PtracePokeText(threads.list[0].id, uintptr(t.Address), t.original); e != nil {
			err = errors.Join(err, fmt.Errorf("writing at %#x of process %d: %w", t.Address, pid, e))
		}
	}
	for _, t := range threads.list {
		t.mend(threads.text)
	}
	if isHeld := now.IsStopped || threads.hasPending(unix.SIGSTOP); isHeld && !before.IsStopped {
		_ = unix.Kill(pid, unix.SIGCONT)
	}
	return traps, err
}

// threads are those of a program that this thread traces, all of them stopped.
type threads struct {
	list []*thread
	text text
}

// thread is one that stands. Signal is what it is about to be delivered, 0 for nothing.
type thread struct {
	pid, id int
	signal  unix.Signal
}

// stopAll stops all threads. When a look finds none that runs, none can have been made.
func stopAll(pid int) (*threads, error) {
	all := &threads{text: text{pid: pid}}
	known := map[int]bool{}
	for hasNew := true; hasNew; {
		hasNew = false
		for _, id := range threadIDs(pid) {
			if known[id] {
				continue
			}
			known[id], hasNew = true, true
			if err := unix.PtraceSeize(id); err != nil {
				if isGone(pid, id) {
					continue
				}
				return all, fmt.Errorf("holding thread %d of process %d: %w", id, pid, err)
			}
			t := &thread{pid: pid, id: id}
			if unix.PtraceInterrupt(id) == nil && t.wait() {
				all.list = append(all.list, t)
			}
		}
	}
	if len(all.list) == 0 {
		return all, fmt.Errorf("process %d has ended", pid)
	}
	return all, nil
}

func isGone(pid, id int) bool {
	status, err := os.ReadFile(processFile(pid, "task/"+strconv.Itoa(id)+"/status"))
	state := field(status, "State:")
	return err != nil || state == "" || state[0] == 'Z' || state[0] == 'X'
}

// wait waits until the thread stands. False: it has ended.
func (t *thread) wait() bool {
	const stopEvent = unix.PTRACE_EVENT_STOP
	for {
		var status unix.WaitStatus
		switch _, err := unix.Wait4(t.id, &status, unix.WALL, nil); {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil || !status.Stopped():
			return false
		}
		t.signal = status.StopSignal()
		if int(status)>>16 == stopEvent {
			t.signal = 0 // our own stop, or that of the whole program
		}
		return true
	}
}

// resumeAll has every thread run on, with what it was about to be delivered.
func (all *threads) resumeAll() {
	for _, t := range all.list {
		_, _, _ = unix.RawSyscall6(unix.SYS_PTRACE, unix.PTRACE_DETACH, uintptr(t.id), 0, uintptr(t.signal), 0, 0)
	}
}

func (all *threads) hasPending(signal unix.Signal) bool {
	for _, t := range all.list {
		if t.hasPending("SigPnd:", signal) || t.hasPending("ShdPnd:", signal) {
			return true
		}
	}
	return false
}
