// Package goheap reads the memory profile that Go's runtime keeps in each of its programs, out
// of the memory of one that runs, and stops nothing: the list that runtime.MemProfile copies.
// It knows no session and no tool.
package goheap

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"

	"github.com/google/pprof/profile"

	"aidb-mcp/adapters/observe/image"
	"aidb-mcp/internal/profiling"
)

// Errors of Open and Read.
var (
	// ErrOff: the program keeps no profile.
	ErrOff = errors.New("this program keeps no profile of its memory: the linker leaves that out of one that never asks for it")
	// ErrForbidden: its memory may not be read.
	ErrForbidden = errors.New("the memory of the program may not be read, which wants CAP_SYS_PTRACE (or root) unless it is a program of the server's own")
)

// Heap is the memory profile of a running program. It is not safe for concurrent use.
type Heap struct {
	image   *image.Image
	memory  *os.File
	bias    uint64
	buckets uint64 // where the list begins
	rate    uint64 // where it lies how many bytes lie between two samples
	calls   map[uint64][]image.Call
}

// Open reads an executable. Close must be called.
func Open(path string) (*Heap, error) {
	im, err := image.Open(path)
	if err != nil {
		return nil, fmt.Errorf("reading the executable: %w", err)
	}
	h := &Heap{image: im, calls: map[uint64][]image.Call{}}
	if !im.IsGo {
		h.Close()
		return nil, errors.New("it is no program of Go")
	}
	for _, v := range []struct {
		name string
		to   *uint64
	}{{"runtime.mbuckets", &h.buckets}, {"runtime.MemProfileRate", &h.rate}} {
		static, err := im.Static(v.name)
		if err != nil {
			h.Close()
			return nil, fmt.Errorf("%w (it has no %s)", ErrOff, v.name)
		}
		*v.to = static.Address
	}
	return h, nil
}

// Attach finds the profile in the memory of a process that runs the executable. Bias says where
// that lies, of one that the system moves.
func (h *Heap) Attach(pid int, bias func(pid int) (uint64, error)) (err error) {
	if h.image.Moves() {
		if h.bias, err = bias(pid); err != nil {
			return err
		}
	}
	h.memory, err = os.Open(fmt.Sprintf("/proc/%d/mem", pid))
	if errors.Is(err, os.ErrPermission) {
		return fmt.Errorf("%w: %w", ErrForbidden, err)
	}
	return err
}

// Close lets it go.
func (h *Heap) Close() {
	_ = h.image.Close() // both were only read
	if h.memory != nil {
		_ = h.memory.Close()
	}
}

// Look is what is held at one moment.
type Look struct {
	Data      *profile.Profile
	Rate      int64 // a sample for so many bytes
	Cut       bool  // there are more stacks than are read
	Collected bool  // as the last garbage collection has found it; else all that was allocated
}

// How the runtime lays a record out: runtime.bucket, its stack, runtime.memRecord.
const (
	bucketHead  = 48
	atNext      = 8
	atSize      = 32
	atDepth     = 40
	cycleSize   = 32
	recordSize  = 4 * cycleSize
	deepest     = 1024
	mostBuckets = 500_000
	mostCallers = 16 << 20 // in all stacks
)

// record is what one stack has allocated.
type record struct {
	size   uint64 // of an object
	stack  []uint64
	cycles [4]struct{ allocs, frees, allocBytes, freeBytes uint64 } // the first is what counts, the others come to count
}

// Read reads what is held now.
func (h *Heap) Read() (*Look, error) {
	rate, err := h.word(h.rate + h.bias)
	if err != nil {
		return nil, err
	}
	if rate == 0 {
		return nil, ErrOff
	}
	at, err := h.word(h.buckets + h.bias)
	if err != nil {
		return nil, err
	}
	var records []record
	look := &Look{Rate: int64(rate)}
	for n, callers := 0, 0; at != 0 && n < mostBuckets && callers < mostCallers; n++ {
		var r record
		if r, at, err = h.record(at); err != nil {
			return nil, err
		}
		look.Collected = look.Collected || r.cycles[0].allocs > 0
		callers += len(r.stack)
		records = append(records, r)
	}
	look.Cut = at != 0
	b := profiling.NewBuilder(profiling.Memory)
	for _, r := range records {
		objects, bytes := r.held(look.Collected)
		if objects <= 0 {
			continue
		}
		objects, bytes = scale(objects, bytes, int64(rate))
		b.Add(h.frames(r.stack), nil, objects, bytes)
	}
	look.Data = b.Profile()
	return look, nil
}

// held is what a record says is held: what comes to count only where nothing counts yet, for
// there was no collection.
func (r *record) held(collected bool) (objects, bytes int64) {
	for i, c := range r.cycles {
		if i == 0 || !collected {
			objects += int64(c.allocs - c.frees)
			bytes += int64(c.allocBytes - c.freeBytes)
		}
	}
	return objects, bytes
}

// scale makes of what was sampled what is likely there, as runtime/pprof does.
func scale(objects, bytes, rate int64) (int64, int64) {
	if objects == 0 || bytes == 0 || rate <= 1 {
		return objects, bytes
	}
	average := float64(bytes) / float64(objects)
	by := 1 / (1 - math.Exp(-average/float64(rate)))
	return int64(float64(objects) * by), int64(float64(bytes) * by)
}

func (h *Heap) word(at uint64) (uint64, error) {
	var b [8]byte
	if err := h.read(at, b[:]); err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint64(b[:]), nil
}

func (h *Heap) read(at uint64, into []byte) error {
	_, err := h.memory.ReadAt(into, int64(at))
	switch {
	case errors.Is(err, os.ErrPermission):
		return fmt.Errorf("%w: %w", ErrForbidden, err)
	case err != nil:
		return fmt.Errorf("reading the program's memory: %w", err)
	}
	return nil
}

// record reads a record, and where the next one lies.
func (h *Heap) record(at uint64) (r record, next uint64, err error) {
	var head [bucketHead]byte
	if err := h.read(at, head[:]); err != nil {
		return r, 0, err
	}
	word := func(of []byte, at int) uint64 { return binary.LittleEndian.Uint64(of[at:]) }
	depth := word(head[:], atDepth)
	if depth > deepest {
		return r, 0, fmt.Errorf("the runtime of this version of Go keeps its profile in another way (a stack of %d)", depth)
	}
	body := make([]byte, depth*8+recordSize)
	if err := h.read(at+bucketHead, body); err != nil {
		return r, 0, err
	}
	r.size = word(head[:], atSize)
	for i := range int(depth) {
		r.stack = append(r.stack, word(body, i*8))
	}
	for i := range r.cycles {
		from := int(depth)*8 + i*cycleSize
		r.cycles[i].allocs, r.cycles[i].frees = word(body, from), word(body, from+8)
		r.cycles[i].allocBytes, r.cycles[i].freeBytes = word(body, from+16), word(body, from+24)
	}
	return r, word(head[:], atNext), nil
}

// frames names a stack.
func (h *Heap) frames(stack []uint64) []profiling.Frame {
	var list []profiling.Frame
	for _, pc := range stack {
		calls, known := h.calls[pc]
		if !known {
			calls = h.image.Calls(pc - h.bias - 1)
			h.calls[pc] = calls
		}
		for _, c := range calls {
			list = append(list, profiling.Frame{Function: c.Function, File: c.File, Line: c.Line})
		}
	}
	return list
}
