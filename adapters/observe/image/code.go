package image

import (
	"fmt"

	"golang.org/x/arch/x86/x86asm"
)

// jump is a jump of a function to a place that its code says.
type jump struct{ from, to uint64 }

type jumps []jump

// backTo says that a place is reached again within a call: code behind it jumps to it, or in
// front of it. A function of Go jumps to its entry only when its stack has grown, for which
// it looks before its body begins.
func (list jumps) backTo(f *Function, pc uint64, isGo bool) bool {
	for _, j := range list {
		grows := isGo && j.to == f.Low && pc > f.Low
		if j.from >= pc && j.to >= f.Low && j.to <= pc && !grows {
			return true
		}
	}
	return false
}

// Returns are the instructions with which a function returns. Leaves says that it may also
// end in a jump to another function, which then returns in its place.
func (im *Image) Returns(f *Function) (list []uint64, leaves bool, err error) {
	parts := im.Parts(f)
	for _, part := range parts {
		err := im.eachInstruction(part, func(pc uint64, in x86asm.Inst) {
			if in.Op == x86asm.RET {
				list = append(list, pc)
			}
			if in.Op != x86asm.JMP {
				return
			}
			to, isKnown := target(pc, in)
			leaves = leaves || isKnown && !isWithin(parts, to)
		})
		if err != nil {
			return nil, false, err
		}
	}
	return list, leaves, nil
}

func isWithin(parts []*Function, pc uint64) bool {
	for _, p := range parts {
		if pc >= p.Low && pc < p.High {
			return true
		}
	}
	return false
}

// jumps are those of a function whose aims are written in its code.
func (im *Image) jumps(f *Function) (list jumps, err error) {
	for _, part := range im.Parts(f) {
		err = im.eachInstruction(part, func(pc uint64, in x86asm.Inst) {
			if to, isKnown := target(pc, in); isKnown && in.Op != x86asm.CALL {
				list = append(list, jump{pc, to})
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// target is where an instruction jumps to.
func target(pc uint64, in x86asm.Inst) (to uint64, isKnown bool) {
	distance, is := in.Args[0].(x86asm.Rel)
	return pc + uint64(in.Len) + uint64(int64(distance)), is
}

// eachInstruction reads the code of a function.
func (im *Image) eachInstruction(f *Function, do func(pc uint64, in x86asm.Inst)) error {
	code, err := im.Code(f)
	if err != nil {
		return err
	}
	for at := 0; at < len(code); {
		in, err := x86asm.Decode(code[at:], 64)
		if err != nil {
			return fmt.Errorf("the code of %s at %#x cannot be read: %w", f.Name, f.Low+uint64(at), err)
		}
		do(f.Low+uint64(at), in)
		at += in.Len
	}
	return nil
}
