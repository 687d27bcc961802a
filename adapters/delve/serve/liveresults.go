//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/go-delve/delve/pkg/dwarf/godwarf"
	"github.com/go-delve/delve/pkg/dwarf/regnum"
	"github.com/go-delve/delve/pkg/proc"
)

// Optimized code says of no result where it lies when the function returns: that is by the
// compiler's own convention (ABIInternal), as far as it uses registers.

// resultWords are the registers that hold results, in this order; the others hold floats.
var resultWords = []uint64{
	regnum.AMD64_Rax, regnum.AMD64_Rbx, regnum.AMD64_Rcx, regnum.AMD64_Rdi, regnum.AMD64_Rsi,
	regnum.AMD64_R8, regnum.AMD64_R9, regnum.AMD64_R10, regnum.AMD64_R11,
}

const resultFloats = 15

var errNoRegisters = errors.New("where it lies when the function returns is not known")

// givenBack is memory with the results of a function beside the program's own.
type givenBack struct {
	proc.MemoryReadWriter
	at   uint64
	data []byte
}

// shelf is an address at which no program has anything.
const shelf = 0xfffe_0000_0000_0000

// ReadMemory reads from the shelf what lies there.
func (m *givenBack) ReadMemory(buf []byte, address uint64) (int, error) {
	if address < m.at {
		return m.MemoryReadWriter.ReadMemory(buf, address)
	}
	if address-m.at+uint64(len(buf)) > uint64(len(m.data)) {
		return 0, errNoRegisters
	}
	return copy(buf, m.data[address-m.at:]), nil
}

// resultTaker gives results their registers one after another, as the compiler does.
type resultTaker struct {
	scope         *proc.EvalScope
	words, floats int
}

// result is one as it is when the function returns.
func (r *resultTaker) result(t *target, v *proc.Variable) (*proc.Variable, error) {
	found, err := r.take(t, v) // those that are behind it need to know, in any case
	if v.Unreadable == nil {
		return v, nil
	}
	return found, err
}

// take reads a result that lies in registers.
func (r *resultTaker) take(t *target, v *proc.Variable) (*proc.Variable, error) {
	if t.BinInfo().Arch.Name != "amd64" || v.DwarfType == nil {
		return nil, errNoRegisters
	}
	before, data := *r, make([]byte, v.DwarfType.Size())
	if !r.fill(v.DwarfType, data) {
		*r = before // all of it lies on the stack
		return nil, errNoRegisters
	}
	scope := *r.scope
	scope.Mem = &givenBack{r.scope.Mem, shelf, data}
	return scope.EvalExpression(fmt.Sprintf("*(*%q)(%#x)", v.TypeString(), uint64(shelf)), overview)
}

// fill puts what the next registers hold where it belongs; false: there are not enough.
func (r *resultTaker) fill(of godwarf.Type, data []byte) bool {
	switch x := godwarf.ResolveTypedef(of).(type) {
	case *godwarf.FloatType:
		return r.float(data)
	case *godwarf.ComplexType:
		half := len(data) / 2
		return r.float(data[:half]) && r.float(data[half:])
	case *godwarf.ArrayType:
		return x.Count == 0 || x.Count == 1 && r.fill(x.Type, data)
	case *godwarf.StructType:
		return r.fields(x.Field, data)
	case *godwarf.StringType:
		return r.fields(x.Field, data)
	case *godwarf.SliceType:
		return r.fields(x.Field, data)
	case *godwarf.InterfaceType:
		if inner, is := godwarf.ResolveTypedef(x.Type).(*godwarf.StructType); is {
			return r.fields(inner.Field, data)
		}
		return false
	}
	return r.word(data)
}

func (r *resultTaker) fields(list []*godwarf.StructField, data []byte) bool {
	for _, f := range list {
		end := f.ByteOffset + f.Type.Size()
		if end > int64(len(data)) || !r.fill(f.Type, data[f.ByteOffset:end]) {
			return false
		}
	}
	return true
}

func (r *resultTaker) word(data []byte) bool {
	if r.words == len(resultWords) || len(data) > wordSize {
		return false
	}
	var word [wordSize]byte
	binary.LittleEndian.PutUint64(word[:], r.scope.Regs.Uint64Val(resultWords[r.words]))
	r.words++
	copy(data, word[:])
	return true
}

func (r *resultTaker) float(data []byte) bool {
	if r.floats == resultFloats {
		return false
	}
	held := r.scope.Regs.Bytes(regnum.AMD64_XMM0 + uint64(r.floats))
	r.floats++
	return len(held) >= len(data) && copy(data, held) == len(data)
}
