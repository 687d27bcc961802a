package responses

import (
	"cmp"
	"fmt"
	"strings"
)

// hasPlace says that there is a place to show.
func (c *Context) hasPlace() bool { return c.Location != "" || c.Function != "" }

// Text is where a program stands as plain text: place, exception, code, locals and
// stack. What a limit has cut is counted; Omitted says how to get it.
func (c *Context) Text() string {
	if !c.hasPlace() {
		return ""
	}
	p := &page{}
	p.line("%s", strings.TrimSpace(c.Location+" in "+cmp.Or(c.Function, "an unknown function")))
	for e := c.Exception; e != nil; e = e.Inner {
		p.line("%s", e.title())
	}
	c.Snapshot.write(p)
	if c.Locals != nil {
		p.under("locals", func() {
			c.Locals.write(p)
			p.rest(c.Locals.omission(len(c.Locals.Items)))
		})
	}
	if c.Stack != nil {
		p.under("stack", func() {
			c.Stack.write(p)
			p.rest(c.Stack.omission(len(c.Stack.Frames)))
		})
	}
	return strings.TrimSuffix(string(p.b), "\n")
}

// Omitted is what is missing in the context, with the calls that get it.
func (c *Context) Omitted() []Omission { return c.omissions() }

// rest says how many rows are missing.
func (p *page) rest(missing []Omission) {
	switch {
	case len(missing) == 0:
	case missing[0].Total > 0:
		p.put(fmt.Sprintf("… and %d more", missing[0].Total-missing[0].Shown))
	default:
		p.put("… and more")
	}
}

// title is an exception without its stack.
func (e *Exception) title() string {
	if e.Type == "" || strings.HasPrefix(e.Message, e.Type) {
		return e.Message
	}
	return e.Type + ": " + e.Message
}
