package responses

import (
	"cmp"
	"fmt"
	"strings"
)

// stands says that there is a place to show.
func (c *Context) stands() bool { return c.Location != "" || c.Function != "" }

// Text is where a program stands as plain text: place, exception, code, locals and
// stack. What a limit has cut is counted; Omitted says how to get it.
func (c *Context) Text() string {
	if !c.stands() {
		return ""
	}
	var b strings.Builder
	b.WriteString(strings.TrimSpace(c.Location + " in " + cmp.Or(c.Function, "an unknown function")))
	for e := c.Exception; e != nil; e = e.Inner {
		fmt.Fprintf(&b, "\n%s", strings.TrimSpace(e.title()))
	}
	if c.Snapshot != nil && len(c.Snapshot.Lines) > 0 {
		b.WriteString("\n\n" + c.Snapshot.Format())
	}
	if !c.Locals.IsZero() {
		b.WriteString("\n\nlocals")
		for _, v := range c.Locals.Items {
			fmt.Fprintf(&b, "\n  %s = %s", v.Name, v.Value)
			if v.cut() != nil && !strings.HasSuffix(v.Value, "…") {
				b.WriteString("…")
			}
			if v.Type != "" {
				fmt.Fprintf(&b, "  (%s)", v.Type)
			}
		}
		b.WriteString(rest(c.Locals.omission(len(c.Locals.Items))))
	}
	if !c.Stack.IsZero() {
		b.WriteString("\n\nstack")
		for _, line := range c.Stack.lines() {
			b.WriteString("\n  " + line)
		}
		b.WriteString(rest(c.Stack.omission(len(c.Stack.Frames))))
	}
	return b.String()
}

// Omitted is what is missing in the context, with the calls that get it.
func (c *Context) Omitted() []Omission { return c.omissions() }

// rest says how many rows are missing.
func rest(missing []Omission) string {
	if len(missing) == 0 {
		return ""
	}
	if o := missing[0]; o.Total > 0 {
		return fmt.Sprintf("\n  … and %d more", o.Total-o.Shown)
	}
	return "\n  … and more"
}

// title is an exception without its stack.
func (e *Exception) title() string {
	if e.Type == "" || strings.HasPrefix(e.Message, e.Type) {
		return e.Message
	}
	return e.Type + ": " + e.Message
}
