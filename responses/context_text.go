package responses

import (
	"fmt"
	"strings"
)

func (c *Context) tags(p *page) []string { return c.State.tags(p) }

func (c *Context) write(p *page) {
	p.place(c.Location, c.Function)
	c.Snapshot.write(p)
	c.Exception.write(p)
	c.Opinion.write(p)
	p.under("locals", func() { c.Locals.write(p) })
	p.under("stack", func() { c.Stack.write(p) })
	p.fact("target", inline(c.Target))
	p.fact("mode", c.Mode)
	p.under("breakpoints", func() { writeBreakpoints(p, c.Breakpoints) })
	p.under("operations", func() { writeOperations(p, c.Operations) })
	p.under("values", func() { writeTrails(p, c.Values) })
	c.Attempts.write(p)
	writeSessions(p, c.Sessions)
}

// write writes what was tried, and below it what came of the last of them.
func (t *Tried) write(p *page) {
	if t == nil {
		return
	}
	p.put("attempts")
	p.within(inward, func() {
		p.fact("problem", t.Problem)
		p.line("%s", t.Said)
		if t.Winner != 0 {
			p.line("winner: %d", t.Winner)
		}
		for _, last := range t.Last {
			p.line("%s", last)
		}
	})
}

// writeOperations writes what was done and what came of it.
func writeOperations(p *page, l *List[Operation]) {
	if l == nil {
		return
	}
	for _, o := range l.Rows {
		said := []string{fmt.Sprintf("%d %s", o.N, o.What)}
		if o.Failed {
			said = append(said, "failed")
		}
		if o.MS > 0 {
			said = append(said, fmt.Sprintf("%d ms", o.MS))
		}
		line := strings.Join(said, ", ")
		if o.Outcome != "" {
			line += ": " + o.Outcome
		}
		p.line("%s", line)
	}
}

func writeTrails(p *page, l *List[ValueTrail]) {
	if l == nil {
		return
	}
	for _, v := range l.Rows {
		p.list(inline(v.Name), v.Seen)
	}
}

// write writes whose opinion it is, and the opinion below that.
func (o *Opinion) write(p *page) {
	if o == nil {
		return
	}
	p.under("opinion", func() {
		p.fact("note", o.Note)
		p.fact("model", o.Model)
		p.within(inward, func() { p.text(o.Text) })
	})
}
