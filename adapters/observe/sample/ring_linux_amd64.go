package sample

import (
	"encoding/binary"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// ring is where the kernel writes what it has sampled on one processor.
type ring struct {
	memory []byte // a page of the kernel's, and the ring
	page   *unix.PerfEventMmapPage
	data   []byte
	whole  []byte // a record that goes round the end of the ring
}

// The sizes of a ring in pages, what is wished first: the second is what every user may have.
var ringPages = [...]int{1024, 128}

func openRing(event int) (*ring, error) {
	var memory []byte
	var err error
	size := unix.Getpagesize()
	for _, pages := range ringPages {
		if memory, err = unix.Mmap(event, 0, (pages+1)*size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED); err == nil {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	return &ring{memory: memory, page: (*unix.PerfEventMmapPage)(unsafe.Pointer(&memory[0])), data: memory[size:]}, nil
}

func (r *ring) close() error { return unix.Munmap(r.memory) }

// read gives the records that are there to do, which must not keep them.
func (r *ring) read(do func(record []byte)) {
	head, tail := atomic.LoadUint64(&r.page.Data_head), r.page.Data_tail
	size := uint64(len(r.data))
	for tail < head {
		at := tail % size
		length := uint64(binary.LittleEndian.Uint16(r.data[at+6:]))
		if length < 8 {
			tail = head // what is there is no record
			break
		}
		record := r.data[at:min(at+length, size)]
		if uint64(len(record)) < length {
			r.whole = append(append(r.whole[:0], record...), r.data[:length-uint64(len(record))]...)
			record = r.whole
		}
		do(record)
		tail += length
	}
	atomic.StoreUint64(&r.page.Data_tail, tail)
}

// reader reads the fields of a record, of which none may be missing.
type reader struct {
	left []byte
	bad  bool
}

func (r *reader) bytes(n uint64) []byte {
	if n > uint64(len(r.left)) {
		r.bad, r.left = true, nil
		return nil
	}
	b := r.left[:n]
	r.left = r.left[n:]
	return b
}

func (r *reader) u32() uint32 {
	if b := r.bytes(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (r *reader) u64() uint64 {
	if b := r.bytes(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// text is a text that a zero ends.
func (r *reader) text() string {
	for i, c := range r.left {
		if c == 0 {
			return string(r.left[:i])
		}
	}
	return string(r.left)
}

// raw is a sample as the kernel has written it.
type raw struct {
	pid, tid  int
	id        uint64
	isKernel  bool // it was taken while the kernel worked for the thread
	chain     []uint64
	hasState  bool
	registers [len(registerNumbers)]uint64
	stack     []byte
}

// contextMarks begin parts of a chain: they are no addresses.
const contextMarks = ^uint64(0) - 4095

// readSample reads a record of a sample.
func readSample(record []byte, into *raw) bool {
	misc := binary.LittleEndian.Uint16(record[4:])
	r := reader{left: record[8:]}
	into.isKernel = misc&7 == 1 // PERF_RECORD_MISC_KERNEL
	into.pid, into.tid = int(int32(r.u32())), int(int32(r.u32()))
	into.id = r.u64()
	into.chain = into.chain[:0]
	for n := r.u64(); n > 0 && !r.bad; n-- {
		if address := r.u64(); address < contextMarks {
			into.chain = append(into.chain, address)
		}
	}
	into.hasState = r.u64() == unix.PERF_SAMPLE_REGS_ABI_64
	into.stack = nil
	if !into.hasState {
		return !r.bad
	}
	for i := range into.registers {
		into.registers[i] = r.u64()
	}
	if size := r.u64(); size > 0 {
		copied := r.bytes(size)
		if n := r.u64(); n <= uint64(len(copied)) {
			into.stack = copied[:n]
		}
	}
	return !r.bad
}
