package register

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// jsonDocument is JSON, with or without comments and trailing commas.
type jsonDocument struct {
	root    hujson.Value
	marked  bool   // begins with a mark of UTF-8
	newline string // between its lines
	unit    string // one step of indentation
}

func parseJSON(text []byte) (*jsonDocument, error) {
	d := &jsonDocument{newline: "\n", unit: "  "}
	d.marked = bytes.HasPrefix(text, mark)
	text = bytes.TrimPrefix(text, mark)
	if len(bytes.TrimSpace(text)) == 0 {
		text = []byte("{}\n")
	}
	root, err := hujson.Parse(text)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, errors.New("it ends before its object does")
	}
	if err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "hujson: "))
	}
	object, ok := root.Value.(*hujson.Object)
	if !ok {
		return nil, errors.New("want an object, {…}")
	}
	d.root = root
	if bytes.Contains(text, []byte("\r\n")) {
		d.newline = "\r\n"
	}
	if len(object.Members) > 0 {
		if indent, own := lineStart(object.Members[0].Name.BeforeExtra); own && indent != "" {
			d.unit = indent
		}
	}
	return d, nil
}

func (d *jsonDocument) bytes() []byte {
	text := d.root.Pack()
	if d.marked {
		return append(slices.Clone(mark), text...)
	}
	return text
}

func (d *jsonDocument) get(path []string) (any, bool) {
	at := &d.root
	for _, name := range path {
		object, ok := at.Value.(*hujson.Object)
		if !ok {
			return nil, false
		}
		i := member(object, name)
		if i < 0 {
			return nil, false
		}
		at = &object.Members[i].Value
	}
	copied := at.Clone()
	copied.BeforeExtra, copied.AfterExtra = nil, nil
	copied.Standardize()
	var value any
	if json.Unmarshal(copied.Pack(), &value) != nil {
		return nil, false
	}
	return value, true
}

func (d *jsonDocument) set(path []string, value any) error {
	if table, ok := value.(fields); ok {
		if _, there := d.get(path); there {
			for _, f := range table {
				if err := d.set(append(slices.Clone(path), f.Name), f.Value); err != nil {
					return err
				}
			}
			return nil
		}
	}
	object, indent, err := d.table(path[:len(path)-1], true)
	if err != nil {
		return err
	}
	name := path[len(path)-1]
	if i := member(object, name); i >= 0 {
		_, indent := place(object, i, indent)
		written, err := d.write(value, indent)
		if err != nil {
			return err
		}
		object.Members[i].Value.Value = written.Value
		return nil
	}
	return d.appendMember(object, indent, name, value)
}

// table is the object at a path, made where it is not there, and the indentation
// of the line that it begins on.
func (d *jsonDocument) table(path []string, make bool) (object *hujson.Object, indent string, err error) {
	object = d.root.Value.(*hujson.Object) // parseJSON has seen to it
	for n, name := range path {
		i := member(object, name)
		if i < 0 && !make {
			return nil, "", fmt.Errorf("there is no %s", dottedPath(path[:n+1]))
		}
		if i < 0 {
			if err := d.appendMember(object, indent, name, fields{}); err != nil {
				return nil, "", err
			}
			i = len(object.Members) - 1
		}
		_, indent = place(object, i, indent)
		next, ok := object.Members[i].Value.Value.(*hujson.Object)
		if !ok {
			d.root.UpdateOffsets()
			line, column := d.position(object.Members[i].Value.StartOffset)
			return nil, "", fmt.Errorf("line %d, column %d: %s is no object", line, column, dottedPath(path[:n+1]))
		}
		object = next
	}
	return object, indent, nil
}

func (d *jsonDocument) position(offset int) (line, column int) {
	before := d.root.Pack()[:offset]
	return 1 + bytes.Count(before, []byte("\n")), offset - bytes.LastIndexByte(before, '\n')
}

// appendMember puts a member behind those that an object has, in their layout. The
// line that the object begins on is indented by indent.
func (d *jsonDocument) appendMember(object *hujson.Object, indent, name string, value any) error {
	last := len(object.Members) - 1
	own, inner := true, indent+d.unit // on lines of their own
	if last >= 0 {
		own, inner = place(object, last, indent)
	}
	written, err := d.write(value, inner)
	if !own {
		written, err = d.write(value, onOneLine)
	}
	if err != nil {
		return err
	}
	quoted := hujson.Value{Value: hujson.Literal(quote(name))}
	written.BeforeExtra = hujson.Extra(" ")
	comma := last >= 0 && object.Members[last].Value.AfterExtra != nil // a trailing one
	rest := bytes.TrimRight(object.AfterExtra, " \t\r\n")              // comments
	if own {
		quoted.BeforeExtra = hujson.Extra(string(rest) + d.newline + inner)
		object.AfterExtra = hujson.Extra(d.newline + indent)
	} else {
		quoted.BeforeExtra = append(slices.Clone(rest), ' ')
		if last < 0 {
			quoted.BeforeExtra = nil
		}
		object.AfterExtra = object.AfterExtra[len(rest):]
	}
	if comma {
		written.AfterExtra = hujson.Extra{}
	}
	object.Members = append(object.Members, hujson.ObjectMember{Name: quoted, Value: written})
	return nil
}

// onOneLine is the indentation of what has no lines of its own.
const onOneLine = "\x00"

// write is a value in this file's layout, as it stands in a line with that indentation.
func (d *jsonDocument) write(value any, indent string) (hujson.Value, error) {
	text, err := marshal(value)
	if err != nil {
		return hujson.Value{}, err
	}
	return hujson.Parse(d.layout(text, indent))
}

// layout puts the members of objects on lines of their own, if they may have them;
// lists stay on one.
func (d *jsonDocument) layout(text []byte, indent string) []byte {
	v, err := hujson.Parse(text)
	if err != nil {
		return text
	}
	object, ok := v.Value.(*hujson.Object)
	if !ok {
		if list, ok := v.Value.(*hujson.Array); ok {
			for i := range list.Elements {
				if i > 0 {
					list.Elements[i].BeforeExtra = hujson.Extra(" ")
				}
			}
		}
		return v.Pack()
	}
	for i := range object.Members {
		m := &object.Members[i]
		deeper := indent + d.unit
		if indent == onOneLine {
			deeper = onOneLine
		}
		inner := d.layout(m.Value.Pack(), deeper)
		if m.Value, err = hujson.Parse(inner); err != nil {
			return text
		}
		m.Value.BeforeExtra, m.Value.AfterExtra = hujson.Extra(" "), nil
		switch {
		case indent != onOneLine:
			m.Name.BeforeExtra = hujson.Extra(d.newline + indent + d.unit)
		case i > 0:
			m.Name.BeforeExtra = hujson.Extra(" ")
		}
	}
	if len(object.Members) > 0 && indent != onOneLine {
		object.AfterExtra = hujson.Extra(d.newline + indent)
	}
	return v.Pack()
}

func (d *jsonDocument) add(path []string, text string) error {
	name := path[len(path)-1]
	object, indent, err := d.table(path[:len(path)-1], true)
	if err != nil {
		return err
	}
	i := member(object, name)
	if i < 0 {
		return d.appendMember(object, indent, name, []string{text})
	}
	list, ok := object.Members[i].Value.Value.(*hujson.Array)
	if !ok {
		return fmt.Errorf("%s is no list", dottedPath(path))
	}
	element := hujson.Value{Value: hujson.Literal(quote(text))}
	if last := len(list.Elements) - 1; last >= 0 {
		before := list.Elements[last]
		start, own := lineStart(before.BeforeExtra)
		rest := bytes.TrimRight(list.AfterExtra, " \t\r\n")
		element.BeforeExtra = append(slices.Clone(rest), ' ')
		if own {
			element.BeforeExtra = hujson.Extra(string(rest) + d.newline + start)
		}
		list.AfterExtra = list.AfterExtra[len(rest):]
		if before.AfterExtra != nil {
			element.AfterExtra = hujson.Extra{}
		}
	}
	list.Elements = append(list.Elements, element)
	return nil
}

func (d *jsonDocument) remove(path []string) error {
	object, _, err := d.table(path[:len(path)-1], false)
	if err != nil {
		return err
	}
	i := member(object, path[len(path)-1])
	if i < 0 {
		return fmt.Errorf("there is no %s", dottedPath(path))
	}
	gone := object.Members[i]
	object.Members = slices.Delete(object.Members, i, i+1)
	before := bytes.TrimRight(gone.Name.BeforeExtra, " \t\r\n") // comments stay
	switch {
	case i < len(object.Members):
		next := &object.Members[i].Name
		if i == 0 && len(before) == 0 {
			next.BeforeExtra = gone.Name.BeforeExtra
		} else {
			next.BeforeExtra = append(slices.Clone(before), next.BeforeExtra...)
		}
	case i == 0:
		if object.AfterExtra = append(slices.Clone(before), object.AfterExtra...); len(before) == 0 {
			object.AfterExtra = nil
		}
	default:
		object.AfterExtra = append(slices.Clone(before), object.AfterExtra...)
		object.Members[i-1].Value.AfterExtra = gone.Value.AfterExtra // whether a comma ends the object
	}
	return nil
}

func (d *jsonDocument) drop(path []string, text string) error {
	object, _, err := d.table(path[:len(path)-1], false)
	if err != nil {
		return err
	}
	i := member(object, path[len(path)-1])
	if i < 0 {
		return fmt.Errorf("there is no %s", dottedPath(path))
	}
	list, ok := object.Members[i].Value.Value.(*hujson.Array)
	if !ok {
		return fmt.Errorf("%s is no list", dottedPath(path))
	}
	for n, e := range list.Elements {
		literal, ok := e.Value.(hujson.Literal)
		if !ok || literal.Kind() != '"' || literal.String() != text {
			continue
		}
		list.Elements = slices.Delete(list.Elements, n, n+1)
		before := bytes.TrimRight(e.BeforeExtra, " \t\r\n")
		switch {
		case n < len(list.Elements):
			if n > 0 || len(before) > 0 {
				list.Elements[n].BeforeExtra = append(slices.Clone(before), list.Elements[n].BeforeExtra...)
			} else {
				list.Elements[n].BeforeExtra = e.BeforeExtra
			}
		case n > 0:
			list.AfterExtra = append(slices.Clone(before), list.AfterExtra...)
			list.Elements[n-1].AfterExtra = e.AfterExtra
		}
		return nil
	}
	return fmt.Errorf("%s has no %q", dottedPath(path), text)
}

// member is the index of a member, the last of that name as JSON's readers have it.
func member(object *hujson.Object, name string) int {
	for i, member := range slices.Backward(object.Members) {
		if literal, ok := member.Name.Value.(hujson.Literal); ok && literal.String() == name {
			return i
		}
	}
	return -1
}

// place says whether a member has a line of its own, and how the line that it
// stands on is indented; that of the object is indented by outer.
func place(object *hujson.Object, i int, outer string) (own bool, indent string) {
	if indent, own := lineStart(object.Members[i].Name.BeforeExtra); own {
		return true, indent
	}
	return false, outer
}

// lineStart is what stands between the begin of the line and what follows.
func lineStart(before hujson.Extra) (indent string, own bool) {
	i := bytes.LastIndexByte(before, '\n')
	if i < 0 {
		return "", false
	}
	line := string(before[i+1:])
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))], true
}
