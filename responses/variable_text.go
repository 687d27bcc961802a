package responses

import (
	"fmt"
	"strings"
)

// write writes each value on a line, with what belongs to it below.
func (v *Variables) write(p *page) {
	if v == nil {
		return
	}
	taken := map[string]bool{}
	for i := range v.Items {
		v.Items[i].write(p, inline(unique(v.Items[i].Name, taken)))
	}
}

// write writes "name = value  (type, n, ref)"; a value of several lines stands
// below its name, where none of them can be taken for another value.
func (v *Variable) write(p *page, name string) {
	if first, _, more := strings.Cut(v.Value, "\n"); more {
		p.line("%s =%s", name, v.tail())
		p.within(continued, func() { p.text(v.Value) })
	} else {
		p.line("%s = %s%s", name, first, v.tail())
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
