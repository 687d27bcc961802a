package fetch

import (
	"debug/dwarf"
	"fmt"

	"github.com/cilium/ebpf/asm"

	"aidb-mcp/adapters/observe/image"
)

// goRegisters hold results of Go's functions, in this order (ABIInternal), by their numbers
// in DWARF.
var goRegisters = []uint64{rax, 3, 2, 5, 4, 8, 9, 10, 11}

// goFloats is how many results may be in vector registers, which cannot be read.
const goFloats = 15

// part is a word of a result: the register that holds it.
type part struct {
	from, size int64
	register   uint64
	isVector   bool
}

// inRegisters emits the pieces of a result.
func (c *compiler) inRegisters(parts []part) root {
	return func(string) ([]piece, error) {
		var pieces []piece
		for i, p := range parts {
			if i == mostPieces {
				return nil, fmt.Errorf("%w: it lies in too many registers", ErrUnreadable)
			}
			of := piece{from: p.from, size: p.size, word: pieceWord(i), missing: p.isVector}
			if !p.isVector {
				if err := c.loadRegister(asm.R8, p.register); err != nil {
					return nil, err
				}
				c.emit(asm.StoreMem(asm.RFP, of.word, asm.R8, asm.DWord))
			}
			pieces = append(pieces, of)
		}
		if len(pieces) == 0 {
			return nil, fmt.Errorf("%w: it lies on the stack of the caller", ErrUnreadable)
		}
		return pieces, nil
	}
}

// goResults gives the results of a function of Go their registers, as the compiler does.
func goResults(results []*image.Parameter) [][]part {
	a := &assigner{}
	var list [][]part
	for _, r := range results {
		before := *a
		var parts []part
		if !a.assign(r.Type, 0, &parts) {
			*a, parts = before, nil // all of it lies on the stack
		}
		list = append(list, parts)
	}
	return list
}

// assigner counts the registers that are taken.
type assigner struct{ words, floats int }

func (a *assigner) assign(t dwarf.Type, from int64, to *[]part) bool {
	switch x := strip(t).(type) {
	case *dwarf.StructType:
		for _, f := range x.Field {
			if !a.assign(f.Type, from+f.ByteOffset, to) {
				return false
			}
		}
		return true
	case *dwarf.ArrayType:
		return x.Count == 0 || x.Count == 1 && a.assign(x.Type, from, to)
	case *dwarf.FloatType:
		a.floats++
		*to = append(*to, part{from: from, size: x.ByteSize, isVector: true})
		return a.floats <= goFloats
	case *dwarf.ComplexType:
		a.floats += 2
		*to = append(*to, part{from: from, size: x.ByteSize, isVector: true})
		return a.floats <= goFloats
	}
	if a.words == len(goRegisters) {
		return false
	}
	*to = append(*to, part{from: from, size: t.Size(), register: goRegisters[a.words]})
	a.words++
	return true
}

// systemResult is where C, C++ and Rust give back a value of a type: in one register, or two
// where a text has a pointer and a length. Others depend on more than the type says.
func systemResult(t dwarf.Type) ([]part, error) {
	switch x := strip(t).(type) {
	case *dwarf.FloatType, *dwarf.ComplexType:
		return []part{{size: t.Size(), isVector: true}}, nil
	case *dwarf.StructType:
		if x.StructName == "&str" {
			return []part{{size: 8, register: rax}, {from: 8, size: 8, register: rdx}}, nil
		}
		return nil, fmt.Errorf("%w: how a %s is given back is not known", ErrUnreadable, typeName(t))
	case *dwarf.ArrayType, *dwarf.UnspecifiedType, *dwarf.UnsupportedType:
		return nil, fmt.Errorf("%w: how a %s is given back is not known", ErrUnreadable, typeName(t))
	}
	if t.Size() > 8 {
		return nil, fmt.Errorf("%w: how a %s is given back is not known", ErrUnreadable, typeName(t))
	}
	return []part{{size: 8, register: rax}}, nil
}
