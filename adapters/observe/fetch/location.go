package fetch

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/cilium/ebpf/asm"
	"github.com/go-delve/delve/pkg/dwarf/leb128"
	"github.com/go-delve/delve/pkg/dwarf/op"
)

// piece is a part of a value: its word is on the stack, and is the part itself, or where in
// memory that lies.
type piece struct {
	from     int64 // in the value
	size     int64 // 0: to its end
	inMemory bool
	word     int16
	missing  bool // it is in no register that can be read
}

// pieceWord is the word of the stack that holds a piece.
func pieceWord(n int) int16 { return int16(-8 * (stackTop + n + 1)) }

// mostPieces is how many parts a value may lie in.
const mostPieces = 8

// expression emits what computes a DWARF expression, and says where the value's pieces are.
type expression struct {
	*compiler
	frame  []byte // of the function
	fail   string
	text   *bytes.Buffer
	depth  int
	pieces []piece
	at     int64 // where the next piece begins

	inRegister, isValue bool
}

// locate computes where a value lies, by the DWARF expression of that.
func (c *compiler) locate(where, frame []byte, fail string) ([]piece, error) {
	x := &expression{compiler: c, frame: frame, fail: fail, text: bytes.NewBuffer(where)}
	for x.text.Len() > 0 {
		code, err := x.text.ReadByte()
		if err != nil {
			return nil, err
		}
		if err := x.step(op.Opcode(code)); err != nil {
			return nil, err
		}
	}
	if x.depth > 0 {
		if err := x.endPiece(0); err != nil {
			return nil, err
		}
	}
	if len(x.pieces) == 0 {
		return nil, fmt.Errorf("%w: it was optimized away", ErrUnreadable)
	}
	return x.pieces, nil
}

func (x *expression) word(n int) int16 { return int16(-8 * (n + 1)) }

// push puts what R8 holds on the stack.
func (x *expression) push() error {
	if x.depth == stackTop {
		return errors.New("where it lies takes too long to compute")
	}
	x.emit(asm.StoreMem(asm.RFP, x.word(x.depth), asm.R8, asm.DWord))
	x.depth++
	return nil
}

func (x *expression) pop(r asm.Register) error {
	if x.depth == 0 {
		return errors.New("the debug information is wrong: an empty stack")
	}
	x.depth--
	x.emit(asm.LoadMem(r, asm.RFP, x.word(x.depth), asm.DWord))
	return nil
}

func (x *expression) constant(value uint64) error {
	x.emit(asm.LoadImm(asm.R8, int64(value), asm.DWord))
	return x.push()
}

// relative pushes a register and a distance from it.
func (x *expression) relative(register uint64, distance int64) error {
	if err := x.loadRegister(asm.R8, register); err != nil {
		return err
	}
	x.emit(asm.LoadImm(asm.R1, distance, asm.DWord), asm.Add.Reg(asm.R8, asm.R1))
	return x.push()
}

func (x *expression) binary(alu asm.ALUOp) error {
	if err := x.pop(asm.R2); err != nil {
		return err
	}
	if err := x.pop(asm.R8); err != nil {
		return err
	}
	x.emit(alu.Reg(asm.R8, asm.R2))
	return x.push()
}

func (x *expression) endPiece(size int64) error {
	if len(x.pieces) == mostPieces {
		return errors.New("it lies in too many parts")
	}
	p := piece{from: x.at, size: size, word: pieceWord(len(x.pieces))}
	x.at += size
	if x.depth == 0 {
		p.missing = true // this part was optimized away
	} else {
		if err := x.pop(asm.R8); err != nil {
			return err
		}
		x.emit(asm.StoreMem(asm.RFP, p.word, asm.R8, asm.DWord))
		p.inMemory = !x.inRegister && !x.isValue
	}
	x.pieces = append(x.pieces, p)
	x.inRegister, x.isValue, x.depth = false, false, 0
	return nil
}

// operators are those that take two values.
var operators = map[op.Opcode]asm.ALUOp{
	op.DW_OP_plus: asm.Add, op.DW_OP_minus: asm.Sub, op.DW_OP_mul: asm.Mul, op.DW_OP_and: asm.And,
	op.DW_OP_or: asm.Or, op.DW_OP_xor: asm.Xor, op.DW_OP_shl: asm.LSh, op.DW_OP_shr: asm.RSh, op.DW_OP_shra: asm.ArSh,
}

// sizes are those of the operations that push a constant.
var sizes = map[op.Opcode]struct {
	bytes  int
	signed bool
}{
	op.DW_OP_const1u: {1, false}, op.DW_OP_const1s: {1, true}, op.DW_OP_const2u: {2, false}, op.DW_OP_const2s: {2, true},
	op.DW_OP_const4u: {4, false}, op.DW_OP_const4s: {4, true}, op.DW_OP_const8u: {8, false}, op.DW_OP_const8s: {8, true},
}

func (x *expression) step(code op.Opcode) error {
	if alu, is := operators[code]; is {
		return x.binary(alu)
	}
	if constant, is := sizes[code]; is {
		return x.constant(x.fixed(constant.bytes, constant.signed))
	}
	switch {
	case code >= op.DW_OP_lit0 && code <= op.DW_OP_lit31:
		return x.constant(uint64(code - op.DW_OP_lit0))
	case code >= op.DW_OP_reg0 && code <= op.DW_OP_reg31:
		return x.register(uint64(code - op.DW_OP_reg0))
	case code >= op.DW_OP_breg0 && code <= op.DW_OP_breg31:
		return x.relative(uint64(code-op.DW_OP_breg0), x.signed())
	}
	switch code {
	case op.DW_OP_addr:
		return x.constant(x.fixed(8, false) + x.Bias)
	case op.DW_OP_regx:
		return x.register(x.unsigned())
	case op.DW_OP_fbreg:
		return x.inFrame(x.signed())
	case op.DW_OP_call_frame_cfa:
		register, distance, err := x.Image.CFA(x.Place.PC)
		if err != nil {
			return err
		}
		return x.relative(register, distance)
	case op.DW_OP_constu:
		return x.constant(x.unsigned())
	case op.DW_OP_consts:
		return x.constant(uint64(x.signed()))
	case op.DW_OP_stack_value:
		x.isValue = true
	case op.DW_OP_piece:
		return x.endPiece(int64(x.unsigned()))
	case op.DW_OP_nop:
	default:
		return x.arrange(code)
	}
	return nil
}

// arrange does what changes the top of the stack.
func (x *expression) arrange(code op.Opcode) error {
	switch code {
	case op.DW_OP_drop:
		return x.pop(asm.R8)
	case op.DW_OP_plus_uconst, op.DW_OP_neg, op.DW_OP_dup, op.DW_OP_deref, op.DW_OP_deref_size:
	default:
		return fmt.Errorf("%w: it is known only to who has called (DWARF operation %#x)", ErrUnreadable, byte(code))
	}
	if err := x.pop(asm.R8); err != nil {
		return err
	}
	switch code {
	case op.DW_OP_plus_uconst:
		x.emit(asm.LoadImm(asm.R1, int64(x.unsigned()), asm.DWord), asm.Add.Reg(asm.R8, asm.R1))
	case op.DW_OP_neg:
		x.emit(asm.Neg.Imm(asm.R8, 0))
	case op.DW_OP_dup:
		if err := x.push(); err != nil {
			return err
		}
	case op.DW_OP_deref:
		x.read(8, false, x.fail)
	case op.DW_OP_deref_size:
		x.read(int64(x.fixed(1, false)), false, x.fail)
	}
	return x.push()
}

func (x *expression) register(number uint64) error {
	x.inRegister = true
	if err := x.loadRegister(asm.R8, number); err != nil {
		return err
	}
	return x.push()
}

// inFrame pushes what lies at a distance from the function's frame.
func (x *expression) inFrame(distance int64) error {
	if len(x.frame) == 0 {
		return errors.New("its function has no frame")
	}
	switch base := op.Opcode(x.frame[0]); {
	case base == op.DW_OP_call_frame_cfa:
		register, from, err := x.Image.CFA(x.Place.PC)
		if err != nil {
			return err
		}
		return x.relative(register, from+distance)
	case base >= op.DW_OP_reg0 && base <= op.DW_OP_reg31:
		return x.relative(uint64(base-op.DW_OP_reg0), distance)
	case base >= op.DW_OP_breg0 && base <= op.DW_OP_breg31:
		from, _ := leb128.DecodeSigned(bytes.NewBuffer(x.frame[1:]))
		return x.relative(uint64(base-op.DW_OP_breg0), from+distance)
	}
	return fmt.Errorf("%w: the frame of its function is found by an expression", ErrUnreadable)
}

func (x *expression) unsigned() uint64 {
	n, _ := leb128.DecodeUnsigned(x.text)
	return n
}

func (x *expression) signed() int64 {
	n, _ := leb128.DecodeSigned(x.text)
	return n
}

// fixed reads a number of that many bytes.
func (x *expression) fixed(size int, signed bool) uint64 {
	var word [8]byte
	copy(word[:], x.text.Next(size))
	n := binary.LittleEndian.Uint64(word[:])
	if shift := 64 - 8*size; signed {
		return uint64(int64(n<<shift) >> shift)
	}
	return n
}
