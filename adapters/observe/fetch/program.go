package fetch

import (
	"debug/dwarf"
	"errors"
	"fmt"

	"github.com/cilium/ebpf/asm"

	"aidb-mcp/adapters/observe/image"
)

// Maps are the kernel's maps that a program writes to, by their descriptors.
type Maps struct {
	Counts int // an array with one element of Counts words, see the Count constants
	Ring   int // a ring buffer, of records
}

// The words of the counts.
const (
	CountHits    = iota // of the place
	CountDropped        // for which the ring had no room
	CountUnread         // at which the condition could not be read
	CountMatched        // at which the condition held
	CountRan            // how often a watch's programs have run
	Counts
)

// Program is what reads values at one place.
type Program struct {
	Code   asm.Instructions
	Shapes []Shape // in the order of the records' values
	Stack  int     // where the stack begins in a record; 0: it is not noted
}

// Want is what is to be read at a place.
type Want struct {
	Probe       uint32
	Expressions []string
	Condition   string
	Arguments   bool  // those of the function
	Stack       bool  // the callers
	GoidOffset  int64 // of a goroutine's id in runtime.g; negative for other languages
}

// Compile makes the program for a place. What an expression names and the place does not
// have is an error.
func Compile(s Source, w Want, m Maps) (Program, error) {
	c := &compiler{Source: s}
	c.emit(asm.Mov.Reg(asm.R6, asm.R1))
	c.count(m, CountHits)
	if w.Condition != "" {
		if err := c.condition(w.Condition, m); err != nil {
			return Program{}, err
		}
		c.count(m, CountMatched)
	}
	reserve := len(c.code)
	shapes, err := c.shapes(w)
	if err != nil {
		return Program{}, err
	}
	values := c.code[reserve:]
	c.code = append(asm.Instructions{}, c.code[:reserve]...)
	c.reserve(m, w)
	if err := c.head(w); err != nil {
		return Program{}, err
	}
	c.emit(values...)
	made := Program{Shapes: shapes}
	if w.Stack {
		made.Stack = HeadSize + c.leaves*SlotSize
		if err := c.stack(int32(made.Stack)); err != nil {
			return Program{}, err
		}
	}
	const noWakeup = 1 // the reader looks by itself: to wake it costs as much as all the rest
	c.emit(asm.Mov.Reg(asm.R1, asm.R7), asm.Mov.Imm(asm.R2, noWakeup), asm.FnRingbufSubmit.Call())
	c.emit(asm.Mov.Imm(asm.R0, 0).WithSymbol("end"), asm.Return())
	made.Code = c.code
	return made, nil
}

// count adds one to a count.
func (c *compiler) count(m Maps, which int) {
	c.emit(asm.LoadMapValue(asm.R1, m.Counts, uint32(8*which)), asm.Mov.Imm(asm.R2, 1), asm.StoreXAdd(asm.R1, asm.R2, asm.DWord))
}

// reserve takes room for a record: R7 is where it is.
func (c *compiler) reserve(m Maps, w Want) {
	size := int32(HeadSize + c.leaves*SlotSize)
	if w.Stack {
		size += StackSize
	}
	c.emit(asm.LoadMapPtr(asm.R1, m.Ring), asm.Mov.Imm(asm.R2, size), asm.Mov.Imm(asm.R3, 0), asm.FnRingbufReserve.Call(),
		asm.Mov.Reg(asm.R7, asm.R0), asm.JNE.Imm(asm.R7, 0, "room"))
	c.count(m, CountDropped)
	c.emit(asm.Ja.Label("end"))
	c.emit(asm.LoadImm(asm.R1, int64(w.Probe), asm.DWord).WithSymbol("room"), asm.StoreMem(asm.R7, headProbe, asm.R1, asm.DWord))
}

// head fills the head of a record.
func (c *compiler) head(w Want) error {
	c.emit(asm.FnKtimeGetNs.Call(), asm.StoreMem(asm.R7, headTime, asm.R0, asm.DWord),
		asm.FnGetCurrentPidTgid.Call(), asm.StoreMem(asm.R7, headThread, asm.R0, asm.DWord),
		asm.Mov.Imm(asm.R1, 0), asm.StoreMem(asm.R7, headTask, asm.R1, asm.DWord))
	if w.GoidOffset >= 0 {
		if err := c.loadRegister(asm.R3, r14); err != nil {
			return err
		}
		c.emit(asm.Add.Imm(asm.R3, int32(w.GoidOffset)), asm.Mov.Reg(asm.R1, asm.R7), asm.Add.Imm(asm.R1, headTask), asm.Mov.Imm(asm.R2, 8), asm.FnProbeReadUser.Call())
	}
	if err := c.frameAddress(); err != nil {
		return err
	}
	c.emit(asm.StoreMem(asm.R7, headFrame, asm.R8, asm.DWord))
	return nil
}

// frameAddress leaves in R8 the address of the frame, the same from a function's beginning to
// its return.
func (c *compiler) frameAddress() error {
	register, distance := uint64(rsp), int64(8)
	if !c.Results {
		var err error
		if register, distance, err = c.Image.CFA(c.Place.PC); err != nil {
			register, distance = rsp, 0 // it then tells no return apart
		}
	}
	if err := c.loadRegister(asm.R8, register); err != nil {
		return err
	}
	c.emit(asm.Add.Imm(asm.R8, int32(distance)))
	return nil
}

// shapes compiles all values.
func (c *compiler) shapes(w Want) ([]Shape, error) {
	var list []Shape
	add := func(name string, s Shape, r root) error {
		s.Name = name
		if err := c.value(r, &s); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		list = append(list, s)
		return nil
	}
	if c.Results {
		return c.results(add, &list)
	}
	names := w.Expressions
	if w.Arguments {
		in, _, err := c.Image.Arguments(c.Place.Function)
		if err != nil {
			return nil, err
		}
		names = nil
		for _, p := range in {
			if p.Name != "" {
				names = append(names, p.Name)
			}
		}
	}
	for _, text := range names {
		p, err := parsePath(text)
		if err != nil {
			return nil, err
		}
		t, err := c.find(p)
		if err != nil {
			if errors.Is(err, image.ErrNotYet) {
				list = append(list, Shape{Name: text, missing: image.ErrNotYet.Error()})
				continue
			}
			if errors.Is(err, image.ErrNotThere) || w.Arguments {
				list = append(list, Shape{Name: text, missing: image.ErrNotThere.Error()})
				continue
			}
			return nil, err
		}
		if err := add(text, shapeOf(t.typ, t.moves, 0), c.rootOf(t)); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (c *compiler) rootOf(t target) root {
	return func(fail string) ([]piece, error) { return c.locate(t.variable.Where, t.variable.Frame, fail) }
}

// results compiles what the function gives back.
func (c *compiler) results(add func(string, Shape, root) error, list *[]Shape) ([]Shape, error) {
	if c.Image.IsGo {
		_, out, err := c.Image.Arguments(c.Place.Function)
		if err != nil {
			return nil, err
		}
		for i, parts := range goResults(out) {
			if err := add(resultName(out[i].Name), shapeOf(out[i].Type, nil, 0), c.inRegisters(parts)); err != nil {
				return nil, err
			}
		}
		return *list, nil
	}
	t := c.Image.Result(c.Place.Function)
	if t == nil || isVoid(t) {
		return nil, nil
	}
	if c.Image.IsOptimized(c.Place.Function) {
		*list = append(*list, Shape{Name: resultWord, typ: typeName(t), missing: "optimized code need not give back what nobody uses"})
		return *list, nil
	}
	parts, err := systemResult(t)
	if err != nil {
		*list = append(*list, Shape{Name: resultWord, typ: typeName(t), missing: "how a " + typeName(t) + " is given back is not known"})
		return *list, nil
	}
	return *list, errors.Join(add(resultWord, shapeOf(t, nil, 0), c.inRegisters(parts)))
}

// resultWord is what a result without a name is called.
const resultWord = "result"

// resultName is the name of a result of Go: the compiler gives those without one such as ~r0.
func resultName(name string) string {
	if name == "" || name[0] == '~' {
		return resultWord
	}
	return name
}

func isVoid(t dwarf.Type) bool {
	switch x := strip(t).(type) {
	case *dwarf.VoidType:
		return true
	case *dwarf.StructType:
		return x.StructName == "()" // Rust's
	}
	return typeName(t) == "()"
}
