// Package fetch compiles what is to be read of a program, at a place of its code, into a
// program for the kernel (eBPF) that reads it there, and reads the records which that makes.
// It knows where variables lie from package image, and neither attaches nor runs anything.
//
// In what it emits R6 is the context (struct pt_regs), R7 the record and R8 the value or the
// address at hand. The stack holds, from its top, the stack of a DWARF expression (8 words),
// the pieces of a value (8 words) and scratch words.
package fetch

import (
	"debug/dwarf"
	"errors"
	"fmt"

	"github.com/cilium/ebpf/asm"

	"aidb-mcp/adapters/observe/image"
)

// ErrUnreadable: what cannot be read here, whatever the program does.
var ErrUnreadable = errors.New("not readable here")

// The layout of a record: a header, then a slot for each leaf.
const (
	headTime   = 0  // nanoseconds of the monotonic clock
	headThread = 8  // process and thread
	headTask   = 16 // goroutine; 0 for other languages
	headFrame  = 24 // the frame's address
	headProbe  = 32 // which probe it was
	HeadSize   = 40
	SlotSize   = 8 + TextMax // a status, or a text's length, then the value
	TextMax    = 64
	// LeavesMax are the values that a record has room for.
	LeavesMax = 32
)

// Scratch words on the stack, below the expression's and the pieces'.
const (
	scratch  int16 = -136
	held     int16 = -144
	length   int16 = -152
	operand  int16 = -160
	stackTop       = 8 // words of a DWARF expression's stack
)

// Source is the code at one place, and what is known of its image in memory.
type Source struct {
	Image *image.Image
	Place image.Place
	Bias  uint64 // where the image lies
	// Results says that the function returns here: its result is named "result".
	Results bool
}

// compiler emits the instructions of one probe.
type compiler struct {
	Source
	code   asm.Instructions
	labels int
	leaves int
}

func (c *compiler) emit(code ...asm.Instruction) { c.code = append(c.code, code...) }

func (c *compiler) label(of string) string {
	c.labels++
	return fmt.Sprintf("%s_%d", of, c.labels)
}

// registers are the offsets in struct pt_regs of the registers by their numbers in DWARF.
// Those of vectors are not there.
var registers = [...]int16{80, 96, 88, 40, 104, 112, 32, 152, 72, 64, 56, 48, 24, 16, 8, 0, 128}

// The numbers of registers in DWARF.
const (
	rax = 0
	rdx = 1
	rsp = 7
	r14 = 14
	rip = 16
)

func (c *compiler) loadRegister(to asm.Register, number uint64) error {
	if number >= uint64(len(registers)) {
		return fmt.Errorf("%w: it is in a vector register", ErrUnreadable)
	}
	c.emit(asm.LoadMem(to, asm.R6, registers[number], asm.DWord))
	return nil
}

// read takes the address in R8 and loads what lies there; where that is not in memory it goes
// on at fail.
func (c *compiler) read(size int64, signed bool, fail string) {
	c.emit(
		asm.Mov.Imm(asm.R1, 0), asm.StoreMem(asm.RFP, scratch, asm.R1, asm.DWord),
		asm.Mov.Reg(asm.R1, asm.RFP), asm.Add.Imm(asm.R1, int32(scratch)),
		asm.Mov.Imm(asm.R2, int32(size)), asm.Mov.Reg(asm.R3, asm.R8),
		asm.FnProbeReadUser.Call(),
		asm.JNE.Imm(asm.R0, 0, fail),
		asm.LoadMem(asm.R8, asm.RFP, scratch, asm.DWord),
	)
	c.extend(size, signed)
}

// extend makes a whole word of the value in R8.
func (c *compiler) extend(size int64, signed bool) {
	if size >= 8 {
		return
	}
	bits := int32(64 - 8*size)
	c.emit(asm.LSh.Imm(asm.R8, bits))
	if signed {
		c.emit(asm.ArSh.Imm(asm.R8, bits))
		return
	}
	c.emit(asm.RSh.Imm(asm.R8, bits))
}

// strip is a type without the names and qualifiers that stand for it.
func strip(t dwarf.Type) dwarf.Type {
	for {
		switch x := t.(type) {
		case *dwarf.TypedefType:
			t = x.Type
		case *dwarf.QualType:
			t = x.Type
		default:
			return t
		}
	}
}
