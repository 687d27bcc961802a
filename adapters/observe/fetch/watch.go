package fetch

import (
	"github.com/cilium/ebpf/asm"
)

// Watch is what is recorded of the writes to a word.
type Watch struct {
	*Word
	GoidOffset int64 // of a goroutine's id in runtime.g; negative for other languages
	// Number tells the programs of a watch apart: a thread that was born while it was armed may
	// have two of them, from the thread that began it and from us, and one of them records.
	Number int
	Stack  bool // the callers of who writes are noted
}

// WatchMaps are the kernel's maps that a watch uses beside those of all recorders, by their
// descriptors.
type WatchMaps struct {
	Maps
	State int // an array with one element, see the State constants
	Ready int // an array with one word: 0 until all threads are watched
	Owner int // a hash: of a thread, by OwnerKey bytes, the number of the program that records its writes
}

// OwnerKey is the size of what a thread is known by: its number, which another may have after
// it, and where the kernel keeps it.
const OwnerKey = 16

// The words of a watch's state.
const (
	stateSeen  = 0 // there was a write
	stateValue = 8 // after the last
	StateSize  = 16
)

// The slots of a write's record.
const (
	slotBefore = iota
	slotAfter
	slotStack // the word at the top of the stack
	watchSlots
)

// CompileWatch makes the program that the processor's trap after a write runs.
func CompileWatch(w Watch, m WatchMaps) asm.Instructions {
	c := &compiler{leaves: watchSlots}
	c.emit(asm.Mov.Reg(asm.R6, asm.R1))
	c.count(m.Maps, CountRan)
	c.once(w, m)
	c.emit(asm.Mov.Imm(asm.R1, unread), asm.StoreMem(asm.RFP, operand, asm.R1, asm.DWord),
		asm.LoadImm(asm.R8, int64(w.Address), asm.DWord))
	c.read(w.Size, w.isSigned(), "swapped")
	c.emit(asm.Mov.Imm(asm.R1, 0), asm.StoreMem(asm.RFP, operand, asm.R1, asm.DWord))
	// The value after this write takes the place of that after the last, at once: so each row
	// has the value before it, whatever other rows were lost.
	c.emit(asm.LoadMem(asm.R2, asm.RFP, operand, asm.DWord).WithSymbol("swapped"), asm.Add.Imm(asm.R2, 1), // a value that was not read is none
		asm.LoadMapValue(asm.R1, m.State, stateSeen),
		exchange(asm.R1, asm.R2), asm.StoreMem(asm.RFP, length, asm.R2, asm.DWord),
		asm.Mov.Reg(asm.R2, asm.R8), asm.LoadMapValue(asm.R1, m.State, stateValue),
		exchange(asm.R1, asm.R2), asm.StoreMem(asm.RFP, held, asm.R2, asm.DWord),
		asm.LoadMapValue(asm.R1, m.Ready, 0), asm.LoadMem(asm.R1, asm.R1, 0, asm.DWord), asm.JEq.Imm(asm.R1, 0, "end"))
	c.count(m.Maps, CountHits)
	c.reserve(m.Maps, Want{Stack: w.Stack})
	c.writeHead(w)
	c.writeSlots()
	if w.Stack { // where the writer returns to is the word at the top of its stack, or not known
		c.followed(WriteStack)
	}
	const noWakeup = 1 // as in Compile
	c.emit(asm.Mov.Reg(asm.R1, asm.R7), asm.Mov.Imm(asm.R2, noWakeup), asm.FnRingbufSubmit.Call())
	c.emit(asm.Mov.Imm(asm.R0, 0).WithSymbol("end"), asm.Return())
	return c.code
}

// exchange takes what lies where the first register points, and puts the second's value there.
func exchange(at, value asm.Register) asm.Instruction {
	in := asm.Xchg.Mem(at, value, asm.DWord, 0)
	in.Constant = int64(asm.Xchg >> 8) // cilium/ebpf 0.22.0 writes another operation without it
	return in
}

// once ends the program where another records the thread's writes.
func (c *compiler) once(w Watch, m WatchMaps) {
	const onlyNew = 1                   // BPF_NOEXIST
	thread := pieceWord(mostPieces - 1) // of no use else: no value has pieces here
	key := func() {
		c.emit(asm.LoadMapPtr(asm.R1, m.Owner), asm.Mov.Reg(asm.R2, asm.RFP), asm.Add.Imm(asm.R2, int32(thread)))
	}
	c.emit(asm.FnGetCurrentTask.Call(), asm.StoreMem(asm.RFP, thread+8, asm.R0, asm.DWord),
		asm.FnGetCurrentPidTgid.Call(), asm.LSh.Imm(asm.R0, 32), asm.RSh.Imm(asm.R0, 32), asm.StoreMem(asm.RFP, thread, asm.R0, asm.DWord))
	key()
	c.emit(asm.FnMapLookupElem.Call(), asm.JEq.Imm(asm.R0, 0, "new"),
		asm.LoadMem(asm.R1, asm.R0, 0, asm.DWord), asm.JEq.Imm(asm.R1, int32(w.Number), "own"), asm.Ja.Label("end"),
		asm.Mov.Imm(asm.R1, int32(w.Number)).WithSymbol("new"), asm.StoreMem(asm.RFP, length, asm.R1, asm.DWord))
	key()
	c.emit(asm.Mov.Reg(asm.R3, asm.RFP), asm.Add.Imm(asm.R3, int32(length)), asm.Mov.Imm(asm.R4, onlyNew), asm.FnMapUpdateElem.Call(),
		asm.Mov.Reg(asm.R6, asm.R6).WithSymbol("own"))
}

// writeHead fills the head of a record: in the frame's place stands the address of the
// instruction behind that which has written.
func (c *compiler) writeHead(w Watch) {
	c.emit(asm.FnKtimeGetNs.Call(), asm.StoreMem(asm.R7, headTime, asm.R0, asm.DWord),
		asm.FnGetCurrentPidTgid.Call(), asm.StoreMem(asm.R7, headThread, asm.R0, asm.DWord),
		asm.Mov.Imm(asm.R1, 0), asm.StoreMem(asm.R7, headTask, asm.R1, asm.DWord),
		asm.LoadMem(asm.R1, asm.R6, registers[rip], asm.DWord), asm.StoreMem(asm.R7, headFrame, asm.R1, asm.DWord))
	if w.GoidOffset < 0 {
		return
	}
	c.emit(asm.LoadMem(asm.R3, asm.R6, registers[r14], asm.DWord), asm.Add.Imm(asm.R3, int32(w.GoidOffset)),
		asm.Mov.Reg(asm.R1, asm.R7), asm.Add.Imm(asm.R1, headTask), asm.Mov.Imm(asm.R2, 8), asm.FnProbeReadUser.Call())
}

// writeSlots fills the slots of a record.
func (c *compiler) writeSlots() {
	slot := func(n int) int16 { return int16(HeadSize + n*SlotSize) }
	c.emit(asm.LoadMem(asm.R1, asm.RFP, length, asm.DWord), asm.Add.Imm(asm.R1, unread), // 0 where there was a write before, else unread
		asm.StoreMem(asm.R7, slot(slotBefore), asm.R1, asm.DWord),
		asm.LoadMem(asm.R1, asm.RFP, held, asm.DWord), asm.StoreMem(asm.R7, slot(slotBefore)+8, asm.R1, asm.DWord),
		asm.LoadMem(asm.R1, asm.RFP, operand, asm.DWord), asm.StoreMem(asm.R7, slot(slotAfter), asm.R1, asm.DWord),
		asm.StoreMem(asm.R7, slot(slotAfter)+8, asm.R8, asm.DWord),
		asm.Mov.Imm(asm.R1, 0), asm.StoreMem(asm.R7, slot(slotStack)+8, asm.R1, asm.DWord),
		asm.Mov.Reg(asm.R1, asm.R7), asm.Add.Imm(asm.R1, int32(slot(slotStack))+8), asm.Mov.Imm(asm.R2, 8),
		asm.LoadMem(asm.R3, asm.R6, registers[rsp], asm.DWord), asm.FnProbeReadUser.Call())
}

// Write is what the record of a write says.
type Write struct {
	// After is the address of the instruction behind that which has written, and Top the word
	// at the top of the stack: where a function without a frame returns to.
	After, Top uint64
	// IsFirst says that nobody has noted the value before it.
	IsFirst     bool
	Before, Now Shown
}

// IsWrite says that a record is whole.
func (w *Word) IsWrite(r Record) bool { return len(r) >= HeadSize+watchSlots*SlotSize }

// Write reads the record of a write.
func (w *Word) Write(r Record) Write {
	status := func(n int) int64 { return int64(r.word(HeadSize + n*SlotSize)) }
	value := func(n int) uint64 { return r.word(HeadSize + n*SlotSize + 8) }
	of := Write{After: r.Frame(), Top: value(slotStack), IsFirst: status(slotBefore) == unread}
	of.Before = w.Text(value(slotBefore))
	if of.Now = w.Text(value(slotAfter)); status(slotAfter) == unread {
		of.Now = Shown{Missing: "not readable here"}
	}
	return of
}
