package observe

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unsafe"

	"github.com/cilium/ebpf"
	"golang.org/x/sys/unix"

	"aidb-mcp/adapters/observe/fetch"
	"aidb-mcp/internal/recording/live"
)

// The bounds of a watch.
const (
	mostScans = 30     // of the threads, until there is no new one
	quiet     = 3      // scans without a new one: the kernel leaves out the newest of a list in which one ends meanwhile
	mostTries = 50     // to set a watch while no thread is born
	mostOwned = 16_384 // threads that have written
	// The cost of a write, as it was measured, and how many a second are allowed for it: a
	// tenth of a processor.
	watchCost, watchMost = "10 to 20 µs", 6_000
)

// unsureNote is said of a watch that was set while the program began threads all the time.
const unsureNote = "threads were begun while the watch was set: it may be that what some of them write is not seen"

// watch is a word of memory, the writes to which the processor reports: a hardware breakpoint
// of each thread.
type watch struct {
	subject
	word    *fetch.Word
	initial *uint64 // what lay there when it was armed, before any write; nil where that is not known
	threads int
	stacks  *stacks              // nil: the callers are not asked for
	writers map[writerKey]writer // that were looked up

	descriptors []int // of the events, one for each thread
	made        int   // programs
	before      int64 // writes that were told of before it began to record, and ran no program
	isUnsure    bool  // a thread may have begun another while its watch had no program yet
	ready       *ebpf.Map
	state       *ebpf.Map
	owner       *ebpf.Map
	shared      *ebpf.Program // of all threads but those that were born meanwhile
}

// armWatch has the writes to a word of a running program recorded.
func armWatch(ctx context.Context, pid int, spec live.Spec) (*Recorder, error) {
	w, err := findWatch(pid, spec.Written)
	if err != nil {
		return nil, err
	}
	if spec.Stack {
		w.stacks = newStacks(&w.subject)
	}
	r := &Recorder{pid: pid, watch: w, spec: spec, done: make(chan struct{}), release: []func() error{w.image.Close}}
	if err := r.loadWatch(ctx); err != nil {
		r.unload()
		return nil, err
	}
	go r.run() // reads the ring; ended by Close, which waits for it
	return r, nil
}

// findWatch finds the word that an expression names.
func findWatch(pid int, expression string) (*watch, error) {
	s, err := openSubject(pid)
	if err != nil {
		return nil, err
	}
	w := &watch{subject: s, writers: map[writerKey]writer{}}
	w.word, err = fetch.FindWord(s.image, s.bias, expression, func(address uint64) (uint64, error) { return w.load(address, 8) })
	if err != nil {
		_ = s.image.Close() // the error says more
		return nil, err
	}
	return w, nil
}

// load reads a word of the program's memory.
func (w *watch) load(address uint64, size int64) (uint64, error) {
	memory, err := os.Open(fmt.Sprintf("/proc/%d/mem", w.pid))
	if errors.Is(err, os.ErrPermission) {
		return 0, fmt.Errorf("%w, and to read its memory CAP_SYS_PTRACE: %w", ErrForbidden, err)
	}
	if err != nil {
		return 0, err
	}
	defer func() { _ = memory.Close() }() // it was only read
	var word [8]byte
	if _, err := memory.ReadAt(word[:size], int64(address)); err != nil {
		return 0, fmt.Errorf("what lies at %#x cannot be read: %w", address, err)
	}
	return binary.LittleEndian.Uint64(word[:]), nil
}

// loadWatch makes maps and programs, and has all threads watched.
func (r *Recorder) loadWatch(ctx context.Context) error {
	if err := r.loadMaps(); err != nil {
		return err
	}
	w := r.watch
	for _, m := range []struct {
		to   **ebpf.Map
		spec ebpf.MapSpec
	}{
		{&w.ready, ebpf.MapSpec{Type: ebpf.Array, KeySize: 4, ValueSize: 8, MaxEntries: 1}},
		{&w.state, ebpf.MapSpec{Type: ebpf.Array, KeySize: 4, ValueSize: fetch.StateSize, MaxEntries: 1}},
		{&w.owner, ebpf.MapSpec{Type: ebpf.LRUHash, KeySize: fetch.OwnerKey, ValueSize: 8, MaxEntries: mostOwned}},
	} {
		made, err := ebpf.NewMap(&m.spec)
		if err != nil {
			return r.kernelError("making a map", err)
		}
		*m.to = made
		r.release = append(r.release, made.Close)
	}
	var err error
	if w.shared, err = r.watchProgram(); err != nil {
		return err
	}
	r.release = append(r.release, w.shared.Close)
	r.attached = append(r.attached, w.close)
	if err := r.watchThreads(ctx); err != nil {
		return err
	}
	r.began = now()
	if err := w.begin(ctx); err != nil {
		return r.kernelError("beginning to record", err)
	}
	w.before = r.missed()
	r.judged, r.most = r.began, watchMost
	if r.spec.Most > 0 {
		r.most = r.spec.Most
	}
	r.how = w.how(r.most)
	return nil
}

// watchProgram loads another program of the watch.
func (r *Recorder) watchProgram() (*ebpf.Program, error) {
	w := r.watch
	code := fetch.CompileWatch(fetch.Watch{Word: w.word, GoidOffset: w.goid, Number: w.made, Stack: r.spec.Stack}, fetch.WatchMaps{
		Maps: fetch.Maps{Counts: r.counts.FD(), Ring: r.ring.FD()}, State: w.state.FD(), Ready: w.ready.FD(), Owner: w.owner.FD(),
	})
	w.made++
	p, err := ebpf.NewProgram(&ebpf.ProgramSpec{Name: "aidb_watch", Type: ebpf.PerfEvent, License: "Dual MIT/GPL", Instructions: code})
	if err != nil {
		return nil, r.kernelError("checking what is to run in the kernel", err)
	}
	return p, nil
}

// watchThreads has all threads watched. Those that watched ones begin are watched from their
// birth; so there is none left when a look at all of them shows no new one. A program that
// begins threads all the time has always new ones, but after a few looks only children of
// watched ones.
func (r *Recorder) watchThreads(ctx context.Context) error {
	known := map[int]bool{}
	for scan, still := 0, 0; scan < mostScans && still < quiet; scan++ {
		tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*", r.pid))
		if err != nil {
			return err
		}
		isNew := false
		for _, task := range tasks {
			thread, err := strconv.Atoi(filepath.Base(task))
			if err != nil || known[thread] {
				continue
			}
			known[thread], isNew = true, true
			if err := r.watchThread(thread, scan > 0); err != nil {
				return err
			}
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
		}
		if still++; isNew {
			still = 0
		}
	}
	if r.watch.threads == 0 {
		return fmt.Errorf("process %d has no thread any more", r.pid)
	}
	return nil
}

// watchThread has a thread watched. One that was born meanwhile may be so already, by the one
// that began it.
func (r *Recorder) watchThread(thread int, bornMeanwhile bool) error {
	w := r.watch
	program := w.shared
	if bornMeanwhile {
		var err error
		if program, err = r.watchProgram(); err != nil {
			return err
		}
		defer func() { _ = program.Close() }() // the event keeps it
	}
	event, err := r.set(thread, program)
	switch {
	case errors.Is(err, unix.ESRCH): // it has ended
		return nil
	case errors.Is(err, unix.ENOSPC) && bornMeanwhile: // a place would be free if it were not
		return nil
	case errors.Is(err, unix.ENOSPC):
		return ErrTaken
	case err != nil:
		return err
	}
	w.descriptors = append(w.descriptors, event)
	w.threads++
	if err := unix.IoctlSetInt(event, unix.PERF_EVENT_IOC_ENABLE, 0); err != nil {
		return r.kernelError("beginning to watch", err)
	}
	return nil
}

// set makes the watch of a thread, which does not watch yet. A thread that it begins before its
// watch has a program has the watch without one, for ever: so it is made anew where anything
// was born meanwhile.
func (r *Recorder) set(thread int, program *ebpf.Program) (event int, err error) {
	for try := 1; ; try++ {
		before := lastBorn()
		if event, err = r.watch.event(thread); errors.Is(err, unix.ESRCH) || errors.Is(err, unix.ENOSPC) {
			return 0, err
		}
		if err != nil {
			return 0, r.kernelError("setting a hardware breakpoint by perf_event_open, which another user's process wants CAP_SYS_PTRACE for too", err)
		}
		if err := unix.IoctlSetInt(event, unix.PERF_EVENT_IOC_SET_BPF, program.FD()); err != nil {
			_ = unix.Close(event) // the error says more
			return 0, r.kernelError("having the hardware breakpoint run what records", err)
		}
		isAlone := before != "" && before == lastBorn()
		if isAlone || try == mostTries {
			r.watch.isUnsure = r.watch.isUnsure || !isAlone
			return event, nil
		}
		_ = unix.Close(event) // which takes it from those that were born, too
	}
}

// lastBorn is the number of the process or thread that was born last; empty where the kernel
// does not tell.
func lastBorn() string {
	text, err := os.ReadFile("/proc/loadavg")
	fields := strings.Fields(string(text))
	if err != nil || len(fields) < 5 {
		return ""
	}
	return fields[4]
}

// What package unix has no names for.
const (
	onWrite       = 2 // HW_BREAKPOINT_W
	inheritThread = 1 << 35
	removeOnExec  = 1 << 36
)

// event is the hardware breakpoint of a thread and of those that it will begin, but not of
// processes that it forks: these have memory of their own.
func (w *watch) event(thread int) (int, error) {
	attributes := unix.PerfEventAttr{
		Type: unix.PERF_TYPE_BREAKPOINT, Bp_type: onWrite, Ext1: w.word.Address, Ext2: uint64(w.word.Size), Sample: 1,
		Bits: unix.PerfBitDisabled | unix.PerfBitInherit | unix.PerfBitExcludeKernel | unix.PerfBitExcludeHv | inheritThread | removeOnExec,
	}
	attributes.Size = uint32(unsafe.Sizeof(attributes))
	return unix.PerfEventOpen(&attributes, thread, -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
}

// begin notes what lies there, and lets writes be recorded from now on. For about the first
// millisecond after a thread's watch was set a write may go unreported, so that it waits before;
// and as a report comes some microseconds after its write, it waits once more: where a write
// comes in that time, the kernel notes the value itself.
func (w *watch) begin(ctx context.Context) error {
	if err := wait(ctx, 4*time.Millisecond); err != nil {
		return err
	}
	if word, err := w.load(w.word.Address, w.word.Size); err == nil {
		w.initial = &word
	}
	if err := wait(ctx, time.Millisecond); err != nil {
		return err
	}
	return w.ready.Put(uint32(0), uint64(1))
}

func wait(ctx context.Context, some time.Duration) error {
	timer := time.NewTimer(some)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// reported is how often the processor has told of a write, by the kernel's own count.
func (w *watch) reported() (all uint64) {
	for _, event := range w.descriptors {
		var count [8]byte
		if n, err := unix.Read(event, count[:]); err == nil && n == len(count) {
			all += binary.LittleEndian.Uint64(count[:])
		}
	}
	return all
}

// close takes the hardware breakpoints out, also those of threads that were born since.
func (w *watch) close() error {
	var failed []error
	for _, event := range w.descriptors {
		failed = append(failed, unix.Close(event))
	}
	w.descriptors = nil
	return errors.Join(failed...)
}

func (w *watch) how(most int) string {
	threads := "its thread"
	if w.threads > 1 {
		threads = strconv.Itoa(w.threads) + " threads"
	}
	size := "byte"
	if w.word.Size > 1 {
		size = strconv.FormatInt(w.word.Size, 10) + " bytes"
	}
	now := ""
	if w.word.Followed {
		now = ", where the pointers led when it was armed (it stays there when they change)"
	}
	return fmt.Sprintf("the processor watches the %s at %#x%s, in %s and those that come (hardware breakpoint, perf, eBPF): a write costs the program %s; above %s writes a second the watch is taken out",
		size, w.word.Address, now, threads, watchCost, grouped(most))
}

// row is the row of a write.
func (w *watch) row(n int64, began time.Duration, record fetch.Record) live.Row {
	row := live.Row{N: n, At: record.Time() - began, Thread: record.Thread(), Task: record.Task(), Kind: live.Written}
	if !w.word.IsWrite(record) {
		return row
	}
	write := w.word.Write(record)
	if write.IsFirst {
		write.Before = fetch.Shown{Missing: "not known"}
		if w.initial != nil {
			write.Before = w.word.Text(*w.initial)
		}
	}
	by := w.writer(write.After, write.Top)
	row.File, row.Line, row.Function = by.file, by.line, by.function
	if by.isMasked && write.Before.Text == write.Now.Text {
		row.Function += " (a store of some bytes only, which may have left these out)"
	}
	if w.stacks != nil {
		calls, _ := record.Stack(fetch.WriteStack)
		row.Stack, row.Rest = w.stacks.calls(calls, write.Top, true)
	}
	for i, v := range []fetch.Shown{write.Before, write.Now} {
		row.Values = append(row.Values, live.Value{Name: []string{"before", "after"}[i], Text: v.Text, Missing: v.Missing, Cut: v.Cut})
	}
	return row
}

// meet looks up who has written while the program is there to be asked.
func (w *watch) meet(record fetch.Record) {
	if w.word.IsWrite(record) {
		write := w.word.Write(record)
		w.writer(write.After, write.Top)
	}
}

// goLeaves are functions of Go's runtime that copy and clear memory for others.
var goLeaves = []string{"runtime.memmove", "runtime.memclrNoHeapPointers", "runtime.duffcopy", "runtime.duffzero"}

// isLeaf says that a function writes what others want written.
func isLeaf(name string) bool { return slices.Contains(goLeaves, name) }
