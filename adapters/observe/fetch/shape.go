package fetch

import (
	"debug/dwarf"
	"fmt"
	"slices"
	"strings"
)

// kind is how the word of a leaf is read and shown.
type kind int

const (
	integer kind = iota
	unsigned
	float32bits
	float64bits
	boolean
	character
	pointer
	cText     // a pointer to bytes that end with a 0
	cBytes    // such bytes themselves
	sizedText // a pointer, and a length elsewhere
	count     // the number of elements
	holder    // an interface: nothing, or something
)

// leaf is one word or text that is read.
type leaf struct {
	kind  kind
	size  int64
	moves []move // from the beginning of the value
	of    []move // sizedText: to the length
	slot  int
}

// Shape is how a value is shown of the leaves that were read for it.
type Shape struct {
	Name    string // of a field
	typ     string
	missing string // why it is not read
	leaf    *leaf
	fields  []Shape // of a struct, or the elements of an array; behind a pointer with leaf
	isArray bool
	isWhole bool // of a pointer: the one field is all of what it points to
	more    int  // fields or elements that are left out
	names   map[int64]string
}

// The bounds of what is read of a value with parts.
const (
	mostFields = 8
	mostDepth  = 3
)

// shapeOf is what is read of a value of a type.
func shapeOf(t dwarf.Type, moves []move, depth int) Shape {
	s := Shape{typ: typeName(t)}
	word := func(k kind, size int64) Shape {
		s.leaf = &leaf{kind: k, size: size, moves: moves}
		return s
	}
	switch x := strip(t).(type) {
	case *dwarf.BoolType:
		return word(boolean, x.ByteSize)
	case *dwarf.CharType:
		return word(character, x.ByteSize)
	case *dwarf.UcharType:
		return word(unsigned, x.ByteSize)
	case *dwarf.IntType:
		return word(integer, x.ByteSize)
	case *dwarf.UintType:
		return word(unsigned, x.ByteSize)
	case *dwarf.FloatType:
		if x.ByteSize == 4 {
			return word(float32bits, 4)
		}
		if x.ByteSize == 8 {
			return word(float64bits, 8)
		}
	case *dwarf.EnumType:
		s.names = map[int64]string{}
		for _, v := range x.Val {
			s.names[v.Val] = v.Name
		}
		return word(integer, x.ByteSize)
	case *dwarf.PtrType:
		return s.pointer(x, moves, depth)
	case *dwarf.FuncType:
		return word(pointer, 8)
	case *dwarf.ArrayType:
		return s.array(x, moves, depth)
	case *dwarf.StructType:
		return s.structure(x, moves, depth)
	}
	s.missing = "a " + s.typ + " is not read by a recorder in the kernel"
	return s
}

func (s Shape) pointer(p *dwarf.PtrType, moves []move, depth int) Shape {
	s.leaf = &leaf{kind: pointer, size: 8, moves: moves}
	to := strip(p.Type)
	switch x := to.(type) {
	case *dwarf.CharType:
		s.leaf.kind = cText
	case *dwarf.StructType:
		if depth == 0 && !strings.HasPrefix(s.typ, "map[") && !strings.HasPrefix(s.typ, "chan ") {
			inner := shapeOf(x, append(slices.Clone(moves), move{through: true}), depth+1)
			if s.fields = inner.fields; inner.leaf != nil {
				s.fields, s.isWhole = []Shape{inner}, true
			}
		}
	}
	return s
}

func (s Shape) array(a *dwarf.ArrayType, moves []move, depth int) Shape {
	if _, isText := strip(a.Type).(*dwarf.CharType); isText && a.Count > 0 {
		s.leaf = &leaf{kind: cBytes, size: a.Count, moves: moves}
		return s
	}
	if a.Count < 0 || depth >= mostDepth {
		s.missing = "a " + s.typ + " is not read by a recorder in the kernel"
		return s
	}
	s.isArray = true
	for i := range min(a.Count, mostFields) {
		s.fields = append(s.fields, shapeOf(a.Type, append(slices.Clone(moves), move{add: i * a.Type.Size()}), depth+1))
	}
	s.more = int(a.Count) - len(s.fields)
	return s
}

func (s Shape) structure(t *dwarf.StructType, moves []move, depth int) Shape {
	if text, length, is := textIn(t); is {
		s.leaf = &leaf{kind: sizedText, size: 8, moves: append(slices.Clone(moves), move{add: text}), of: append(slices.Clone(moves), move{add: length})}
		return s
	}
	if length, is := lengthIn(t); is {
		s.leaf = &leaf{kind: count, size: 8, moves: append(slices.Clone(moves), move{add: length})}
		return s
	}
	if t.StructName == "runtime.iface" || t.StructName == "runtime.eface" {
		s.leaf = &leaf{kind: holder, size: 8, moves: moves}
		return s
	}
	if len(t.Field) == 0 && t.ByteSize > 0 || t.Kind == "union" {
		s.missing = "a " + s.typ + " is not read by a recorder in the kernel: which of its variants it is decides how"
		return s
	}
	if depth >= mostDepth {
		s.missing = "it lies too deep; ask for it by its own name"
		return s
	}
	for _, f := range t.Field[:min(len(t.Field), mostFields)] {
		of := Shape{missing: "it is a part of a word"}
		if f.BitSize == 0 {
			of = shapeOf(f.Type, append(slices.Clone(moves), move{add: f.ByteOffset}), depth+1)
		}
		of.Name = f.Name
		s.fields = append(s.fields, of)
	}
	s.more = len(t.Field) - len(s.fields)
	return s
}

// textIn is where the pointer and the length lie in what is a text: a string of Go, a str or
// String of Rust, a string of libstdc++.
func textIn(t *dwarf.StructType) (text, size int64, is bool) {
	at := func(names ...string) int64 {
		of, total := t, int64(0)
		for i, name := range names {
			f := field(of, name)
			if f == nil {
				return -1
			}
			total += f.ByteOffset
			if i < len(names)-1 {
				if of, is = strip(f.Type).(*dwarf.StructType); !is {
					return -1
				}
			}
		}
		return total
	}
	for _, way := range []struct {
		of         string
		text, size []string
	}{
		{"string", []string{"str"}, []string{"len"}},
		{"&str", []string{"data_ptr"}, []string{"length"}},
		{"&mut str", []string{"data_ptr"}, []string{"length"}},
		{"String", []string{"vec", "buf", "inner", "ptr", "pointer", "pointer"}, []string{"vec", "len"}},
		{"basic_string<char", []string{"_M_dataplus", "_M_p"}, []string{"_M_string_length"}},
	} {
		if t.StructName != way.of && (way.of != "basic_string<char" || !strings.HasPrefix(t.StructName, way.of)) {
			continue
		}
		text, size = at(way.text...), at(way.size...)
		return text, size, text >= 0 && size >= 0
	}
	return 0, 0, false
}

// lengthIn is where the number of elements lies in a slice of Go or Rust, or a Vec.
func lengthIn(t *dwarf.StructType) (at int64, is bool) {
	var name string
	switch {
	case strings.HasPrefix(t.StructName, "[]"), strings.HasPrefix(t.StructName, "Vec<"):
		name = "len"
	case strings.HasPrefix(t.StructName, "&[") || strings.HasPrefix(t.StructName, "&mut ["):
		name = "length"
	default:
		return 0, false
	}
	f := field(t, name)
	if f == nil {
		return 0, false
	}
	return f.ByteOffset, true
}

// leavesOf are the leaves of a shape.
func (s *Shape) leavesOf() (list []*leaf) {
	if s.leaf != nil {
		list = append(list, s.leaf)
	}
	for i := range s.fields {
		list = append(list, s.fields[i].leavesOf()...)
	}
	return list
}

// place gives the leaves their slots, from the first that is free on.
func (s *Shape) place(first int) (next int, err error) {
	for _, l := range s.leavesOf() {
		if first == LeavesMax {
			return first, fmt.Errorf("a hit has more than %d values: ask for fewer, or for single fields", LeavesMax)
		}
		l.slot = first
		first++
	}
	return first, nil
}
