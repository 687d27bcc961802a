package process

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"aidb-mcp/internal/system/mend"
	"aidb-mcp/internal/system/sleep"
)

// awaitEnds waits until the processes have ended, and returns those that have not when
// the time is over. What they wait for a processor does not count, up to a bound, nor what
// the programs do in which they make calls: a debugger that is killed for that would leave
// in a program what it is just taking out, or end it in the middle of a call.
func awaitEnds(pids, called []int, limit time.Duration) (left []int) {
	var waiting []unix.PollFd
	of := map[int32]int{}
	defer func() {
		for fd := range of {
			_ = unix.Close(int(fd))
		}
	}()
	for _, pid := range pids {
		fd, err := unix.PidfdOpen(pid, 0)
		if err != nil {
			if !errors.Is(err, syscall.ESRCH) {
				left = append(left, pid) // a kernel without them, before 5.3
			}
			continue
		}
		of[int32(fd)] = pid
		waiting = append(waiting, unix.PollFd{Fd: int32(fd), Events: unix.POLLIN})
	}
	begun, kept, keptCalled := time.Now(), queuedFor(pids), queuedFor(called)
	for deadline := begun.Add(limit); len(waiting) > 0; {
		rest := time.Until(deadline)
		if rest <= 0 {
			queued := queuedFor(pids).since(kept) + queuedFor(called).since(keptCalled)
			if deadline = begun.Add(limit + min(queued, (patience-1)*limit)); time.Until(deadline) <= 0 {
				break
			}
			continue
		}
		if _, err := unix.Poll(waiting, int(rest.Milliseconds())+1); err != nil && !errors.Is(err, unix.EINTR) {
			break
		}
		running := waiting[:0]
		for _, w := range waiting {
			if w.Revents == 0 {
				running = append(running, w)
			}
		}
		waiting = running
	}
	for _, w := range waiting {
		left = append(left, of[w.Fd])
	}
	return left
}

// endFree ends a debugger that does not hold the program, and says that it did: it is not
// to begin any more. It is stopped first and looked at again, for it may have taken hold of
// the program meanwhile, and killed now it would leave in it what it has put there.
func (d *duty) endFree(pid int) bool {
	if !d.holdsNothing() || syscall.Kill(pid, syscall.SIGSTOP) != nil {
		return false
	}
	if !awaitStop(pid) || !d.holdsNothing() {
		_ = syscall.Kill(pid, syscall.SIGCONT)
		return false
	}
	return syscall.Kill(pid, syscall.SIGKILL) == nil
}

// holdsNothing says that nobody traces the program whose tracer the child is to be.
func (d *duty) holdsNothing() bool {
	if !d.Traces {
		return false
	}
	tracer, err := mend.Tracer(d.PID)
	return err == nil && tracer == 0
}

// stopLimit is how long a process may take to stop: as long as a thread of it waits in the
// kernel for what no signal cuts short.
const stopLimit = time.Second

// awaitStop waits until no thread of a process runs any more after SIGSTOP, which the system
// announces to nobody but its parent.
func awaitStop(pid int) bool {
	for began := time.Now(); time.Since(began) < stopLimit; {
		if isStopped(pid) {
			return true
		}
		sleep.For(context.Background(), time.Millisecond)
	}
	return false
}

// isStopped says that each thread of a process is stopped, or has ended.
func isStopped(pid int) bool {
	dir := "/proc/" + strconv.Itoa(pid) + "/task/"
	threads, err := os.ReadDir(dir)
	return err == nil && !slices.ContainsFunc(threads, func(t os.DirEntry) bool {
		return !strings.ContainsRune("TtZX\x00", rune(threadState(dir+t.Name())))
	})
}

// isCalling says that a process may be in the middle of a call that it makes in the program:
// gdb, asked then to end, lets go of the program where it stands, and the call returns to
// where nothing is.
func (d *duty) isCalling(pid int) bool {
	if !d.Traces || !d.isPatient() {
		return false
	}
	tracer, err := mend.Tracer(d.PID)
	if err != nil || tracer == 0 {
		return false
	}
	_, err = os.Stat(fmt.Sprintf("/proc/%d/task/%d", pid, tracer)) // the system tells which thread it is
	return err == nil
}

// look notes how the program is before its debugger comes.
func (d *duty) look() (before mend.Sight) {
	if d != nil {
		before, _ = mend.Look(d.PID) // what cannot be seen cannot be mended either
	}
	return before
}

// mend takes out of the program what the child has left in it. One that has let go of it
// in order is believed where nothing is seen: looking deeper stops the program for a moment.
func (d *duty) mend(before mend.Sight, isOrderly bool) {
	if d == nil || !d.isThere() {
		return
	}
	if now, err := mend.Look(d.PID); err == nil && isOrderly && len(now.Since(before)) == 0 && now.IsStopped == before.IsStopped {
		return
	}
	_, _ = mend.Program(d.PID, before) // nobody is there to be told; who looks sees how it is
}
