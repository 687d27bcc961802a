package responses

import (
	"fmt"
	"slices"
	"strings"
)

func (v *StopView) tags(p *page) []string { return v.State.tags(p) }

func (v *StopView) write(p *page) {
	p.place(v.Location, v.Function)
	v.Snapshot.write(p)
	v.Exception.write(p)
	p.under("show", func() { v.Shown.write(p) })
	changed := v.Changed.except(v.Locals)
	p.under("changed", func() { changed.write(p) })
	p.under("locals", func() { v.Locals.write(p, v.Changed...) })
	p.under("return value", func() { v.Returned.write(p) })
	p.under("stack", func() { v.Stack.write(p) })
	p.fact("server ready", v.ServerReady)
	if !p.saysAll(v.Listening) {
		p.list("listening", v.Listening)
	}
	v.Trigger.write(p)
	v.Output.write(p)
	p.under("breakpoints", func() { writeBreakpoints(p, v.Breakpoints) })
	p.under("never hit", func() { writeBreakpoints(p, v.NeverHit) })
	p.list("hits", hitsOf(v.Hits))
	p.under("other sessions", func() {
		for _, s := range v.Others {
			p.line("%s: %s, %s", s.ID, s.Name, spaceWords(s.Status))
		}
	})
	p.under("path mappings", func() {
		for _, m := range v.Mappings {
			p.line("%s = %s: %s", m.Local, m.Remote, m.Evidence)
		}
	})
	p.rows("warnings", v.Warnings)
}

// hitsOf is how often each breakpoint was hit: "breakpoint 1 twice".
func hitsOf(counts Object) []string {
	var texts []string
	for _, c := range counts {
		texts = append(texts, fmt.Sprintf("%v at breakpoint %s", c.Value, c.Name))
	}
	return texts
}

// except are the changes that the variables do not show, which have new values of
// their own beside the old ones.
func (c Changes) except(shown *Variables) Changes {
	return slices.DeleteFunc(slices.Clone(c), func(change Change) bool {
		return shown != nil && slices.ContainsFunc(shown.Items, change.is)
	})
}

// is says that a variable has the new value, so that the old one can stand before it.
func (c Change) is(v Variable) bool {
	return c.Name == v.Name && c.New == v.Value && !strings.Contains(c.Old+c.New, "\n")
}

// write writes "name = old → new".
func (c Changes) write(p *page) {
	for _, change := range c {
		name := inline(change.Name)
		if strings.Contains(change.Old+change.New, "\n") {
			p.line("%s =", name)
			p.within(continued, func() {
				p.text(change.Old)
				p.put("→")
				p.text(change.New)
			})
			continue
		}
		p.line("%s = %s → %s", name, change.Old, change.New)
	}
}

// write writes the code as it stands in its file. The numbers of its lines, at the
// margin, tell it from all else.
func (s *Snapshot) write(p *page) {
	if s != nil {
		p.text(s.Format())
	}
}

// write writes what an exception says and where it was, and what caused it.
func (e *Exception) write(p *page) {
	if e == nil {
		return
	}
	p.under("exception", func() {
		if title := e.title(); !strings.Contains(e.Stack, title) { // some end with it
			first, rest, _ := strings.Cut(title, "\n")
			if !p.says(first) {
				p.put(first)
			}
			p.within(inward, func() { p.text(rest) })
		}
		p.within(inward, func() { p.text(e.Stack) })
		for inner := e.Inner; inner != nil; inner = inner.Inner {
			p.line("caused by %s", inner.title())
			p.within(inward, func() { p.text(inner.Stack) })
		}
	})
}

func (s *Stack) write(p *page) {
	if s == nil {
		return
	}
	for _, line := range s.lines() {
		p.line("%s", line)
	}
}

// write writes what was printed on each stream.
func (o *Output) write(p *page) {
	if o == nil {
		return
	}
	p.under("stdout", func() { p.text(o.Stdout.shownText()) })
	p.under("stderr", func() { p.text(o.Stderr.shownText()) })
	p.under("log", func() { p.text(o.Log.shownText()) })
}
