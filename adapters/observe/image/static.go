package image

import (
	"bytes"
	"debug/dwarf"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-delve/delve/pkg/dwarf/leb128"
	"github.com/go-delve/delve/pkg/dwarf/op"
)

// Static is a variable that stays where it is while the program runs.
type Static struct {
	Name    string // with the namespaces, the package or the function around it
	Type    dwarf.Type
	Address uint64 // as the executable has it, before the system has moved that
}

// Why a variable has no place of its own.
var (
	ErrLocal       = errors.New("it is a local variable, which lies elsewhere at each call, or in a register: trace(arm, values) at the lines behind those that write it records it")
	ErrThreadLocal = errors.New("it lies elsewhere in each thread: trace(arm, values) at the lines behind those that write it records it")
	ErrNoStatic    = errors.New("there is no such variable that stays where it is: a global, or a static one")
)

// Static finds a variable that stays where it is by its name, or by the end of its name: a
// global, or one that a function or class keeps.
func (im *Image) Static(name string) (*Static, error) {
	for _, inFunctions := range []bool{false, true} { // to look through all functions takes longer
		s := &search{image: im, name: name, inFunctions: inFunctions, declared: map[dwarf.Offset]string{}}
		if err := im.walk(s.enter); err != nil {
			return nil, err
		}
		switch {
		case len(s.found) > 0:
			return s.only()
		case s.why != nil:
			return nil, s.why
		}
	}
	return nil, fmt.Errorf("%s: %w", name, ErrNoStatic)
}

// search looks for a variable.
type search struct {
	image       *Image
	name        string
	inFunctions bool

	unit     *dwarf.Entry
	declared map[dwarf.Offset]string // what classes declare
	found    []Static
	best     int   // how well those fit
	why      error // of one that fits and has no place of its own
}

// enter takes an entry, and says whether those below it are wanted too.
func (s *search) enter(e *dwarf.Entry, within []string) (into bool, err error) {
	switch e.Tag {
	case dwarf.TagCompileUnit:
		s.unit = e
	case dwarf.TagVariable, dwarf.TagMember, dwarf.TagFormalParameter:
		name, _ := e.Val(dwarf.AttrName).(string)
		return false, s.variable(e, qualify(within, name))
	case dwarf.TagSubprogram, dwarf.TagLexDwarfBlock, dwarf.TagInlinedSubroutine:
		return s.inFunctions, nil
	case dwarf.TagNamespace, dwarf.TagStructType, dwarf.TagClassType:
	default:
		return false, nil
	}
	return true, nil
}

// variable takes a variable, where it is the one that is looked for.
func (s *search) variable(e *dwarf.Entry, full string) error {
	if of, is := e.Val(dwarf.AttrSpecification).(dwarf.Offset); is {
		full = s.declared[of]
	}
	if isDeclared, _ := e.Val(dwarf.AttrDeclaration).(bool); isDeclared || e.Tag == dwarf.TagMember {
		if isStatic, _ := e.Val(dwarf.AttrExternal).(bool); isStatic || isDeclared {
			s.declared[e.Offset] = full
		}
		return nil
	}
	fit := s.fits(full)
	where := e.Val(dwarf.AttrLocation)
	if fit == 0 || fit < s.best || where == nil && !s.inFunctions {
		return nil
	}
	text, _ := where.([]byte)
	address, err := s.image.fixedAddress(text, s.unit)
	if err != nil {
		s.why = fmt.Errorf("%s: %w", strings.TrimSuffix(full, "::"), err)
		return nil
	}
	t, err := s.image.declaredType(e)
	if err != nil {
		return err
	}
	if fit > s.best {
		s.best, s.found = fit, nil
	}
	isKnown := slices.ContainsFunc(s.found, func(o Static) bool { return o.Address == address })
	if !isKnown {
		s.found = append(s.found, Static{Name: full, Type: t, Address: address})
	}
	return nil
}

// fits says how well a name fits that which is looked for; 0: not.
func (s *search) fits(full string) int {
	isGo := s.image.IsGo
	switch {
	case full == s.name:
		return 3
	case isGo && full == "main."+s.name:
		return 2
	case strings.HasSuffix(full, "::"+s.name), isGo && (strings.HasSuffix(full, "."+s.name) || strings.HasSuffix(full, "/"+s.name)):
		return 1
	}
	return 0
}

// only is the one that was found.
func (s *search) only() (*Static, error) {
	if len(s.found) == 1 {
		return &s.found[0], nil
	}
	var names []string
	for _, f := range s.found {
		names = append(names, f.Name)
	}
	slices.Sort(names)
	return nil, fmt.Errorf("%s: there are several of that name: %s", s.name, strings.Join(slices.Compact(names), ", "))
}

// declaredType is the type of a variable, or of what declares it.
func (im *Image) declaredType(e *dwarf.Entry) (dwarf.Type, error) {
	of, is := e.Val(dwarf.AttrSpecification).(dwarf.Offset)
	if _, hasType := e.Val(dwarf.AttrType).(dwarf.Offset); hasType || !is {
		return im.typeOf(e)
	}
	r := im.data.Reader()
	r.Seek(of)
	declared, err := r.Next()
	if err != nil {
		return nil, err
	}
	return im.typeOf(declared)
}

// The operations with which units say addresses by their number.
const (
	opAddrx        = 0xa1
	opGNUAddrIndex = 0xfb
	opGNUThread    = 0xe0
)

// fixedAddress is the address that a DWARF expression says, where it says one.
func (im *Image) fixedAddress(where []byte, unit *dwarf.Entry) (address uint64, err error) {
	if len(where) == 0 {
		return 0, ErrLocal
	}
	if last := where[len(where)-1]; last == byte(op.DW_OP_form_tls_address) || last == opGNUThread {
		return 0, ErrThreadLocal
	}
	rest := bytes.NewBuffer(where[1:])
	switch {
	case where[0] == byte(op.DW_OP_addr) && rest.Len() >= 8:
		address = binary.LittleEndian.Uint64(rest.Next(8))
	case where[0] == opAddrx || where[0] == opGNUAddrIndex:
		number, _ := leb128.DecodeUnsigned(rest)
		base, is := unit.Val(attrAddrBase).(int64)
		if !is {
			return 0, errors.New("its unit has no addresses")
		}
		if address, err = im.lists.addresses.GetSubsection(uint64(base)).Get(number); err != nil {
			return 0, fmt.Errorf("reading where it lies: %w", err)
		}
	default:
		return 0, ErrLocal
	}
	if code, err := rest.ReadByte(); err == nil {
		if code != byte(op.DW_OP_plus_uconst) {
			return 0, ErrLocal
		}
		distance, _ := leb128.DecodeUnsigned(rest)
		address += distance
	}
	return address, nil
}
