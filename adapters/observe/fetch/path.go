package fetch

import (
	"debug/dwarf"
	"fmt"
	"strconv"
	"strings"

	"aidb-mcp/adapters/observe/image"
)

// path is an expression: a variable, and the way from it to a part of it.
type path struct {
	text  string
	name  string
	steps []step
	stars int // dereferences of the whole
}

// step is a field, or an element.
type step struct {
	field string
	index int64
	isAt  bool // it is an element
}

// parsePath reads an expression such as order.lines[2]->price or *count.
func parsePath(text string) (path, error) {
	p := path{text: text}
	rest := strings.TrimSpace(text)
	for strings.HasPrefix(rest, "*") {
		p.stars++
		rest = strings.TrimSpace(rest[1:])
	}
	p.name, rest = cutName(rest)
	if p.name == "" {
		return p, fmt.Errorf("%q is no variable, field, element or what a pointer points to", text)
	}
	for rest != "" {
		var s step
		switch {
		case strings.HasPrefix(rest, "["):
			inside, after, closed := strings.Cut(rest[1:], "]")
			index, err := strconv.ParseInt(strings.TrimSpace(inside), 0, 64)
			if !closed || err != nil {
				return p, fmt.Errorf("%q: only an element whose number is written out can be read", text)
			}
			s, rest = step{index: index, isAt: true}, after
		case strings.HasPrefix(rest, "->"), strings.HasPrefix(rest, "."):
			name, after := cutName(strings.TrimLeft(rest, "->."))
			if name == "" {
				return p, fmt.Errorf("%q is no variable, field, element or what a pointer points to", text)
			}
			s, rest = step{field: name}, after
		default:
			return p, fmt.Errorf("%q is no variable, field, element or what a pointer points to: a recorder in the kernel calls and computes nothing", text)
		}
		p.steps = append(p.steps, s)
	}
	return p, nil
}

// cutName cuts a name, with the namespaces that stand before it, off the beginning.
func cutName(text string) (name, rest string) {
	end := 0
	for end < len(text) {
		c := text[end]
		switch {
		case c == '_' || c == '$' || c >= 0x80 || c >= '0' && c <= '9' && end > 0 || c|0x20 >= 'a' && c|0x20 <= 'z':
			end++
			continue
		case strings.HasPrefix(text[end:], "::"):
			end += 2
			continue
		}
		break
	}
	return text[:end], text[end:]
}

// move is a way from one part of memory to another.
type move struct {
	add     int64
	through bool // first load the pointer that lies here
}

// target is what a path leads to.
type target struct {
	variable *image.Variable
	moves    []move
	typ      dwarf.Type
}

// find looks a path up at a place.
func (s Source) find(p path) (target, error) {
	v, err := s.Image.Find(p.name, s.Place)
	steps := p.steps
	if err != nil && len(steps) > 0 && s.Image.IsGo { // a variable of a package
		if of, other := s.Image.Find(p.name+"."+steps[0].field, s.Place); other == nil {
			v, err, steps = of, nil, steps[1:]
		}
	}
	if err != nil {
		return target{}, fmt.Errorf("%s: %w", p.name, err)
	}
	t := target{variable: v, typ: v.Type}
	for _, st := range steps {
		if err := t.take(st); err != nil {
			return t, fmt.Errorf("%s: %w", p.text, err)
		}
	}
	for range p.stars {
		if err := t.follow(); err != nil {
			return t, fmt.Errorf("%s: %w", p.text, err)
		}
	}
	return t, nil
}

// follow goes to what a pointer points to.
func (t *target) follow() error {
	p, is := strip(t.typ).(*dwarf.PtrType)
	if !is {
		return fmt.Errorf("a value of type %s is no pointer", t.typ)
	}
	if _, nothing := strip(p.Type).(*dwarf.VoidType); nothing || p.Type == nil {
		return fmt.Errorf("what a %s points to has no type", t.typ)
	}
	t.moves, t.typ = append(t.moves, move{through: true}), p.Type
	return nil
}

// take goes to a field or an element.
func (t *target) take(s step) error {
	if s.isAt {
		return t.takeElement(s.index)
	}
	if _, is := strip(t.typ).(*dwarf.PtrType); is {
		if err := t.follow(); err != nil {
			return err
		}
	}
	of, is := strip(t.typ).(*dwarf.StructType)
	if !is {
		return fmt.Errorf("a value of type %s has no fields", t.typ)
	}
	f := field(of, s.field)
	if f == nil {
		return fmt.Errorf("%s has no field %s", typeName(t.typ), s.field)
	}
	if f.BitSize > 0 {
		return fmt.Errorf("%w: %s is a part of a word", ErrUnreadable, s.field)
	}
	t.moves, t.typ = append(t.moves, move{add: f.ByteOffset}), f.Type
	return nil
}

func (t *target) takeElement(index int64) error {
	var of dwarf.Type
	switch x := strip(t.typ).(type) {
	case *dwarf.ArrayType:
		if index < 0 || x.Count >= 0 && index >= x.Count {
			return fmt.Errorf("index %d: %s has %d elements", index, t.typ, x.Count)
		}
		of = x.Type
	case *dwarf.PtrType:
		if err := t.follow(); err != nil {
			return err
		}
		of = t.typ
	default:
		return fmt.Errorf("%w: an element of a %s, whose length would have to be read first", ErrUnreadable, typeName(t.typ))
	}
	t.moves, t.typ = append(t.moves, move{add: index * of.Size()}), of
	return nil
}

// field is a field of a struct, also one that a base or an embedded one has; nil for none.
func field(of *dwarf.StructType, name string) *dwarf.StructField {
	for _, f := range of.Field {
		if f.Name == name {
			return f
		}
	}
	return nil
}

func typeName(t dwarf.Type) string {
	if s, is := t.(*dwarf.StructType); is && s.StructName != "" {
		return s.StructName
	}
	if c := t.Common(); c.Name != "" {
		return c.Name
	}
	return t.String()
}
