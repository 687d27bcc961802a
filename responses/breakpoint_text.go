package responses

import (
	"fmt"
	"strconv"
	"strings"
)

func (b *Breakpoints) write(p *page) {
	if b.Breakpoint != nil {
		p.within(inward, func() { b.Breakpoint.write(p, true) })
	}
	if b.Breakpoints != nil {
		p.under("breakpoints", func() { writeBreakpoints(p, b.Breakpoints) })
	}
	if len(b.Removed) != 1 || !p.saysBreakpoints(b.Removed) {
		p.list("removed", numbers(b.Removed))
	}
	p.list("exceptions", b.Exceptions)
}

func writeBreakpoints(p *page, l *List[Breakpoint]) {
	if l == nil {
		return
	}
	for i := range l.Rows {
		l.Rows[i].write(p, false)
	}
}

// write writes "1 line calc.go:7, verified, hits 2: return sum", and what else was
// asked of it and is to be said of it below.
func (x *Breakpoint) write(p *page, one bool) {
	said := []string{x.nameAndPlace(p, one)}
	if x.Verified {
		said = append(said, "verified")
	} else {
		said = append(said, "not verified")
	}
	if x.Disabled {
		said = append(said, "disabled")
	}
	if x.Hits > 0 {
		said = append(said, fmt.Sprintf("hits %d", x.Hits))
	}
	if x.Reached > 0 {
		said = append(said, fmt.Sprintf("reached %d", x.Reached))
	}
	line := strings.Join(said, ", ")
	if x.Text != "" {
		line += ": " + x.Text
	}
	p.line("%s", line)
	p.within(inward, func() { x.writeMore(p) })
}

// nameAndPlace is what it is and where; of one alone without what the first sentence says.
func (x *Breakpoint) nameAndPlace(p *page, one bool) string {
	one = one && p.saysBreakpoints([]int{x.ID})
	var words []string
	if !one {
		words = append(words, strconv.Itoa(x.ID))
	}
	words = append(words, x.Kind)
	for _, word := range []string{x.Expression, x.Access, x.Function, x.Location} {
		if word != "" && (!one || !p.says(word)) {
			words = append(words, inline(word))
		}
	}
	return strings.Join(words, " ")
}

func (x *Breakpoint) writeMore(p *page) {
	p.fact("message", x.Message)
	p.list("nearest lines", numbers(x.Nearest))
	p.list("similar", x.Similar)
	p.number("moved from", int64(x.MovedFrom))
	p.fact("moved why", x.MovedWhy)
	p.fact("condition", x.Condition)
	p.fact("hit condition", x.HitCondition)
	p.fact("log message", x.LogMessage)
	p.list("show", x.Show)
}
