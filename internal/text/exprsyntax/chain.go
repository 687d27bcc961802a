package exprsyntax

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
	made  bool // it is no more than what new makes, or what a macro does
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
		s.splitWithin(t.text)
	default:
		c.bare = t.kind == number || slices.Contains(constant, t.text)
		s.at++
	}
	for s.at < end && c.advance(end) {
	}
	if !c.bare && !c.tellsNothing() && (!c.writes || c.depth > 1 || use != Plain) {
		c.addPart(use, "")
	}
}

// tellsNothing says that the value of the chain tells nothing: what an assertion returns, or
// what new does, the streams and functions of a library.
func (c *chain) tellsNothing() bool {
	text := c.text[c.from:c.to]
	if c.calls {
		name, _, _ := strings.Cut(text, "(")
		return c.made || asserts.MatchString(name)
	}
	return c.typed && (strings.HasPrefix(text, "std::") || !c.arrows && strings.Contains(text, "::"))
}

// addPart notes the chain as far as it is read.
func (c *chain) addPart(use Use, index string) {
	c.parts = append(c.parts, Part{Text: c.text[c.from:c.to], Use: use, Index: index, Calls: c.calls})
}

// group takes what stands in brackets at the beginning: a value, a list, a table.
func (c *chain) group(end int) {
	if c.writes && c.depth == 1 { // a pattern, whose names are assigned to
		c.depth--
		defer func() { c.depth++ }()
	}
	closed := min(c.closingToken(c.at), end)
	before := len(c.parts)
	table := c.tokens[c.at].is("{")
	c.at++
	if table {
		c.table(closed)
	} else {
		c.walk(closed)
	}
	c.calls = slices.ContainsFunc(c.parts[before:], func(p Part) bool { return p.Calls })
	c.closeGroup(closed)
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
				to = min(c.closingToken(to), end)
			}
			to++
		}
		c.walk(min(to, end))
		c.at = min(to, end) + 1
	}
	c.at = end
}

// closeGroup passes over the bracket that ends a group, and has it belong to the chain.
func (c *chain) closeGroup(closed int) {
	c.at = closed
	if closed < len(c.tokens) {
		c.to = c.tokens[closed].to
		c.at = closed + 1
	} else {
		c.to = len(c.text)
	}
}

// advance takes what follows of the chain; false at its end.
func (c *chain) advance(end int) bool {
	t := c.tokens[c.at]
	switch {
	case (t.is(".") || t.is("?.") || t.is("->") && c.arrows) && c.at+1 < end && c.tokens[c.at+1].kind != sign:
		return c.member(t)
	case t.is(".") && c.at+1 < end && c.tokens[c.at+1].is("("):
		return c.assertion(end)
	case t.is("::") && c.at+1 < end:
		c.at += 2
		if c.tokens[c.at-1].is("<") {
			if after := c.angles(c.at-1, end); after > 0 {
				c.at = after
			}
		}
		c.to = c.tokens[c.at-1].to
		return true
	case t.is("<") && c.typed && c.path:
		return c.generic(end)
	case t.is("!") && c.at+1 < end && !c.tokens[c.at+1].is("="), t.is("?") && c.ends(end): // a macro, not null; or else the function returns
		c.at++
		c.to = t.to
		if c.rust && t.is("!") && c.path && c.at < end && c.tokens[c.at].opens() {
			c.call(end)
			c.made = true
		}
		return true
	case t.is("("), t.is("?.") && c.next("("):
		return c.call(end)
	case t.is("["), t.is("?.") && c.next("["):
		return c.element(end)
	}
	return false
}

// assertion passes over the type that a value is said to be of: x.(int).
func (c *chain) assertion(end int) bool {
	closed := min(c.closingToken(c.at+1), end)
	if closed == c.at+2 {
		return false
	}
	asks := c.tokens[c.at+2].text == "type"
	c.at++
	c.addPart(Opened, "")
	c.closeGroup(closed)
	c.path, c.bare, c.made = false, asks, false
	return true
}

// generic passes over the types of one that is called, or whose member is taken.
func (c *chain) generic(end int) bool {
	at := c.angles(c.at, end)
	if at < 0 || at >= end || !c.tokens[at].is("(") && !c.tokens[at].is("::") && !c.tokens[at].is("{") {
		return false
	}
	cast := strings.HasSuffix(c.text[c.from:c.to], "_cast")
	c.at, c.to = at, c.tokens[at-1].to
	if cast && c.call(end) {
		c.made = true
	}
	return true
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
		if !c.calls || !c.tellsNothing() {
			c.addPart(use, "")
		}
	}
	name := c.tokens[c.at+1]
	c.at += 2
	c.to, c.path, c.bare, c.made = name.to, false, false, false
	return true
}

func (c *chain) call(end int) bool {
	if c.tokens[c.at].is("?.") {
		c.at++
	}
	closed := min(c.closingToken(c.at), end)
	taken := c.takes(closed)
	harmless := !c.calls && c.harmless()
	if taken == "" && !harmless && !c.path && !c.bare && !c.calls && !c.rust && (!c.typed || c.arrows) {
		c.addPart(Called, "")
	}
	inner := c.compares(closed)
	c.at++
	before := len(c.parts)
	c.walk(inner)
	if taken != "" {
		c.index(before, taken)
	}
	c.closeGroup(closed)
	within := slices.ContainsFunc(c.parts[before:], func(p Part) bool { return p.Calls })
	c.calls, c.path, c.bare, c.made = within || !harmless, false, false, c.makes()
	if c.typed && c.tellsNothing() && c.at < end && c.tokens[c.at].is("<<") { // what is only said when it fails
		c.at = end
	}
	return true
}

// harmless says that the call that is read is of what the language's debugger evaluates
// itself, like an operator.
func (c *chain) harmless() bool {
	return c.evaluated.MatchString(c.text[c.from:c.to])
}

// compares is where the arguments of a call end that are evaluated: those behind the
// values that a macro of Rust's compares are for its message.
func (c *chain) compares(closed int) int {
	name := c.text[c.from:c.to]
	if !c.rust || !asserts.MatchString(name) {
		return closed
	}
	at := c.argument(c.at+1, closed)
	if at < closed && (strings.HasSuffix(name, "_eq!") || strings.HasSuffix(name, "_ne!")) {
		at = c.argument(at+1, closed)
	}
	return at
}

// makes says that the call is that of new, or makes what is thrown.
func (c *chain) makes() bool {
	at := slices.IndexFunc(c.tokens, func(t token) bool { return t.from == c.from })
	return at > 0 && c.typed && c.tokens[at-1].kind == word && (c.tokens[at-1].text == "new" || c.tokens[at-1].text == "throw")
}

// takes is what a method that gets one element is given: of that whose element it is,
// which is noted already, it is the index. Empty where the call is another.
func (c *chain) takes(closed int) string {
	text := c.text[c.from:c.to]
	dot := strings.LastIndexAny(text, ".>")
	if dot < 1 || !slices.Contains(gets, strings.TrimSpace(text[dot+1:])) || closed <= c.at+1 || closed >= len(c.tokens) {
		return ""
	}
	owner := strings.TrimSpace(strings.TrimSuffix(text[:dot], "-"))
	first := c.argument(c.at+1, closed)
	for i := range c.parts {
		if p := &c.parts[i]; p.Text == owner && p.Use == Opened {
			p.Use, p.Index = Indexed, strings.TrimLeft(strings.TrimSpace(c.text[c.tokens[c.at].to:c.tokens[first].from]), "&")
			return p.Index
		}
	}
	return ""
}

// index notes one that is no part as it stands: i + 1.
func (c *chain) index(before int, index string) {
	within := slices.ContainsFunc(c.parts[before:], func(p Part) bool { return p.Calls })
	if len(c.parts) > before && index != "" && index[0] > '9' && !slices.ContainsFunc(c.parts[before:], func(p Part) bool { return p.Text == index }) {
		c.parts = append(c.parts, Part{Text: index, Calls: within})
	}
}

func (c *chain) element(end int) bool {
	if c.tokens[c.at].is("?.") {
		c.at++
	}
	closed := min(c.closingToken(c.at), end)
	from, to := c.tokens[c.at].to, len(c.text)
	if closed < len(c.tokens) {
		to = c.tokens[closed].from
	}
	if !c.bare {
		c.addPart(Indexed, strings.TrimSpace(c.text[from:to]))
	}
	c.at++
	before := len(c.parts)
	c.walk(closed)
	within := slices.ContainsFunc(c.parts[before:], func(p Part) bool { return p.Calls })
	index := strings.TrimSpace(c.text[from:to])
	if bounds := strings.Split(index, ".."); len(bounds) > 1 {
		for _, bound := range bounds {
			c.index(before, strings.TrimSpace(strings.TrimPrefix(bound, "=")))
		}
	} else if len(c.parts) > before && c.parts[len(c.parts)-1].Text != index {
		c.parts = append(c.parts, Part{Text: index, Calls: within}) // i + 1
	}
	c.calls = c.calls || within
	c.closeGroup(closed)
	c.path = false
	return true
}

// splitWithin takes the expressions that stand in a text: f"{x}", `${x}`.
func (s *splitter) splitWithin(text string) {
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
