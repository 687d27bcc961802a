package offspring

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"sync"
	"syscall"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"
	"github.com/cilium/ebpf/ringbuf"
	"golang.org/x/sys/unix"
)

// The bounds of a watch.
const (
	ringSize   = 256 << 10
	mostAtOnce = 8192 // processes that are followed
	mostEnds   = 4096 // that are kept
	nameLength = 16
	exitedBits = 8
	signalBits = 0x7f
	license    = "Dual MIT/GPL" // the kernel's helpers may be called by programs under the GPL only
)

// Where a record of an end has what: the numbers of the process and of its parent in the kernel's first
// namespace, that of the process in ours, its wait status, that of its parent in ours, when both were born,
// and its name.
const (
	processIn, parentIn, pidIn, statusIn, parentPIDIn, unusedIn = 0, 4, 8, 12, 16, 20
	birthIn, parentBirthIn, nameIn                              = 24, 32, 40
	recordSize                                                  = nameIn + nameLength
)

// Kernel makes watches, and remembers where this kernel has the fields that they read. The zero
// value can be used.
type Kernel struct {
	once   sync.Once
	layout layout
	err    error
}

// Watch notes how all processes end that this one starts after Watch has returned, and all below
// them. It is safe for concurrent use, and must be closed. It can be asked after that, too.
type Watch struct {
	mu           sync.Mutex // guards the fields below
	ends         []End
	living       []life // as drain has found them
	isIncomplete bool   // some ends were not kept, or could not be read
	followed     *ebpf.Map
	counts       *ebpf.Map
	reader       *ringbuf.Reader
	release      []func() error // in the order in which they are called
}

// Watch begins a watch. The error says that this process may not, or that this kernel cannot.
func (k *Kernel) Watch() (*Watch, error) { return k.watch(mostAtOnce) }

func (k *Kernel) watch(atOnce uint32) (*Watch, error) {
	k.once.Do(func() { k.layout, k.err = readLayout() })
	if k.err != nil {
		return nil, k.err
	}
	w := &Watch{}
	if err := w.begin(k.layout, atOnce); err != nil {
		w.free()
		return nil, err
	}
	return w, nil
}

func (w *Watch) begin(l layout, atOnce uint32) error {
	var own unix.Stat_t
	if err := unix.Stat("/proc/self/ns/pid", &own); err != nil {
		return fmt.Errorf("looking at the own namespace: %w", err)
	}
	var err error
	if w.followed, err = ebpf.NewMap(&ebpf.MapSpec{Name: "aidb_followed", Type: ebpf.Hash, KeySize: 4, ValueSize: valueSize, MaxEntries: atOnce}); err != nil {
		return fmt.Errorf("making a map: %w", err)
	}
	w.release = append(w.release, w.followed.Close)
	ring, err := ebpf.NewMap(&ebpf.MapSpec{Name: "aidb_ends", Type: ebpf.RingBuf, MaxEntries: ringSize})
	if err != nil {
		return fmt.Errorf("making a ring buffer: %w", err)
	}
	w.release = append(w.release, ring.Close)
	if w.counts, err = ebpf.NewMap(&ebpf.MapSpec{Name: "aidb_lost", Type: ebpf.Array, KeySize: 4, ValueSize: 8, MaxEntries: 1}); err != nil {
		return fmt.Errorf("making a map: %w", err)
	}
	w.release = append(w.release, w.counts.Close)
	if w.reader, err = ringbuf.NewReader(ring); err != nil {
		return fmt.Errorf("reading the ring buffer: %w", err)
	}
	w.release = append(w.release, w.reader.Close)
	c := compiler{layout: l, device: own.Dev, inode: own.Ino, root: uint32(os.Getpid()), followed: w.followed.FD(), ring: ring.FD(), lost: w.counts.FD()}
	for _, p := range []struct {
		event string
		spec  *ebpf.ProgramSpec
	}{ // ends first, so that no process ends unnoticed once it is followed
		{"sched_process_exit", &ebpf.ProgramSpec{Name: "aidb_end", Instructions: c.end()}},
		{"sched_process_fork", &ebpf.ProgramSpec{Name: "aidb_fork", Instructions: c.fork()}},
	} {
		p.spec.Type, p.spec.License = ebpf.RawTracepoint, license
		made, err := ebpf.NewProgram(p.spec)
		if err != nil {
			return fmt.Errorf("checking what is to run in the kernel: %w", err)
		}
		at, err := link.AttachRawTracepoint(link.RawTracepointOptions{Name: p.event, Program: made})
		_ = made.Close() // the link holds it
		if err != nil {
			return fmt.Errorf("listening to %s: %w", p.event, err)
		}
		w.release = append([]func() error{at.Close}, w.release...)
	}
	return nil
}

// Below is what has become of all processes below one by now. isKnown is false where some may be
// missing.
func (w *Watch) Below(pid int) (d Descent, isKnown bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.drain()
	if w.isIncomplete {
		return Descent{}, false
	}
	return below(w.ends, w.living, pid)
}

// Close ends it. It may be called more than once.
func (w *Watch) Close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.drain()
	w.free()
}

func (w *Watch) free() {
	for _, end := range w.release {
		_ = end() // nothing can be done about it, and the kernel does it at our end
	}
	w.release, w.reader = nil, nil
}

// drain reads what the kernel has reported since the last time; mu is held.
func (w *Watch) drain() {
	if w.reader == nil {
		return
	}
	w.readLiving() // first: who ends meanwhile is among the ends, too, and counts as one of these
	if err := w.reader.Flush(); err != nil {
		w.isIncomplete = true
		return
	}
	for {
		record, err := w.reader.Read()
		if err != nil {
			w.isIncomplete = w.isIncomplete || !errors.Is(err, ringbuf.ErrFlushed)
			break
		}
		if len(w.ends) == mostEnds {
			w.isIncomplete = true
			continue
		}
		if e, ok := parseRecord(record.RawSample); ok {
			w.ends = append(w.ends, e)
		}
	}
	var lost uint64
	if err := w.counts.Lookup(uint32(0), &lost); err != nil || lost > 0 {
		w.isIncomplete = true
	}
}

// readLiving reads which processes are followed now; mu is held.
func (w *Watch) readLiving() {
	w.living = nil
	var number uint32
	value := make([]byte, valueSize)
	entries := w.followed.Iterate()
	for entries.Next(&number, &value) {
		word, long := binary.NativeEndian.Uint32, binary.NativeEndian.Uint64
		w.living = append(w.living, life{
			self:      identity{number, long(value[birthField:])},
			parent:    identity{word(value[parentField:]), long(value[parentBirthField:])},
			parentPID: int(word(value[parentPIDField:])),
		})
	}
	if entries.Err() != nil {
		w.isIncomplete = true
	}
}

// parseRecord reads a record of an end.
func parseRecord(record []byte) (e End, ok bool) {
	if len(record) < recordSize {
		return e, false
	}
	word := func(at int) uint32 { return binary.NativeEndian.Uint32(record[at:]) }
	long := func(at int) uint64 { return binary.NativeEndian.Uint64(record[at:]) }
	e.PID = int(word(pidIn))
	e.life = life{identity{word(processIn), long(birthIn)}, identity{word(parentIn), long(parentBirthIn)}, int(word(parentPIDIn))}
	if signal := word(statusIn) & signalBits; signal != 0 {
		e.Signal = syscall.Signal(signal)
	} else {
		e.Code = int(word(statusIn) >> exitedBits & 0xff)
	}
	name, _, _ := bytes.Cut(record[nameIn:recordSize], []byte{0})
	e.Name = string(name)
	return e, true
}

func signalName(s syscall.Signal) string {
	if name := unix.SignalName(s); name != "" {
		return name
	}
	return fmt.Sprint(int(s))
}
