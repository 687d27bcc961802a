package fetch

import (
	"errors"
	"fmt"
	"slices"

	"github.com/cilium/ebpf/asm"
)

// root emits where a value begins: its pieces.
type root func(fail string) ([]piece, error)

// value compiles what is read of a value into the record.
func (c *compiler) value(r root, s *Shape) error {
	next, err := s.place(c.leaves)
	if err != nil {
		return err
	}
	c.leaves = next
	for _, l := range s.leavesOf() {
		if err := c.leaf(r, l); err != nil {
			return err
		}
	}
	return nil
}

// The status of a leaf that could not be read, and of a text that is a nil pointer.
const (
	unread  = -1
	nothing = -2
)

// leaf compiles one leaf: its status and its word or text stand in its slot afterwards.
func (c *compiler) leaf(r root, l *leaf) error {
	slot := int16(HeadSize + l.slot*SlotSize)
	fail, done := c.label("unread"), c.label("read")
	begun := len(c.code)
	err := c.load(r, l, slot, fail)
	if errors.Is(err, ErrUnreadable) {
		c.code = c.code[:begun] // never read here: the slot says so
		c.emit(asm.LoadImm(asm.R1, unread, asm.DWord), asm.StoreMem(asm.R7, slot, asm.R1, asm.DWord))
		return nil
	}
	if err != nil {
		return err
	}
	if !c.jumpsTo(fail, begun) { // the kernel refuses code that nothing comes to
		return nil
	}
	c.emit(asm.Ja.Label(done))
	c.emit(asm.LoadImm(asm.R1, unread, asm.DWord).WithSymbol(fail), asm.StoreMem(asm.R7, slot, asm.R1, asm.DWord))
	c.emit(asm.Mov.Reg(asm.R7, asm.R7).WithSymbol(done))
	return nil
}

// jumpsTo says that the code from there on jumps to a label.
func (c *compiler) jumpsTo(label string, from int) bool {
	return slices.ContainsFunc(c.code[from:], func(i asm.Instruction) bool { return i.Reference() == label })
}

// load reads a leaf and stores it.
func (c *compiler) load(r root, l *leaf, slot int16, fail string) error {
	switch l.kind {
	case cText, cBytes:
		if err := c.address(r, l, fail); err != nil {
			return err
		}
		text, after := c.label("text"), c.label("after")
		c.emit(asm.JNE.Imm(asm.R8, 0, text), asm.LoadImm(asm.R1, nothing, asm.DWord), asm.StoreMem(asm.R7, slot, asm.R1, asm.DWord), asm.Ja.Label(after))
		size := int32(TextMax)
		if l.kind == cBytes && l.size < TextMax {
			size = int32(l.size)
		}
		c.emit(asm.Mov.Reg(asm.R1, asm.R7).WithSymbol(text), asm.Add.Imm(asm.R1, int32(slot)+8), asm.Mov.Imm(asm.R2, size), asm.Mov.Reg(asm.R3, asm.R8),
			asm.FnProbeReadUserStr.Call(),
			asm.JSLT.Imm(asm.R0, 0, fail),
			asm.StoreMem(asm.R7, slot, asm.R0, asm.DWord),
			asm.Mov.Reg(asm.R7, asm.R7).WithSymbol(after))
		return nil
	case sizedText:
		return c.sizedText(r, l, slot, fail)
	}
	if err := c.word(r, l.moves, l.size, l.kind == integer || l.kind == character, fail); err != nil {
		return err
	}
	c.emit(asm.Mov.Imm(asm.R1, 0), asm.StoreMem(asm.R7, slot, asm.R1, asm.DWord), asm.StoreMem(asm.R7, slot+8, asm.R8, asm.DWord))
	return nil
}

// address leaves in R8 where the bytes of a text are.
func (c *compiler) address(r root, l *leaf, fail string) error {
	if l.kind == cText {
		return c.word(r, l.moves, 8, false, fail)
	}
	inMemory, _, err := c.walk(r, l.moves, fail)
	if err == nil && !inMemory {
		err = fmt.Errorf("%w: it lies in a register", ErrUnreadable)
	}
	return err
}

// sizedText stores a text whose length is known: the length, and its first bytes.
func (c *compiler) sizedText(r root, l *leaf, slot int16, fail string) error {
	if err := c.word(r, l.of, 8, false, fail); err != nil {
		return err
	}
	c.emit(asm.StoreMem(asm.RFP, length, asm.R8, asm.DWord))
	if err := c.word(r, l.moves, 8, false, fail); err != nil {
		return err
	}
	short, empty := c.label("short"), c.label("empty")
	c.emit(
		asm.LoadMem(asm.R2, asm.RFP, length, asm.DWord),
		asm.JEq.Imm(asm.R2, 0, empty),
		asm.JLE.Imm(asm.R2, TextMax, short),
		asm.Mov.Imm(asm.R2, TextMax),
		asm.Mov.Reg(asm.R1, asm.R7).WithSymbol(short), asm.Add.Imm(asm.R1, int32(slot)+8), asm.Mov.Reg(asm.R3, asm.R8),
		asm.FnProbeReadUser.Call(),
		asm.JNE.Imm(asm.R0, 0, fail),
		asm.LoadMem(asm.R8, asm.RFP, length, asm.DWord).WithSymbol(empty),
		asm.LSh.Imm(asm.R8, 1), asm.RSh.Imm(asm.R8, 1), // no length is negative, and a status may be
		asm.StoreMem(asm.R7, slot, asm.R8, asm.DWord),
	)
	return nil
}

// word leaves in R8 the word at the end of a way.
func (c *compiler) word(r root, moves []move, size int64, signed bool, fail string) error {
	inMemory, part, err := c.walk(r, moves, fail)
	if err != nil {
		return err
	}
	if inMemory {
		c.read(size, signed, fail)
		return nil
	}
	if part > 0 {
		c.emit(asm.RSh.Imm(asm.R8, int32(8*part)))
	}
	c.extend(size, signed)
	return nil
}

// walk goes a way. R8 is then an address, or the register in which the value lies from that
// byte on.
func (c *compiler) walk(r root, moves []move, fail string) (inMemory bool, part int64, err error) {
	pieces, err := r(fail)
	if err != nil {
		return false, 0, err
	}
	var distance int64
	for len(moves) > 0 && !moves[0].through {
		distance += moves[0].add
		moves = moves[1:]
	}
	inMemory, part, err = c.begin(pieces, distance)
	if err != nil {
		return false, 0, err
	}
	for _, m := range moves {
		switch {
		case !m.through:
			c.emit(asm.LoadImm(asm.R1, m.add, asm.DWord), asm.Add.Reg(asm.R8, asm.R1))
			continue
		case inMemory:
			c.read(8, false, fail)
		case part > 0:
			return false, 0, fmt.Errorf("%w: its pointer is a part of a register", ErrUnreadable)
		}
		inMemory, part = true, 0
	}
	return inMemory, part, nil
}

// begin leaves in R8 the piece of a value that holds a byte of it, or where that lies.
func (c *compiler) begin(pieces []piece, distance int64) (inMemory bool, part int64, err error) {
	for _, p := range pieces {
		within := distance - p.from
		if within < 0 || p.size > 0 && within >= p.size {
			continue
		}
		if p.missing {
			return false, 0, fmt.Errorf("%w: this part of it was optimized away", ErrUnreadable)
		}
		c.emit(asm.LoadMem(asm.R8, asm.RFP, p.word, asm.DWord))
		if p.inMemory {
			c.emit(asm.LoadImm(asm.R1, within, asm.DWord), asm.Add.Reg(asm.R8, asm.R1))
			return true, 0, nil
		}
		if within >= 8 {
			break
		}
		return false, within, nil
	}
	return false, 0, fmt.Errorf("%w: this part of it lies nowhere", ErrUnreadable)
}
