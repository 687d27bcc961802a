package sample

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"aidb-mcp/adapters/observe/image"
	"aidb-mcp/internal/profiling"
)

// lookEvery is how often it is looked where threads stand.
const lookEvery = 50 * time.Millisecond

// Stood is where threads stood, or goroutines.
type Stood struct {
	Profile *profiling.Builder
	Looks   int
	Threads int   // at most, at one look
	Partial int64 // stacks that could not be followed to their beginning
	Blind   int64 // threads of which the system does not tell where they stand
	Skipped int64 // goroutines that were too many to be looked at, at most
	Lasted  time.Duration
}

// Stand looks again and again where the threads of a process stand, or its goroutines, until
// its time is over or the process or ctx ends. Nothing is stopped.
func Stand(ctx context.Context, pid int, some time.Duration, ended <-chan struct{}) (*Stood, error) {
	memory, err := os.Open(fmt.Sprintf("/proc/%d/mem", pid))
	if err != nil {
		return nil, standError(err)
	}
	defer func() { _ = memory.Close() }() // it was only read
	w := &watcher{pid: pid, memory: memory, sampler: sampler{spaces: map[int]*space{}, modules: modules{known: map[string]*module{}}}}
	defer w.modules.close()
	w.stood.Profile = profiling.NewBuilder(profiling.Waits)
	look := w.threads
	if w.goroutines, err = findGoroutines(pid, memory); err == nil && w.goroutines != nil {
		defer w.goroutines.close()
		look = w.lookAtGoroutines
	} else if err != nil {
		return nil, standError(err)
	}
	if w.goroutines == nil {
		w.warm(pid, "")
	}
	began := time.Now()
	timer, tick := time.NewTimer(some), time.NewTicker(lookEvery)
	defer timer.Stop()
	defer tick.Stop()
	for {
		if err := look(); err != nil {
			return nil, standError(err)
		}
		w.stood.Looks++
		select {
		case <-tick.C:
			continue
		case <-timer.C:
		case <-ended:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		w.stood.Lasted = time.Since(began)
		return &w.stood, nil
	}
}

// standError tells a missing right.
func standError(err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%w: looking into a process wants CAP_SYS_PTRACE (or root) unless it is the server's own: %w", ErrForbidden, err)
	}
	return err
}

// watcher looks where threads stand.
type watcher struct {
	sampler
	pid        int
	memory     *os.File
	goroutines *goroutines // nil in other languages
	stood      Stood
}

// threads looks at all threads once.
func (w *watcher) threads() error {
	list := threadsOf(w.pid)
	w.stood.Threads = max(w.stood.Threads, len(list))
	for _, thread := range list {
		dir := fmt.Sprintf("/proc/%d/task/%d/", w.pid, thread)
		text, err := os.ReadFile(dir + "syscall")
		if errors.Is(err, fs.ErrPermission) {
			return err
		}
		if err != nil {
			continue // it has ended meanwhile
		}
		w.add(strings.Fields(string(text)), dir)
	}
	return nil
}

// add counts where a thread stands, by what the system tells of its system call.
func (w *watcher) add(fields []string, dir string) {
	if len(fields) < 3 {
		w.stood.Blind++
		w.stood.Profile.Add([]profiling.Frame{{Function: "(running)"}}, map[string]string{profiling.WaitsLabel: "runs: a profile of cpu tells where"}, 1)
		return
	}
	sp, err := strconv.ParseUint(strings.TrimPrefix(fields[len(fields)-2], "0x"), 16, 64)
	pc, bad := strconv.ParseUint(strings.TrimPrefix(fields[len(fields)-1], "0x"), 16, 64)
	if err != nil || bad != nil {
		w.stood.Blind++
		return
	}
	stack := make([]byte, stackCopied)
	n, _ := w.memory.ReadAt(stack, int64(sp)) // as far as it goes
	up := walk{
		space: w.spaceOf(w.pid), modules: &w.modules, stack: stack[:n], base: sp,
		registers: map[uint64]uint64{image.RegisterSP: sp, image.RegisterRA: pc},
	}
	if !up.unwind() {
		w.stood.Partial++
	}
	waits := waitOf(fields[0])
	if waits == "" {
		if channel, err := os.ReadFile(dir + "wchan"); err == nil && len(channel) > 1 {
			waits = "in the kernel: " + string(channel)
		} else {
			waits = "system call " + fields[0]
		}
	}
	frames, _ := w.frames(up.space, up.pcs)
	w.stood.Profile.Add(frames, map[string]string{profiling.WaitsLabel: waits}, 1)
}

// waits are system calls that wait, by their numbers.
var waits = map[string]string{
	"0": "read", "1": "write", "7": "poll", "16": "ioctl", "20": "writev", "19": "readv", "23": "select", "34": "a signal (pause)", "35": "its time (nanosleep)",
	"43": "a connection (accept)", "42": "connect", "44": "send", "45": "receive", "46": "send (sendmsg)", "47": "receive (recvmsg)", "61": "a child (wait4)",
	"73": "a lock of a file (flock)", "74": "the disk (fsync)", "75": "the disk (fdatasync)", "128": "a signal (sigtimedwait)", "130": "a signal (sigsuspend)",
	"202": "a lock or a condition (futex)", "230": "its time (clock_nanosleep)", "232": "events (epoll_wait)", "247": "a child (waitid)", "270": "select",
	"271": "poll", "281": "events (epoll_wait)", "288": "a connection (accept)", "426": "events (io_uring)", "441": "events (epoll_wait)",
}

// waitOf says what a system call waits for; empty where it is not known.
func waitOf(number string) string {
	if number == "-1" {
		return "not in a system call"
	}
	return waits[number]
}
