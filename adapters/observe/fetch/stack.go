package fetch

import (
	"github.com/cilium/ebpf/asm"
)

// What is noted of the stack, behind the slots of a record.
const (
	stackGot    = 0 // bytes of the addresses that the kernel has followed; negative where it could not
	stackCaller = 8 // where the function returns to, by the frame's description; 0 where that is not known
	stackCalls  = 16

	StackDepth = 24 // addresses
	StackSize  = stackCalls + 8*StackDepth
)

const (
	ofTheProgram = 1 << 8 // BPF_F_USER_STACK
	addressSize  = 8
)

// stack notes the stack at a distance in the record.
func (c *compiler) stack(at int32) error {
	c.followed(at)
	c.emit(asm.Mov.Imm(asm.R1, 0), asm.StoreMem(asm.R7, int16(at)+stackCaller, asm.R1, asm.DWord))
	if _, _, err := c.Image.CFA(c.Place.PC); err != nil {
		return nil // the frame is found in another way: where it returns to is not known
	}
	if err := c.frameAddress(); err != nil {
		return err
	}
	c.emit(asm.Mov.Reg(asm.R1, asm.R7), asm.Add.Imm(asm.R1, at+stackCaller), asm.Mov.Imm(asm.R2, addressSize),
		asm.Mov.Reg(asm.R3, asm.R8), asm.Add.Imm(asm.R3, -addressSize), asm.FnProbeReadUser.Call())
	return nil
}

// followed has the kernel follow the frame pointers.
func (c *compiler) followed(at int32) {
	c.emit(asm.Mov.Reg(asm.R1, asm.R6), asm.Mov.Reg(asm.R2, asm.R7), asm.Add.Imm(asm.R2, at+stackCalls),
		asm.Mov.Imm(asm.R3, addressSize*StackDepth), asm.Mov.Imm(asm.R4, ofTheProgram), asm.FnGetStack.Call(),
		asm.StoreMem(asm.R7, int16(at)+stackGot, asm.R0, asm.DWord))
}

// Stack is what a record says of the stack, which begins at a distance in it: the addresses that
// frame pointers led to, the first that of the hit, and where its function returns to, 0 where that
// is not known.
func (r Record) Stack(at int) (calls []uint64, caller uint64) {
	if len(r) < at+StackSize {
		return nil, 0
	}
	got := int64(r.word(at + stackGot))
	for i := range int(min(max(got, 0)/addressSize, StackDepth)) {
		calls = append(calls, r.word(at+stackCalls+addressSize*i))
	}
	return calls, r.word(at + stackCaller)
}

// WriteStack is where the stack begins in the record of a write.
const WriteStack = HeadSize + watchSlots*SlotSize
