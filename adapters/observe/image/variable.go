package image

import (
	"debug/dwarf"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-delve/delve/pkg/dwarf/frame"
	"github.com/go-delve/delve/pkg/dwarf/godwarf"
	"github.com/go-delve/delve/pkg/dwarf/loclist"
	"github.com/go-delve/delve/pkg/dwarf/op"
	"github.com/go-delve/delve/pkg/dwarf/reader"
)

// Variable is a variable that is in reach at a place.
type Variable struct {
	Name  string
	Type  dwarf.Type
	Where []byte // the DWARF expression of where it lies
	Frame []byte // that of its function's frame
}

// ErrNotThere: the variable has no place in memory or in a register there.
var ErrNotThere = errors.New("it was optimized away there")

// ErrNotYet: the function has not put it where the debug information says that it lies.
var ErrNotYet = errors.New("the function has not stored it yet")

// DW_AT_addr_base and DW_AT_loclists_base.
const (
	attrAddrBase     dwarf.Attr = 0x73
	attrLoclistsBase dwarf.Attr = 0x8c
)

// Find is a variable by its name: the innermost that is in reach at a place, else a global.
func (im *Image) Find(name string, at Place) (*Variable, error) {
	if at.Function != nil {
		tree, err := im.tree(at.Function)
		if err != nil {
			return nil, err
		}
		all := reader.Variables(tree, at.PC, at.Line, reader.VariablesOnlyVisible)
		slices.SortStableFunc(all, func(a, b reader.Variable) int { return b.Depth - a.Depth })
		for _, v := range all {
			if n, _ := v.Val(dwarf.AttrName).(string); n == name {
				return im.variable(v.Entry, tree, at.PC)
			}
		}
	}
	return im.global(name, at.PC)
}

// Arguments are the parameters of a function, in their order, and its results where the
// language names them (Go).
func (im *Image) Arguments(f *Function) (in, out []*Parameter, err error) {
	tree, err := im.tree(f)
	if err != nil {
		return nil, nil, err
	}
	for _, child := range tree.Children {
		if child.Tag != dwarf.TagFormalParameter {
			continue
		}
		p := &Parameter{}
		p.Name, _ = child.Val(dwarf.AttrName).(string)
		if p.Type, err = im.typeOf(child.Entry); err != nil {
			return nil, nil, err
		}
		if isResult, _ := child.Val(dwarf.AttrVarParam).(bool); isResult {
			out = append(out, p)
			continue
		}
		in = append(in, p)
	}
	return in, out, nil
}

// IsOptimized says that the compiler has optimized a function: a variable of it, else of the
// unit that it is in, does not lie in one place all the while.
func (im *Image) IsOptimized(f *Function) bool {
	if is, isKnown := im.optimized(f); isKnown {
		return is
	}
	unit := im.unitOf(f.Low)
	for i := range im.functions {
		if other := &im.functions[i]; unit != nil && im.unitOf(other.Low) == unit {
			if is, isKnown := im.optimized(other); isKnown {
				return is
			}
		}
	}
	return true // nothing shows that it is not
}

// optimized says what the variables of a function show.
func (im *Image) optimized(f *Function) (is, isKnown bool) {
	tree, err := im.tree(f)
	if err != nil {
		return false, false
	}
	for _, v := range reader.Variables(tree, 0, 0, reader.VariablesNoDeclLineCheck) {
		if v.Tag != dwarf.TagFormalParameter && v.Tag != dwarf.TagVariable || v.Val(dwarf.AttrConstValue) != nil {
			continue
		}
		if _, isPlace := v.Val(dwarf.AttrLocation).([]byte); !isPlace {
			return true, true
		}
		isKnown = true
	}
	return false, isKnown
}

// Parameter is what a function is given, or gives back.
type Parameter struct {
	Name string
	Type dwarf.Type
}

// Result is the type of what a function gives back, where it has one that is not named; nil
// where it gives nothing.
func (im *Image) Result(f *Function) dwarf.Type {
	tree, err := im.tree(f)
	if err != nil {
		return nil
	}
	t, err := im.typeOf(tree.Entry)
	if err != nil {
		return nil
	}
	return t
}

func (im *Image) typeOf(e godwarf.Entry) (dwarf.Type, error) {
	offset, is := e.Val(dwarf.AttrType).(dwarf.Offset)
	if !is {
		return nil, errors.New("it has no type")
	}
	t, err := im.data.Type(offset)
	if _, other := t.(*dwarf.UnsupportedType); other {
		return im.reference(offset, t)
	}
	return t, err
}

// reference is a reference of C++ as the pointer that it is; other types stay what they are.
func (im *Image) reference(at dwarf.Offset, t dwarf.Type) (dwarf.Type, error) {
	r := im.data.Reader()
	r.Seek(at)
	e, err := r.Next()
	if err != nil || e == nil || e.Tag != dwarf.TagReferenceType && e.Tag != dwarf.TagRvalueReferenceType {
		return t, err
	}
	to, err := im.typeOf(e)
	if err != nil {
		return nil, err
	}
	return &dwarf.PtrType{CommonType: dwarf.CommonType{ByteSize: 8, Name: typeName(to) + "&"}, Type: to}, nil
}

func typeName(t dwarf.Type) string {
	if s, is := t.(*dwarf.StructType); is {
		return s.StructName
	}
	return t.Common().Name
}

// global finds a variable outside of functions: "pkg.name", "space::name" or its bare name.
func (im *Image) global(name string, pc uint64) (v *Variable, err error) {
	walked := im.walk(func(e *dwarf.Entry, within []string) (into bool, _ error) {
		switch e.Tag {
		case dwarf.TagVariable:
			n, _ := e.Val(dwarf.AttrName).(string)
			isMeant := n == name || qualify(within, n) == name || strings.HasSuffix(n, "."+name) && im.IsGo && im.samePackage(n, pc)
			if n == "" || e.Val(dwarf.AttrLocation) == nil || !isMeant {
				return false, nil
			}
			v, err = im.variable(e, nil, pc)
			return false, errWalked
		case dwarf.TagCompileUnit, dwarf.TagNamespace:
			return true, nil
		}
		return false, nil
	})
	switch {
	case walked != nil:
		return nil, walked
	case v == nil && err == nil:
		return im.declaredGlobal(name)
	}
	return v, err
}

// declaredGlobal finds a global whose name stands at its declaration, as that of a header, and not
// where it lies.
func (im *Image) declaredGlobal(name string) (*Variable, error) {
	s := &search{image: im, name: name, declared: map[dwarf.Offset]string{}}
	if err := im.walk(s.enter); err != nil {
		return nil, err
	}
	if len(s.found) == 0 {
		return nil, fmt.Errorf("no variable %s is in reach there", name)
	}
	found, err := s.only()
	if err != nil {
		return nil, err
	}
	where := binary.LittleEndian.AppendUint64([]byte{byte(op.DW_OP_addr)}, found.Address)
	return &Variable{Name: found.Name, Type: found.Type, Where: where}, nil
}

// samePackage says that a global of Go is of the package of the function there.
func (im *Image) samePackage(global string, pc uint64) bool {
	f := im.FunctionAt(pc)
	at := strings.LastIndexByte(global, '.')
	return f != nil && at > 0 && strings.HasPrefix(f.Name, global[:at+1])
}

// variable is where a variable lies at an address.
func (im *Image) variable(e godwarf.Entry, function *godwarf.Tree, pc uint64) (*Variable, error) {
	t, err := im.typeOf(e)
	if err != nil {
		return nil, err
	}
	v := &Variable{Type: t}
	v.Name, _ = e.Val(dwarf.AttrName).(string)
	if function != nil {
		v.Frame, _ = function.Val(dwarf.AttrFrameBase).([]byte)
	}
	switch where := e.Val(dwarf.AttrLocation).(type) {
	case []byte:
		v.Where = where
		if f := im.FunctionAt(pc); function != nil && f != nil && f.Low == pc {
			err = ErrNotYet // such a place holds from the end of the prologue on
		}
	case int64:
		v.Where, err = im.listed(where, pc)
	case uint64:
		v.Where, err = im.indexed(where, pc)
	default:
		err = ErrNotThere
	}
	return v, err
}

// listed is where a location list says that a variable lies at an address.
func (im *Image) listed(at int64, pc uint64) ([]byte, error) {
	u := im.unitOf(pc)
	if u == nil {
		return nil, ErrNotThere
	}
	var lists loclist.Reader = im.lists.old
	var addresses *godwarf.DebugAddr
	if im.lists.new != nil {
		lists = im.lists.new
		if base, is := u.entry.Val(attrAddrBase).(int64); is {
			addresses = im.lists.addresses.GetSubsection(uint64(base))
		}
	}
	found, err := lists.Find(int(at), 0, u.low, pc, addresses)
	if err != nil {
		return nil, fmt.Errorf("reading where it lies: %w", err)
	}
	if found == nil {
		return nil, ErrNotThere
	}
	return found.Instr, nil
}

// indexed is where the location list with a number of the unit's says that a variable lies
// (DW_FORM_loclistx).
func (im *Image) indexed(number, pc uint64) ([]byte, error) {
	u := im.unitOf(pc)
	if u == nil || im.lists.new == nil {
		return nil, ErrNotThere
	}
	base, is := u.entry.Val(attrLoclistsBase).(int64)
	at := uint64(base) + 4*number
	if !is || at+4 > uint64(len(im.lists.offsets)) {
		return nil, ErrNotThere
	}
	return im.listed(base+int64(binary.LittleEndian.Uint32(im.lists.offsets[at:])), pc)
}

// CFA is how the frame's address is found at an address of the code: a register (by its
// number in DWARF) and a distance.
func (im *Image) CFA(pc uint64) (register uint64, distance int64, err error) {
	entry, err := im.frames.FDEForPC(pc)
	if err != nil {
		return 0, 0, err
	}
	state, err := entry.EstablishFrame(pc)
	if err != nil {
		return 0, 0, err
	}
	if state.CFA.Rule != frame.RuleCFA {
		return 0, 0, errors.New("its frame is found by an expression")
	}
	return state.CFA.Reg, state.CFA.Offset, nil
}

// FieldOffset is where a field lies in a type of the program, as "runtime.g" has its goid.
func (im *Image) FieldOffset(typ, field string) (offset int64, err error) {
	offset = -1
	err = im.walk(func(e *dwarf.Entry, _ []string) (into bool, err error) {
		if name, _ := e.Val(dwarf.AttrName).(string); e.Tag != dwarf.TagStructType || name != typ {
			return e.Tag == dwarf.TagCompileUnit, nil
		}
		t, err := im.data.Type(e.Offset)
		if err != nil {
			return false, err
		}
		of, is := t.(*dwarf.StructType)
		if !is {
			return false, nil
		}
		for _, f := range of.Field {
			if f.Name == field {
				offset = f.ByteOffset
				return false, errWalked
			}
		}
		return false, nil
	})
	if err == nil && offset < 0 {
		err = fmt.Errorf("there is no type %s with %s", typ, field)
	}
	return offset, err
}
