package sample

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"aidb-mcp/internal/profiling"
)

// readEvery is how often the rings are read, before they are full.
const readEvery = 10 * time.Millisecond

// Sampler samples a process, and what it forks meanwhile.
//
// Goroutines: read reads the rings until Stop, which waits for it; it alone touches the
// sampler meanwhile.
type Sampler struct {
	sampler
	stop, done chan struct{}
}

// sampler is what is known of the processes that are sampled.
type sampler struct {
	events  []int
	owner   map[uint64]int // by the number of an event, the thread that it was opened for
	direct  map[int]bool   // threads that have events of their own
	outputs map[int]int    // by processor, the event whose ring it is
	rings   []*ring
	spaces  map[int]*space
	modules modules
	builder *profiling.Builder
	taken   Taken
	began   time.Time
	sample  raw

	pid        int
	used, from time.Duration // processor time, now and when it began
}

// Start begins to sample the threads of a process and those that they will begin; of one that
// is about to exec a file, from then on: of others that is empty. Stop must be called.
func Start(ctx context.Context, pid int, file string) (*Sampler, error) {
	kernel, err := seesKernel()
	if err != nil {
		return nil, err
	}
	s := &Sampler{
		sampler: sampler{
			owner: map[uint64]int{}, direct: map[int]bool{}, outputs: map[int]int{}, spaces: map[int]*space{},
			modules: modules{known: map[string]*module{}}, builder: profiling.NewBuilder(profiling.CPU),
		},
		stop: make(chan struct{}), done: make(chan struct{}),
	}
	s.taken.Kernel = kernel
	s.pid = pid
	s.warm(pid, file)
	if err := s.open(ctx, pid, file != ""); err != nil {
		s.release()
		return nil, err
	}
	s.began, s.from = time.Now(), usedBy(pid)
	go s.read()
	return s, nil
}

// warm reads the files whose code runs, before samples come that wait for it.
func (t *sampler) warm(pid int, file string) {
	if file != "" {
		t.modules.warm(file)
		return
	}
	s := t.spaceOf(pid)
	s.refresh()
	for i := range s.mappings {
		t.modules.find(s, &s.mappings[i])
	}
}

// mostScans of the threads are made, until there is no new one.
const mostScans = 5

// open opens the events of all threads.
func (t *sampler) open(ctx context.Context, pid int, onExec bool) error {
	cpus, err := processors()
	if err != nil {
		return err
	}
	for range mostScans {
		isNew := false
		for _, thread := range threadsOf(pid) {
			if t.direct[thread] {
				continue
			}
			isNew = true
			if err := t.openThread(thread, cpus, onExec); err != nil {
				return err
			}
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
		}
		if !isNew {
			break
		}
	}
	if t.taken.Threads = len(t.direct); len(t.events) == 0 {
		return fmt.Errorf("process %d has no thread any more", pid)
	}
	return nil
}

// openThread opens the events of a thread: a ring takes what one processor has.
func (t *sampler) openThread(thread int, cpus []int, onExec bool) error {
	t.direct[thread] = true
	a := attributes(t.taken.Kernel, onExec)
	for _, cpu := range cpus {
		event, err := openEvent(&a, thread, cpu)
		if errors.Is(err, unix.ESRCH) { // it has ended
			return nil
		}
		if err != nil {
			return fmt.Errorf("sampling thread %d: %w", thread, err)
		}
		t.events = append(t.events, event)
		if err := t.connect(event, cpu); err != nil {
			return fmt.Errorf("making a place for samples: %w", err)
		}
		id, err := unix.IoctlGetInt(event, unix.PERF_EVENT_IOC_ID)
		if err != nil {
			return fmt.Errorf("asking for an event's number: %w", err)
		}
		t.owner[uint64(id)] = thread
		if onExec {
			continue
		}
		if err := unix.IoctlSetInt(event, unix.PERF_EVENT_IOC_ENABLE, 0); err != nil {
			return fmt.Errorf("beginning to sample: %w", err)
		}
	}
	return nil
}

// connect has an event write to its processor's ring.
func (t *sampler) connect(event, cpu int) error {
	if to, is := t.outputs[cpu]; is {
		return unix.IoctlSetInt(event, unix.PERF_EVENT_IOC_SET_OUTPUT, to)
	}
	r, err := openRing(event)
	if err != nil {
		return err
	}
	t.rings, t.outputs[cpu] = append(t.rings, r), event
	return nil
}

// read reads until it is told to stop.
func (s *Sampler) read() {
	defer close(s.done)
	reading := time.NewTicker(readEvery)
	defer reading.Stop()
	for {
		select {
		case <-reading.C:
			s.drain()
			s.measure()
		case <-s.stop:
			return
		}
	}
}

// Stop ends the sampling, and gives what was sampled.
func (s *Sampler) Stop() *Taken {
	s.taken.Lasted = time.Since(s.began)
	for _, event := range s.events {
		_ = unix.IoctlSetInt(event, unix.PERF_EVENT_IOC_DISABLE, 0) // one whose thread has ended counts no more
	}
	close(s.stop)
	<-s.done
	s.drain()
	s.release()
	s.measure()
	s.taken.Profile = s.builder
	if s.used > s.from {
		s.taken.Used = s.used - s.from
	}
	return &s.taken
}

// measure notes how much processor time the process has taken, while it is there to be asked.
func (t *sampler) measure() { t.used = max(t.used, usedBy(t.pid)) }

// tick is the unit in which the system tells processor time.
const tick = 10 * time.Millisecond

// usedBy is how much processor time a process has taken; 0 where that is not known.
func usedBy(pid int) time.Duration {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 13 {
		return 0
	}
	var sum time.Duration
	for _, field := range fields[11:13] { // in its own code, and in the kernel
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return 0
		}
		sum += time.Duration(n) * tick
	}
	return sum
}

// release gives back what is held.
func (t *sampler) release() {
	for _, r := range t.rings {
		_ = r.close() // it was only read
	}
	for _, event := range t.events {
		_ = unix.Close(event) // nothing is written to it
	}
	t.modules.close()
}

// drain takes all that the rings have.
func (t *sampler) drain() {
	for _, r := range t.rings {
		r.read(t.take)
	}
}

// take takes a record: where code comes to lie is told before it runs there.
func (t *sampler) take(record []byte) {
	r := reader{left: record[8:]}
	misc := binary.LittleEndian.Uint16(record[4:])
	switch binary.LittleEndian.Uint32(record) {
	case unix.PERF_RECORD_MMAP2:
		pid := int(int32(r.u32()))
		r.u32()
		m := mapping{from: r.u64()}
		m.to = m.from + r.u64()
		m.offset = r.u64()
		r.bytes(24) // of the file, or what it was built as
		r.u64()     // what may be done there
		m.path = r.text()
		if !r.bad && m.to > m.from {
			t.spaceOf(pid).add(m)
		}
	case unix.PERF_RECORD_COMM:
		if pid := int(int32(r.u32())); misc&(1<<13) != 0 { // PERF_RECORD_MISC_COMM_EXEC: another program from now on
			t.spaces[pid] = &space{pid: pid}
		}
	case unix.PERF_RECORD_FORK:
		t.fork(int(int32(r.u32())), int(int32(r.u32())))
	case unix.PERF_RECORD_LOST:
		r.u64()
		t.taken.Lost += int64(r.u64())
	case unix.PERF_RECORD_SAMPLE:
		if readSample(record, &t.sample) {
			t.add(&t.sample)
		}
	}
}

// fork gives a child its parent's mappings.
func (t *sampler) fork(pid, parent int) {
	if from := t.spaces[parent]; pid != parent && from != nil && t.spaces[pid] == nil {
		t.spaces[pid] = &space{pid: pid, mappings: slices.Clone(from.mappings)}
	}
}

// spaceOf is the memory of a process.
func (t *sampler) spaceOf(pid int) *space {
	if t.spaces[pid] == nil {
		t.spaces[pid] = &space{pid: pid}
	}
	return t.spaces[pid]
}

// add counts a sample. A thread that has events of its own may have inherited others from the
// one that began it, while the events were opened.
func (t *sampler) add(r *raw) {
	if thread := t.owner[r.id]; thread != r.tid && t.direct[r.tid] {
		return
	}
	t.taken.Samples++
	if r.pid == t.pid {
		t.taken.Own += every
	}
	pcs, whole, isCut := t.stackOf(r)
	switch {
	case isCut:
		t.taken.Cut++
	case !whole:
		t.taken.Broken++
	}
	frames, optimized := t.frames(t.spaceOf(r.pid), pcs)
	if optimized {
		t.taken.Optimized++
	}
	if len(frames) > 0 && bytes.HasPrefix([]byte(frames[0].Function), []byte("(code of no file")) {
		t.taken.Unnamed++
	}
	if r.isKernel {
		frames = slices.Insert(frames, 0, profiling.Frame{Function: "(kernel)"})
	}
	t.builder.Add(frames, nil, 1, every.Nanoseconds())
}
