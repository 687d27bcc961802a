package fetch

import (
	"debug/dwarf"
	"errors"
	"fmt"
	"slices"
	"strings"

	"aidb-mcp/adapters/observe/image"
)

// Word is a word of memory that stays where it is, so that the processor can watch who writes it.
type Word struct {
	Name    string
	Address uint64
	Size    int64
	// Followed says that a pointer led to it when its address was computed. It stays where
	// that pointed to then.
	Followed bool

	shape Shape
}

// wordSizes are those that the processor can watch.
var wordSizes = []int64{1, 2, 4, 8}

// FindWord finds the word that an expression names, in an image that lies at bias. Pointers on
// the way are read by load.
func FindWord(im *image.Image, bias uint64, text string, load func(address uint64) (uint64, error)) (*Word, error) {
	p, err := parsePath(text)
	if err != nil {
		return nil, err
	}
	v, steps, err := staticOf(im, p)
	if err != nil {
		return nil, err
	}
	t := target{typ: v.Type}
	for _, st := range steps {
		if err := t.take(st); err != nil {
			return nil, fmt.Errorf("%s: %w", text, insteadOf(t.typ, err))
		}
	}
	for range p.stars {
		if err := t.follow(); err != nil {
			return nil, fmt.Errorf("%s: %w", text, err)
		}
	}
	w := &Word{Name: text, Address: v.Address + bias}
	for _, m := range t.moves {
		if !m.through {
			w.Address += uint64(m.add)
			continue
		}
		w.Followed = true
		if w.Address, err = load(w.Address); err != nil {
			return nil, fmt.Errorf("%s: reading a pointer on the way: %w", text, err)
		}
		if w.Address == 0 {
			return nil, fmt.Errorf("%s: a pointer on the way is nil now, so that there is nothing to watch yet; watch the pointer itself, and arm this when it was set", text)
		}
	}
	if err := w.hold(t.typ); err != nil {
		return nil, fmt.Errorf("%s: %w", text, err)
	}
	return w, nil
}

// staticOf is the variable with which a path begins, and the way from there. A package of Go
// stands before its variable like a variable before its field.
func staticOf(im *image.Image, p path) (*image.Static, []step, error) {
	if im.IsGo && len(p.steps) > 0 && !p.steps[0].isAt {
		v, err := im.Static(p.name + "." + p.steps[0].field)
		if err == nil || !errors.Is(err, image.ErrNoStatic) {
			return v, p.steps[1:], err
		}
	}
	v, err := im.Static(p.name)
	return v, p.steps, err
}

// insteadOf says what can be watched of a type of which a part was asked that has no fixed place.
func insteadOf(t dwarf.Type, err error) error {
	if s, is := strip(t).(*dwarf.StructType); is && errors.Is(err, ErrUnreadable) {
		if at, is := lengthIn(s); is && at > 0 {
			return fmt.Errorf("%w. Its elements lie elsewhere once it grows; what can be watched are its own words: %s", err, wordsOf(s))
		}
	}
	return err
}

// hold takes the type of the word, or says why that is none.
func (w *Word) hold(t dwarf.Type) error {
	name := typeName(t)
	if strings.HasPrefix(name, "map[") {
		return errors.New("it is a map, whose entries lie elsewhere and move as it grows: no place can be watched; trace(arm, values) at the lines that write it records them")
	}
	w.shape, w.Size = shapeOf(lone(t), nil, 0), t.Size()
	w.shape.fields = nil
	if hidden(t) { // a class whose one word lies in what it is derived from
		w.shape = Shape{typ: name, leaf: &leaf{kind: integer, size: w.Size}}
	}
	if w.shape.leaf != nil {
		switch w.shape.leaf.kind {
		case cText: // the pointer is the word, and not the text
			w.shape.leaf.kind = pointer
		case sizedText:
			return fmt.Errorf("it is a text, which is a pointer with a length and no word: what can be watched is one of these: %s", wordsOf(strip(t)))
		case cBytes, count, holder:
			w.shape.leaf = nil
		}
	}
	if w.shape.leaf == nil || !slices.Contains(wordSizes, w.Size) {
		return fmt.Errorf("it is a %s of %d bytes, and the processor watches a word of 1, 2, 4 or 8: name one of its words: %s", name, w.Size, wordsOf(strip(t)))
	}
	if w.Address%uint64(w.Size) != 0 {
		return fmt.Errorf("it lies at %#x, which is no multiple of its %d bytes, and the processor watches no such word", w.Address, w.Size)
	}
	return nil
}

// lone is the type of the one field that a struct of a word has, as atomics and cells have it.
func lone(t dwarf.Type) dwarf.Type {
	for {
		s, is := strip(t).(*dwarf.StructType)
		if !is {
			return t
		}
		var only dwarf.Type
		for _, f := range s.Field {
			if f.Type.Size() == s.ByteSize && f.BitSize == 0 && s.Kind != "union" {
				only = f.Type
			}
		}
		if only == nil || s.ByteSize > 8 {
			return t
		}
		t = only
	}
}

// hidden says that nothing is known of the fields of a struct of a word.
func hidden(t dwarf.Type) bool {
	s, is := strip(t).(*dwarf.StructType)
	return is && len(s.Field) == 0 && s.Kind != "union" && slices.Contains(wordSizes, s.ByteSize)
}

// wordsOf are parts of a value that are words, as they are written behind its name.
func wordsOf(t dwarf.Type) string {
	const most = 6
	var list []string
	switch x := t.(type) {
	case *dwarf.ArrayType:
		return "[0] and so on"
	case *dwarf.StructType:
		for _, f := range x.Field {
			_, isArray := strip(f.Type).(*dwarf.ArrayType)
			if len(list) < most && f.BitSize == 0 && !isArray && slices.Contains(wordSizes, f.Type.Size()) {
				list = append(list, "."+f.Name)
			}
		}
	}
	if len(list) == 0 {
		return "it has none by name"
	}
	return strings.Join(list, ", ")
}

// Text is a value of the word, of which bytes are what lies in memory.
func (w *Word) Text(bytes uint64) Shown { return w.shape.text(nil, 0, w.whole(bytes)) }

// isSigned says that the value may be negative.
func (w *Word) isSigned() bool { return w.shape.leaf.kind == integer || w.shape.leaf.kind == character }

// whole is a value as a whole word.
func (w *Word) whole(bytes uint64) uint64 {
	unused := 64 - 8*w.Size
	if w.isSigned() {
		return uint64(int64(bytes<<unused) >> unused)
	}
	return bytes << unused >> unused
}
