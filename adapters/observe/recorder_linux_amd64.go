package observe

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"
	"github.com/cilium/ebpf/ringbuf"
	"golang.org/x/sys/unix"

	"aidb-mcp/adapters/observe/fetch"
	"aidb-mcp/adapters/observe/holder"
	"aidb-mcp/internal/recording/live"
	"aidb-mcp/internal/system/process"
)

// The bounds of a recorder.
const (
	ringSize   = 16 << 20
	readEvery  = 5 * time.Millisecond
	mostKept   = 10_000 // records that nobody has read yet
	mostProbes = 64
	judgeEvery = time.Second / 5 // the hits of so long are counted against the budget
)

// Recorder is what is armed in a program. It is safe for concurrent use.
type Recorder struct {
	pid    int
	places []armed
	watch  *watch  // of writes; nil for probes
	stacks *stacks // the callers at probes; nil: they are not asked for
	spec   live.Spec
	how    string
	most   int // hits a second
	began  time.Duration

	counts *ebpf.Map
	ring   *ebpf.Map
	reader *ringbuf.Reader
	// release ends what was loaded, in order; attached takes out of the program what is in it,
	// where there is no holder that does so last.
	release  []func() error
	attached []func() error
	holder   *holder.Holder
	done     chan struct{} // closed when the reading goroutine has ended

	mu      sync.Mutex
	kept    []fetch.Record // guarded by mu
	named   []live.Row     // those before them, made when the program's executable was closed; guarded by mu
	lost    int64          // of them, for want of room; guarded by mu
	read    int64          // rows that were given; guarded by mu
	out     string         // guarded by mu
	isOut   bool           // guarded by mu
	ended   bool           // the program has; guarded by mu
	last    fetchCounts    // when the probes were taken out; guarded by mu
	unheard int64          // writes that no program noted, until then; guarded by mu
	calls   pairs          // guarded by mu
	judged  time.Duration  // when the hits were counted last; guarded by mu

	judgedHits uint64 // how many there were then; guarded by mu
	closing    sync.Once
}

// fetchCounts are the kernel's counts.
type fetchCounts [fetch.Counts]uint64

// Arm puts probes into a running program. The recorder must be closed.
func Arm(ctx context.Context, pid int, spec live.Spec) (*Recorder, error) {
	if spec.Written != "" {
		return armWatch(ctx, pid, spec)
	}
	places, err := find(pid, spec)
	if err != nil {
		return nil, err
	}
	r := &Recorder{pid: pid, places: places.list, spec: spec, done: make(chan struct{}), release: []func() error{places.image.Close}}
	if ctx.Err() != nil {
		r.unload()
		return nil, context.Cause(ctx)
	}
	if spec.Stack {
		r.stacks = newStacks(&places.subject)
	}
	if err := r.load(places); err != nil {
		r.unload()
		return nil, err
	}
	go r.run() // reads the ring; ended by Close, which waits for it
	return r, nil
}

// loadMaps makes the maps of all recorders.
func (r *Recorder) loadMaps() (err error) {
	if r.counts, err = ebpf.NewMap(&ebpf.MapSpec{Type: ebpf.Array, KeySize: 4, ValueSize: 8 * fetch.Counts, MaxEntries: 1}); err != nil {
		return r.kernelError("making a map", err)
	}
	r.release = append(r.release, r.counts.Close)
	if r.ring, err = ebpf.NewMap(&ebpf.MapSpec{Type: ebpf.RingBuf, MaxEntries: ringSize}); err != nil {
		return r.kernelError("making a ring buffer", err)
	}
	r.release = append(r.release, r.ring.Close)
	if r.reader, err = ringbuf.NewReader(r.ring); err != nil {
		return r.kernelError("reading the ring buffer", err)
	}
	r.release = append(r.release, r.reader.Close)
	return nil
}

// load makes maps and programs and attaches these.
func (r *Recorder) load(places located) error {
	if err := r.loadMaps(); err != nil {
		return err
	}
	var programs []*ebpf.Program
	for i := range r.places {
		p, err := r.compile(places, i)
		if err != nil {
			return err
		}
		programs = append(programs, p)
		r.release = append(r.release, p.Close)
	}
	executable, err := link.OpenExecutable(fmt.Sprintf("/proc/%d/exe", r.pid))
	if err != nil {
		return err
	}
	if r.holder, err = holder.Start(r.pid); err != nil {
		return err
	}
	r.began = now()
	var held []holder.Descriptor
	for _, i := range r.endsFirst() {
		l, err := executable.UprobeMulti(nil, programs[i], &link.UprobeMultiOptions{Addresses: []uint64{r.places[i].offset}, PID: uint32(r.pid)})
		if err != nil {
			return r.kernelError("putting a probe into the program", err)
		}
		r.attached = append(r.attached, l.Close)
		if d, ok := l.(holder.Descriptor); ok { // which all of the kernel's are
			held = append(held, d)
		}
	}
	for _, d := range held { // not between them: a call would begin before its end is seen
		if err := r.holder.Hold(d); err != nil {
			return err
		}
	}
	r.judged = r.began
	r.how, r.most = cost(r.places, r.spec.Most)
	return nil
}

// endsFirst are the numbers of the places, those where calls end before those where they begin:
// no call is to begin before its end can be seen, or it would look as if it stood for ever.
func (r *Recorder) endsFirst() []int {
	var ends, others []int
	for i := range r.places {
		if r.places[i].kind == live.Leave {
			ends = append(ends, i)
		} else {
			others = append(others, i)
		}
	}
	return append(ends, others...)
}

func (r *Recorder) compile(places located, i int) (*ebpf.Program, error) {
	at := &r.places[i]
	made, err := fetch.Compile(fetch.Source{Image: places.image, Place: at.Place, Bias: places.bias, Results: at.kind == live.Leave},
		fetch.Want{Probe: uint32(i), Expressions: r.spec.Expressions, Condition: at.condition(r.spec), Arguments: at.kind == live.Enter, Stack: r.spec.Stack && at.kind != live.Leave, GoidOffset: places.goid},
		fetch.Maps{Counts: r.counts.FD(), Ring: r.ring.FD()})
	if err != nil {
		return nil, err
	}
	at.shapes, at.stack = made.Shapes, made.Stack
	p, err := ebpf.NewProgram(&ebpf.ProgramSpec{
		Name: "aidb_observe", Type: ebpf.Kprobe, AttachType: ebpf.AttachTraceUprobeMulti, License: "Dual MIT/GPL", Instructions: made.Code,
	})
	if err != nil {
		return nil, r.kernelError("checking what is to run in the kernel", err)
	}
	return p, nil
}

// kernelError is an error of the kernel, in plain words where it is a missing right.
func (r *Recorder) kernelError(doing string, err error) error {
	if errors.Is(err, unix.EPERM) || errors.Is(err, unix.EACCES) && !isRefusedCode(err) {
		return fmt.Errorf("%w (%s: %w)", ErrForbidden, doing, err)
	}
	if errors.Is(err, ebpf.ErrNotSupported) {
		return fmt.Errorf("%w: this kernel lacks what it takes (%s; Linux 6.6 has it)", ErrUnsupported, doing)
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// isRefusedCode says that the kernel's verifier did not accept a program.
func isRefusedCode(err error) bool {
	var refused *ebpf.VerifierError
	return errors.As(err, &refused)
}

func now() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &t); err != nil {
		return 0
	}
	return time.Duration(t.Nano())
}

// run reads the ring until it is closed: the reader is woken every few milliseconds, for to
// be woken by each record would cost the program as much as all the rest.
func (r *Recorder) run() {
	defer close(r.done)
	stop := make(chan struct{})
	defer close(stop)
	go r.flush(stop) // wakes the reader; ends with it
	var record ringbuf.Record
	for {
		switch err := r.reader.ReadInto(&record); {
		case errors.Is(err, ringbuf.ErrFlushed):
			r.look()
		case err != nil:
			return
		default:
			r.keep(record.RawSample)
		}
	}
}

func (r *Recorder) flush(stop <-chan struct{}) {
	tick := time.NewTicker(readEvery)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return
		case <-tick.C:
			if err := r.reader.Flush(); err != nil {
				return
			}
		}
	}
}

// keep keeps a record until it is read; the oldest goes where there is no room.
func (r *Recorder) keep(sample []byte) {
	record := fetch.Record(append([]byte{}, sample...))
	if !record.IsWhole() {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.watch != nil {
		r.watch.meet(record)
	}
	if len(r.kept) >= 2*mostKept {
		r.lost += int64(len(r.kept) - mostKept)
		if r.watch == nil {
			for _, old := range r.kept[:len(r.kept)-mostKept] {
				r.calls.pair(&r.places[old.Probe()], old)
			}
		}
		r.kept = append(r.kept[:0:0], r.kept[len(r.kept)-mostKept:]...)
	}
	r.kept = append(r.kept, record)
}

// look sees whether the program has ended, and takes the probes out where they cost it more
// than they may.
func (r *Recorder) look() {
	counts := r.count()
	ended := process.Gone(r.pid)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended = r.ended || ended
	at, hits := now(), counts[fetch.CountHits]
	since, more := at-r.judged, hits-r.judgedHits
	if r.isOut || since < judgeEvery {
		return
	}
	r.judged, r.judgedHits = at, hits
	if rate := float64(more) / since.Seconds(); rate > float64(r.most) {
		what := "the probes were taken out: there were %d hits a second, more than the %d that were allowed"
		if r.watch != nil {
			what = "the watch was taken out: there were %d writes a second, more than the %d that were allowed"
		}
		r.out = fmt.Sprintf(what, int(rate), r.most)
		r.takeOut()
	}
}

func (r *Recorder) count() (counts fetchCounts) {
	key := uint32(0)
	var words [fetch.Counts]uint64
	if err := r.counts.Lookup(&key, &words); err != nil {
		return counts
	}
	return words
}

// takeOut removes the probes. r.mu is held.
func (r *Recorder) takeOut() {
	if r.isOut {
		return
	}
	r.isOut = true
	missed := r.missed()
	r.detach()
	r.last, r.unheard = r.count(), missed
}

// detach takes out of the program what is in it.
func (r *Recorder) detach() {
	var all sync.WaitGroup
	for _, l := range r.attached { // at once: the kernel waits for each
		all.Go(func() { _ = l() }) // closing a descriptor does not fail in a way that we could mend
	}
	all.Wait()
	r.attached = nil
	if r.holder != nil {
		_ = r.holder.Release() // what it has not let go of in time it lets go of later
		r.holder = nil
	}
}

// Read gives the rows since the last call, the oldest first and at most that many; the others
// wait for the next call.
func (r *Recorder) Read(most int) ([]live.Row, live.State) {
	if err := r.reader.Flush(); err == nil { // what is in the ring now is read soon
		r.settle()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	n := min(most, len(r.named))
	rows := append(make([]live.Row, 0, n), r.named[:n]...)
	r.named = r.named[n:]
	n = min(most-n, len(r.kept))
	for _, record := range r.kept[:n] {
		rows = append(rows, r.row(record))
	}
	r.kept = r.kept[n:]
	return rows, r.state()
}

// nameStacks makes the rows that wait: their callers are named by the executable, which is to be closed.
func (r *Recorder) nameStacks() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.spec.Stack {
		return
	}
	for _, record := range r.kept {
		r.named = append(r.named, r.row(record))
	}
	r.kept = nil
}

// settle waits until the ring was read, or a little while.
func (r *Recorder) settle() {
	limit := time.NewTimer(20 * readEvery)
	defer limit.Stop()
	tick := time.NewTicker(readEvery)
	defer tick.Stop()
	for r.reader.AvailableBytes() > 0 {
		select {
		case <-limit.C:
			return
		case <-r.done:
			return
		case <-tick.C:
		}
	}
}

func (r *Recorder) row(record fetch.Record) live.Row {
	r.read++
	if r.watch != nil {
		return r.watch.row(r.read, r.began, record)
	}
	p := &r.places[record.Probe()]
	row := live.Row{
		N: r.read, At: record.Time() - r.began, Thread: record.Thread(), Task: record.Task(),
		File: p.File, Line: p.Line, Kind: p.kind, Call: r.calls.pair(p, record), Leaves: p.leaves,
	}
	if row.Function = p.Function.Name; p.Inlined != "" {
		row.Function = p.Inlined + ", inlined in " + row.Function
	}
	if p.stack != 0 {
		calls, caller := record.Stack(p.stack)
		row.Stack, row.Rest = r.stacks.calls(calls, caller, false)
	}
	for i := range p.shapes {
		shown := p.shapes[i].Show(record)
		row.Values = append(row.Values, live.Value{Name: p.shapes[i].Name, Text: shown.Text, Missing: shown.Missing, Cut: shown.Cut})
	}
	return row
}

// state is how it stands. r.mu is held.
func (r *Recorder) state() live.State {
	counts, unheard := r.last, r.unheard
	if !r.isOut {
		unheard = r.missed() // before the counts: what comes meanwhile is not missed
		counts = r.count()
	}
	state := live.State{
		Hits: int64(counts[fetch.CountHits]) + unheard, Rows: r.read, Waiting: len(r.named) + len(r.kept), Dropped: r.lost + int64(counts[fetch.CountDropped]) + unheard,
		Unread: int64(counts[fetch.CountUnread]), Matched: int64(counts[fetch.CountMatched]),
		Running: !r.ended, Out: r.out, Places: len(r.places), How: r.how,
	}
	if r.watch != nil && r.watch.isUnsure {
		state.Notes = append(state.Notes, unsureNote)
	}
	return state
}

// missed is how many writes were told of by the processor, and not noted by a program: the
// kernel runs none while it is at work in another on that processor.
func (r *Recorder) missed() int64 {
	if r.watch == nil || r.watch.isUnsure {
		return 0
	}
	reported := r.watch.reported()
	more := int64(reported) - int64(r.count()[fetch.CountRan]) - r.watch.before
	return max(0, more)
}

// Close takes the probes out, and gives the state at the end.
func (r *Recorder) Close() live.State {
	r.closing.Do(func() {
		ended := process.Gone(r.pid)
		r.mu.Lock()
		r.ended = ended
		r.takeOut()
		r.mu.Unlock()
		if r.reader.Flush() == nil { // what was recorded until now can still be read
			r.settle()
		}
		_ = r.reader.Close() // which ends the reading
		<-r.done
		r.nameStacks()
		r.unload()
	})
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state()
}

// unload ends what was loaded, the last first.
func (r *Recorder) unload() {
	r.detach()
	for _, release := range slices.Backward(r.release) {
		_ = release() // the kernel ends it with us in any case
	}
	r.release = nil
}

// loadBias is where the executable of a process lies in memory.
func loadBias(pid int) (uint64, error) {
	exe, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid))
	if err != nil {
		return 0, err
	}
	maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(maps)) {
		var from, to, offset uint64
		var rights, device, inode string
		if _, err := fmt.Sscanf(line, "%x-%x %s %x %s %s", &from, &to, &rights, &offset, &device, &inode); err != nil || offset != 0 {
			continue
		}
		if strings.HasSuffix(strings.TrimSpace(line), strings.TrimSuffix(exe, " (deleted)")) || strings.Contains(line, exe) {
			return from, nil
		}
	}
	return 0, fmt.Errorf("the executable of process %d is not in its memory", pid)
}
