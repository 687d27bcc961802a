package statements

import "slices"

// primary reads a value with nothing behind it.
func (r *reader) primary() *node {
	t := r.peek()
	r.at++
	n := &node{from: t.from, to: t.to, name: t.text}
	switch t.kind {
	case number, text:
		n.form = literal
		if t.text[0] == '`' {
			n.form = call // a command of the system's
		}
	case woven:
		n.form = texts
		n.given = r.woven(t)
	case variable:
		n.form = read
	case constant:
		n.form = read
		if r.peek().is("(") && !r.peek().space { // Integer("1")
			r.arguments(n)
		}
	case name:
		return r.word(n)
	case sign:
		return r.bracket(n)
	default:
		r.at--
		return r.fail()
	}
	return n
}

// woven are the expressions in a text.
func (r *reader) woven(t token) []*node {
	var list []*node
	for i := 0; i+1 < len(t.text); i++ {
		if t.text[i] != '#' || t.text[i+1] != '{' || i > 0 && t.text[i-1] == '\\' {
			continue
		}
		depth, j := 0, i+1
		for ; j < len(t.text); j++ {
			if t.text[j] == '{' {
				depth++
			} else if t.text[j] == '}' {
				if depth--; depth == 0 {
					break
				}
			}
		}
		inner, ok := parse(t.text[i+2 : min(j, len(t.text))])
		if !ok {
			r.failed = true
			return nil
		}
		for _, v := range inner.values {
			v.shift(t.from + i + 2)
			list = append(list, v)
		}
		i = j
	}
	return list
}

// shift moves an expression to where it stands in the source around it.
func (n *node) shift(by int) {
	n.from, n.to = n.from+by, n.to+by
	for _, list := range [][]*node{n.given, n.targets, {n.of}} {
		for _, inner := range list {
			if inner != nil {
				inner.shift(by)
			}
		}
	}
}

// word reads a name or what a keyword begins.
func (r *reader) word(n *node) *node {
	switch n.name {
	case "self":
		n.form = read
		return n
	case "nil", "true", "false", "__FILE__", "__LINE__", "__method__":
		n.form = literal
		return n
	case "yield", "super":
		n.form = call
		r.arguments(n)
		return n
	case "raise": // the most frequent command
	default:
		if isKeyword(n.name) {
			return r.fail()
		}
	}
	n.form, n.bare = call, true
	r.arguments(n)
	return n
}

func (r *reader) bracket(n *node) *node {
	switch n.name {
	case "(":
		r.skipNewlines()
		inner := r.expression()
		r.skipNewlines()
		if !r.accept(")") {
			return r.fail()
		}
		inner.from, inner.to = n.from, r.tokens[r.at-1].to
		return inner
	case "[":
		n.form = made
		n.given, n.names = r.items("]")
	case "{":
		n.form = made
		n.given, n.names = r.items("}")
	case "->":
		n.form = closure
		if r.peek().is("(") {
			r.skip("(", ")")
		}
		for r.peek().kind == name && !r.peek().is("do") || r.peek().is(",") {
			r.at++
		}
		r.blockOf(n)
	case "::":
		n.form = read
		r.at++
	default:
		return r.fail()
	}
	n.to = r.tokens[r.at-1].to
	return n
}

// items reads what stands in brackets until they close, with the names that some have.
func (r *reader) items(closing string) (list []*node, names []string) {
	r.skipNewlines()
	for !r.failed && !r.accept(closing) {
		word := ""
		if t := r.peek(); t.kind == label {
			word = t.text[:len(t.text)-1]
			r.at++
			r.skipNewlines()
			if r.peek().is(",") || r.peek().is(closing) { // {a:}
				list, names = append(list, &node{form: call, bare: true, name: word, from: t.from, to: t.to - 1}), append(names, word)
				r.accept(",")
				r.skipNewlines()
				continue
			}
		}
		item := r.item()
		if r.accept("=>") {
			r.skipNewlines()
			word = "=>"
			item = r.expression()
		}
		list, names = append(list, item), append(names, word)
		r.skipNewlines()
		if !r.accept(",") && !r.peek().is(closing) {
			r.failed = true
		}
		r.skipNewlines()
	}
	return list, names
}

// postfix reads what is taken of a value.
func (r *reader) postfix(n *node) *node {
	for !r.failed {
		t := r.peek()
		switch {
		case t.kind == newline && t.text != ";" && r.continues():
			r.skipNewlines()
		case t.is(".") || t.is("&."):
			r.at++
			r.skipNewlines()
			n = r.member(n)
		case t.is("::") && !t.space:
			r.at++
			if r.peek().kind == constant && (!r.after(1).is("(") || r.after(1).space) {
				n = &node{form: read, of: n, name: r.peek().text, from: n.from, to: r.peek().to}
				r.at++
				continue
			}
			n = r.member(n)
		case t.is("[") && !t.space:
			r.at++
			index := &node{form: element, of: n, from: n.from}
			index.given, _ = r.items("]")
			index.to = r.tokens[r.at-1].to
			n = index
		default:
			return n
		}
	}
	return n
}

// continues says that the next line goes on with .name.
func (r *reader) continues() bool {
	i := 0
	for r.after(i).kind == newline {
		i++
	}
	return r.after(i).is(".") || r.after(i).is("&.")
}

// member reads the name of a method with what it is given.
func (r *reader) member(of *node) *node {
	t := r.peek()
	n := &node{form: call, of: of, name: t.text, from: of.from, to: t.to, bare: true}
	switch {
	case t.is("("): // f.(x)
		n.name, n.to = "call", t.from
	case t.kind == name || t.kind == constant || t.kind == sign && slices.Contains([]string{"+", "-", "*", "/", "<<", "==", "[]"}, t.text):
		r.at++
	case t.kind == label: // a ? b.c : d, where the scanner saw c:
		return r.fail()
	default:
		return r.fail()
	}
	r.arguments(n)
	return n
}

// arguments reads those of a call, in brackets or without, and passes over its block.
func (r *reader) arguments(n *node) {
	t := r.peek()
	switch {
	case t.is("(") && !t.space:
		r.at++
		n.form, n.bare = call, false
		n.given, n.names = r.items(")")
		n.to = r.tokens[r.at-1].to
	case r.isCommand(t):
		n.bare = false
		n.given, n.names = r.command()
		n.to = r.tokens[r.at-1].to
	}
	r.blockOf(n)
}

// isCommand says that arguments without brackets follow a name.
func (r *reader) isCommand(t token) bool {
	if !t.space || r.nested > mostNested {
		return false
	}
	next := r.after(1)
	switch t.kind {
	case number, text, woven, variable, constant, label:
		return true
	case name:
		return !isKeyword(t.text) || slices.Contains([]string{"self", "nil", "true", "false", "not", "defined?", "super"}, t.text)
	case sign:
		tight := !next.space && next.kind != newline && next.kind != end
		return t.text == "->" || t.text == "(" || t.text == "[" && tight || (t.text == "*" || t.text == "&" || t.text == "-" || t.text == "!" || t.text == "**" || t.text == "::") && tight
	}
	return false
}

// command reads arguments without brackets.
func (r *reader) command() (list []*node, names []string) {
	for !r.failed {
		word := ""
		if t := r.peek(); t.kind == label {
			word = t.text[:len(t.text)-1]
			r.at++
			r.skipNewlines()
		}
		item := r.item()
		if r.accept("=>") {
			word = "=>"
			item = r.expression()
		}
		list, names = append(list, item), append(names, word)
		if !r.accept(",") {
			break
		}
		r.skipNewlines()
	}
	return list, names
}

// blockOf passes over the block that a call is given: it runs by itself, if it does.
func (r *reader) blockOf(n *node) {
	switch t := r.peek(); {
	case t.is("{") && n.form != read:
		r.skip("{", "}")
	case t.is("do"):
		for r.peek().kind != end {
			r.at++
		}
	default:
		return
	}
	n.block, n.bare = true, false
	n.to = r.tokens[max(r.at-1, 0)].to
}

// skip passes over brackets with all that is in them.
func (r *reader) skip(open, closing string) {
	depth := 0
	for r.peek().kind != end {
		t := r.peek()
		r.at++
		if t.is(open) || open == "{" && t.text == "#{" {
			depth++
		} else if t.is(closing) {
			if depth--; depth == 0 {
				return
			}
		}
	}
	r.failed = true
}
