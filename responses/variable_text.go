package responses

import (
	"fmt"
	"slices"
	"strings"
)

// write writes each value on a line, with what belongs to it below; one that has
// changed with what it was.
func (v *Variables) write(p *page, changes ...Change) {
	if v == nil {
		return
	}
	taken := map[string]bool{}
	for i := range v.Items {
		name := inline(unique(v.Items[i].Name, taken))
		if c := slices.IndexFunc(changes, func(c Change) bool { return c.is(v.Items[i]) }); c >= 0 {
			name += " = " + changes[c].Old + " →"
		} else {
			name += " ="
		}
		v.Items[i].write(p, name)
	}
}

// write writes "name = value  (type, n, ref)", of which name has the beginning; a value of several lines stands
// below its name, where none of them can be taken for another value.
func (v *Variable) write(p *page, name string) {
	if strings.Contains(v.Value, "\n") {
		p.line("%s%s", name, v.tail())
		p.within(continued, func() { p.text(v.Value) })
	} else {
		p.line("%s %s%s", name, v.Value, v.tail())
	}
	p.within(inward, func() { v.Children.write(p) })
}

// tail is what there is to know of a value beside it.
func (v *Variable) tail() string {
	var facts []string
	if v.Type != "" {
		facts = append(facts, inline(v.Type))
	}
	for _, f := range []struct {
		name string
		n    int
	}{{"n", v.Count}, {"len", v.Length}, {"ref", v.Ref}} {
		if f.n != 0 {
			facts = append(facts, fmt.Sprintf("%s %d", f.name, f.n))
		}
	}
	if facts == nil {
		return ""
	}
	return "  (" + strings.Join(facts, ", ") + ")"
}
