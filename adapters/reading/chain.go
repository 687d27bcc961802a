package reading

import (
	"slices"
	"strings"
)

// chain is a value with what is taken of it: a.b[i].c(x).
type chain struct {
	*splitter
	from  int  // in the text
	to    int  // in the text
	calls bool // it makes a call
	bare  bool // nothing of it is worth showing: a literal, a constant, a group
	path  bool // only names so far, so that a call of it opens nothing
}

// chain takes one whose value is then used.
func (s *splitter) chain(end int, use Use) {
	t := s.tokens[s.at]
	c := chain{splitter: s, from: t.from, to: t.to, path: true}
	switch {
	case t.opens():
		c.group(end)
	case t.kind == quotedText:
		c.bare, c.path = true, false
		s.at++
		s.within(t.text)
	default:
		c.bare = t.kind == number || slices.Contains(constant, t.text)
		s.at++
	}
	for s.at < end && c.more(end) {
	}
	if !c.bare && (!c.writes || c.depth > 1 || use != Plain) {
		c.part(use, "")
	}
}

// part notes the chain as far as it is read.
func (c *chain) part(use Use, index string) {
	c.parts = append(c.parts, Part{Text: c.text[c.from:c.to], Use: use, Index: index, Calls: c.calls})
}

// group takes what stands in brackets at the beginning: a value, a list, a table.
func (c *chain) group(end int) {
	if c.writes && c.depth == 1 { // a pattern, whose names are assigned to
		c.depth--
		defer func() { c.depth++ }()
	}
	closed := min(c.closed(c.at), end)
	before := len(c.parts)
	table := c.tokens[c.at].is("{")
	c.at++
	if table {
		c.table(closed)
	} else {
		c.walk(closed)
	}
	c.calls = slices.ContainsFunc(c.parts[before:], func(p Part) bool { return p.Calls })
	c.close(closed)
	c.bare, c.path = true, false
}

// table takes the values of {a: x, b: y}, whose names are none of the program's.
func (c *chain) table(end int) {
	for c.at < end {
		if c.tokens[c.at].kind == word && c.next(":") {
			c.at += 2
			continue
		}
		to := c.at
		for to < end && !c.tokens[to].is(",") {
			if c.tokens[to].opens() {
				to = min(c.closed(to), end)
			}
			to++
		}
		c.walk(min(to, end))
		c.at = min(to, end) + 1
	}
	c.at = end
}

// close passes over the bracket that ends a group, and has it belong to the chain.
func (c *chain) close(closed int) {
	c.at = closed
	if closed < len(c.tokens) {
		c.to = c.tokens[closed].to
		c.at = closed + 1
	} else {
		c.to = len(c.text)
	}
}

// more takes what follows of the chain; false at its end.
func (c *chain) more(end int) bool {
	t := c.tokens[c.at]
	switch {
	case (t.is(".") || t.is("?.") || t.is("->")) && c.at+1 < end && c.tokens[c.at+1].kind != sign:
		return c.member(t)
	case t.is("::") && c.at+1 < end:
		c.at += 2
		c.to = c.tokens[c.at-1].to
		return true
	case t.is("!") && c.at+1 < end && !c.tokens[c.at+1].is("="), t.is("?") && c.ends(end): // a macro, not null; or else the function returns
		c.at++
		c.to = t.to
		return true
	case t.is("("), t.is("?.") && c.next("("):
		return c.call(end)
	case t.is("["), t.is("?.") && c.next("["):
		return c.element(end)
	}
	return false
}

// ends says that nothing follows which could be the rest of a ? b : c.
func (c *chain) ends(end int) bool {
	if c.at+1 >= end {
		return true
	}
	t := c.tokens[c.at+1]
	return t.is(".") || t.closes() || t.is(";") || t.is(",")
}

func (c *chain) member(t token) bool {
	if !c.bare || c.calls {
		use := Opened
		if t.is("?.") {
			use = Plain
		}
		c.part(use, "")
	}
	name := c.tokens[c.at+1]
	c.at += 2
	c.to, c.path, c.bare = name.to, false, false
	return true
}

func (c *chain) call(end int) bool {
	if !c.path && !c.bare && !c.calls {
		c.part(Called, "")
	}
	if c.tokens[c.at].is("?.") {
		c.at++
	}
	closed := min(c.closed(c.at), end)
	c.at++
	c.walk(closed)
	c.close(closed)
	c.calls, c.path, c.bare = true, false, false
	return true
}

func (c *chain) element(end int) bool {
	if c.tokens[c.at].is("?.") {
		c.at++
	}
	closed := min(c.closed(c.at), end)
	from, to := c.tokens[c.at].to, len(c.text)
	if closed < len(c.tokens) {
		to = c.tokens[closed].from
	}
	if !c.bare {
		c.part(Indexed, strings.TrimSpace(c.text[from:to]))
	}
	c.at++
	before := len(c.parts)
	c.walk(closed)
	within := slices.ContainsFunc(c.parts[before:], func(p Part) bool { return p.Calls })
	if index := strings.TrimSpace(c.text[from:to]); len(c.parts) > before && c.parts[len(c.parts)-1].Text != index {
		c.parts = append(c.parts, Part{Text: index, Calls: within}) // i + 1
	}
	c.calls = c.calls || within
	c.close(closed)
	c.path = false
	return true
}

// within takes the expressions that stand in a text: f"{x}", `${x}`.
func (s *splitter) within(text string) {
	open := "{"
	if strings.HasPrefix(text, "`") {
		open = "${"
	} else if !strings.ContainsAny(text[:min(3, len(text))], "fF") || !s.slices {
		return
	}
	for {
		_, rest, found := strings.Cut(text, open)
		if !found {
			return
		}
		expression, after, _ := strings.Cut(rest, "}")
		expression, _, _ = strings.Cut(expression, "!")
		if format := strings.LastIndexByte(expression, ':'); format > strings.LastIndexByte(expression, ']') {
			expression = expression[:format]
		}
		s.parts = append(s.parts, s.Parts(expression)...)
		text = after
	}
}
