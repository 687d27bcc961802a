package responses

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"aidb-mcp/internal/text/quoted"
)

// Variable is one value: {"v": value, "t": type, "ref", "n"}.
type Variable struct {
	Name string `json:"-"`

	Value    string     `json:"v"`
	Type     string     `json:"t,omitempty"`
	Ref      int        `json:"ref,omitempty"` // opens it, until the program resumes
	Count    int        `json:"n,omitempty"`   // number of children
	Length   int        `json:"len,omitempty"` // of the whole text in bytes or characters, when v is cut
	Children *Variables `json:"children,omitempty"`

	// Text says that the value is a text; that of anything else is a preview of
	// what opening it shows, of which Whole is the length.
	Text  bool `json:"-"`
	Whole int  `json:"-"`
	// Open says that the value is cut, and nobody knows how long it is.
	Open bool `json:"-"`

	// Rest is the call that goes on where the shown text ends, and how far
	// into the whole value that is, in Unit or in bytes. May be nil.
	Rest func(shown string) (next Call, reach int) `json:"-"`
	Unit string                                    `json:"-"`
}

// Variables is a page of named values in the order of their declaration,
// written as one object.
type Variables struct {
	Page
	Items []Variable
}

// NewVariables holds values that are all there is, unless page says otherwise.
func NewVariables(items []Variable, page Page) *Variables {
	page.Total = max(page.Total, page.Start+len(items))
	return &Variables{Page: page, Items: items}
}

// IsZero says that there is no value, so that views leave the list out.
func (v *Variables) IsZero() bool { return v == nil || len(v.Items) == 0 }

// MarshalJSON writes {"name": {…}, …} in order.
func (v *Variables) MarshalJSON() ([]byte, error) {
	object := make(Object, len(v.Items))
	for i := range v.Items {
		object[i] = Member{v.Items[i].Name, &v.Items[i]}
	}
	return encode(object)
}

// How many cut texts and pages of children are named one by one.
const (
	maxCutValues = 2
	maxPages     = 4
)

func (v *Variables) omissions() []Omission {
	if v == nil {
		return nil
	}
	all := v.omission(len(v.Items))
	return append(all, cutValues(v.flat())...)
}

// flat is the values and all their children, each list's own omission aside.
func (v *Variables) flat() []*Variable {
	var all []*Variable
	for i := range v.Items {
		all = append(all, v.Items[i].flat()...)
	}
	return all
}

func (v *Variable) flat() []*Variable {
	all := []*Variable{v}
	if v.Children != nil {
		all = append(all, v.Children.flat()...)
	}
	return all
}

// omissions of a single value: of its own text and of all below.
func (v *Variable) omissions() []Omission {
	if v == nil {
		return nil
	}
	return cutValues(v.flat())
}

// cutValues names the pages of children that go on and the values that are not
// whole: texts first; the others, which open by their ref, share one entry, as
// do texts beyond the first few.
func cutValues(all []*Variable) []Omission {
	var pages, texts, folded []Omission
	var names, units []string
	for _, v := range all {
		if v.Children != nil {
			pages = append(pages, v.Children.omission(len(v.Children.Items))...)
		}
		o := v.cut()
		switch {
		case o == nil:
		case len(texts) < maxCutValues && v.text():
			texts = append(texts, *o)
		default:
			folded, names = append(folded, *o), append(names, v.Name)
			if unit := cmp.Or(v.Unit, "bytes"); !slices.Contains(units, unit) {
				units = append(units, unit)
			}
		}
	}
	if len(pages) > maxPages {
		pages = append(pages[:maxPages], fold(pages[maxPages:], "more pages of children"))
	}
	out := append(pages, texts...)
	switch len(folded) {
	case 0:
	case 1:
		out = append(out, folded[0])
	default:
		out = append(out, fold(folded, "values of "+Shorten(strings.Join(names, ", "), 100)+" ("+strings.Join(units, " and ")+")"))
	}
	return out
}

// fold makes one entry of several; its call is that of the first. How much there is
// of all of them is known only where it is of each.
func fold(list []Omission, what string) Omission {
	one := Omission{What: what, Get: list[0].Get}
	open := false
	for _, o := range list {
		one.Shown, one.Total, open = one.Shown+o.Shown, one.Total+o.Total, open || o.Total == 0
	}
	if open {
		one.Total = 0
	}
	return one
}

// text says whether the value is a text rather than something to open.
func (v *Variable) text() bool { return v.Text || v.Ref == 0 || strings.HasPrefix(v.Value, `"`) }

// cut names what is missing of the value's own text, nil when nothing is.
func (v *Variable) cut() *Omission {
	o := Omission{
		What:  fmt.Sprintf("value of %s (%s)", v.Name, cmp.Or(v.Unit, "bytes")),
		Shown: len(v.Value), Total: max(v.Length, v.Whole),
	}
	if v.Rest != nil {
		next, reach := v.Rest(v.Value)
		if o.Shown = reach; next.Tool != "" {
			o.Get = &next
		}
	}
	switch {
	case v.Open && o.Shown < math.MaxInt:
		o.Total = 0
	case v.Open || o.Total <= o.Shown:
		return nil
	}
	return &o
}

// trimValues shortens values longer than max bytes.
func (v *Variables) trimValues(max int) trim {
	return func(int) bool {
		if v == nil {
			return false
		}
		changed := false
		for _, item := range v.flat() {
			changed = item.shorten(max) || changed
		}
		return changed
	}
}

func (v *Variable) shorten(limit int) bool {
	short := shortenEncoded(v.Value, limit)
	if short == v.Value {
		return false
	}
	switch {
	case v.Open:
	case !v.text():
		v.Whole = max(v.Whole, len(v.Value))
	case v.Length == 0: // it was whole until now
		v.Length = quoted.Length(v.Value, v.Unit != "")
		v.Open = v.Length == 0
	}
	v.Value = short
	return true
}

// trimChildren gives up the deepest level of children of every value that has
// deeper ones than keep; ref and n still say that they are there.
func (v *Variables) trimChildren(keep int) trim {
	return func(int) bool {
		if v == nil {
			return false
		}
		changed := false
		for i := range v.Items {
			changed = v.Items[i].dropBelow(keep) || changed
		}
		return changed
	}
}

func (v *Variable) dropBelow(levels int) bool {
	if v.Children == nil {
		return false
	}
	if levels == 0 {
		v.Count = max(v.Count, v.Children.Total)
		v.Children = nil
		return true
	}
	changed := false
	for i := range v.Children.Items {
		changed = v.Children.Items[i].dropBelow(levels-1) || changed
	}
	return changed
}

// trim cuts values from the end, down to keep.
func (v *Variables) trim(keep int) trim {
	return func(over int) bool {
		if v == nil || len(v.Items) <= keep {
			return false
		}
		n := len(v.Items)
		for freed := 0; n > keep && freed < over; n-- {
			last := &v.Items[n-1]
			freed += size(last) + size(last.Name) + 2
		}
		v.Items = v.Items[:n]
		return true
	}
}
