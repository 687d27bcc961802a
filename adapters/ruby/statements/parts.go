package statements

import (
	"slices"
	"strings"

	"aidb-mcp/internal/text/exprsyntax"
)

// Parts takes a statement apart into the expressions that it evaluates, in the order in which
// it does. What may be an attribute is taken for one, and is told from a call where the program
// stands. Blocks are left out, which run by themselves, and so are literals, classes and the
// place that is assigned to.
func Parts(text string) []exprsyntax.Part {
	s, ok := parse(text)
	if !ok {
		return nil
	}
	p := partsReader{statement: &s}
	for _, c := range s.conditions {
		p.take(c, exprsyntax.Plain, "")
	}
	if s.loop != nil {
		p.take(s.loop, exprsyntax.Plain, "")
	}
	for _, v := range s.values {
		p.take(v, exprsyntax.Plain, "")
	}
	return p.list
}

type partsReader struct {
	*statement
	list   []exprsyntax.Part
	behind []exprsyntax.Guard // of what is taken now
}

var (
	comparing = strings.Fields("== != < > <= >= === =~ !~ <=>")
	dividing  = strings.Fields("/ %")
	indexing  = strings.Fields("fetch at dig") // methods that take an element
)

// take adds what an expression evaluates, and what is then done with its value.
func (p *partsReader) take(n *node, use exprsyntax.Use, index string) {
	switch n.form {
	case literal, closure, unknown:
		return
	case read:
		if n.name == "self" || isConstant(n.name) && use != exprsyntax.Indexed {
			return
		}
		p.add(n, use, index, false)
	case call:
		p.takeCall(n, use, index)
	case element:
		p.take(n.of, exprsyntax.Indexed, p.texts(n.given))
		p.takeAll(n.given)
		p.add(n, use, index, n.find(func(x *node) bool { return x.form == call && !x.isMember() }) != nil)
	case operator:
		p.takeOperator(n)
	case choice:
		p.takeChoice(n)
	case assigned:
		p.takeAssigned(n)
	default:
		p.takeAll(n.given)
	}
}

// takeChoice adds what one of several is chosen from: all but what stands first may be left out.
func (p *partsReader) takeChoice(n *node) {
	guard, wants := n.of, []exprsyntax.Outcome{exprsyntax.Holds, exprsyntax.Fails}
	given := n.given
	if guard == nil && n.name != "" {
		guard, given, wants = given[0], given[1:], wants[map[string]int{"&&": 0, "||": 1}[n.name]:]
	}
	if guard == nil {
		p.takeAll(given)
		return
	}
	p.take(guard, exprsyntax.Plain, "")
	for i, inner := range given {
		behind := p.behind
		p.behind = append(slices.Clone(behind), exprsyntax.Guard{Text: p.text(guard), Wants: wants[min(i, len(wants)-1)]})
		p.take(inner, exprsyntax.Plain, "")
		p.behind = behind
	}
}

func (p *partsReader) takeAll(list []*node) {
	for _, n := range list {
		p.take(n, exprsyntax.Plain, "")
	}
}

func (p *partsReader) takeCall(n *node, use exprsyntax.Use, index string) {
	switch {
	case n.of == nil:
	case slices.Contains(indexing, n.name) && len(n.given) > 0:
		p.take(n.of, exprsyntax.Indexed, p.text(n.given[0]))
	default:
		p.take(n.of, exprsyntax.Opened, "")
	}
	p.takeAll(n.given)
	if n.of == nil && !n.bare && slices.Contains([]string{"raise", "puts", "print", "p"}, n.name) {
		return
	}
	p.add(n, use, index, !n.isMember())
}

// isMember says that a call may be that of an attribute, or a variable's name: what it is, is
// known where the program stands.
func (n *node) isMember() bool {
	return n.bare && !n.block && (n.of != nil || !slices.Contains(doing, n.name)) && !strings.HasSuffix(n.name, "!")
}

func (p *partsReader) takeOperator(n *node) {
	for i, inner := range n.given {
		switch {
		case i == 0 && len(n.given) == 2 && slices.Contains(comparing, n.name):
			p.take(inner, exprsyntax.Compared, "")
		case i == 0 && len(n.given) == 2:
			p.take(inner, exprsyntax.Opened, "") // an operator is a method of what stands before it
		case i == 1 && slices.Contains(dividing, n.name):
			p.take(inner, exprsyntax.Divides, "")
		default:
			p.take(inner, exprsyntax.Plain, "")
		}
	}
}

func (p *partsReader) takeAssigned(n *node) {
	if n.name != "=" && n.name != "" && n.targets[0].form != element {
		p.take(n.targets[0], exprsyntax.Opened, "")
	}
	p.takeAll(n.given)
	for _, t := range n.targets {
		switch {
		case t.form == element:
			p.take(t.of, exprsyntax.Indexed, p.texts(t.given))
			p.takeAll(t.given)
		case t.form == call && t.of != nil:
			p.take(t.of, exprsyntax.Opened, "")
		}
	}
}

func (p *partsReader) texts(list []*node) string {
	var texts []string
	for _, n := range list {
		texts = append(texts, p.text(n))
	}
	return strings.Join(texts, ", ")
}

func isConstant(name string) bool { return name != "" && name[0] >= 'A' && name[0] <= 'Z' }

// add gives each part once, where it is evaluated first, with what is wanted most of it.
func (p *partsReader) add(n *node, use exprsyntax.Use, index string, calls bool) {
	text := p.text(n)
	at := slices.IndexFunc(p.list, func(o exprsyntax.Part) bool { return o.Text == text })
	var behind [][]exprsyntax.Guard
	if len(p.behind) > 0 {
		behind = [][]exprsyntax.Guard{p.behind}
	}
	if at < 0 {
		p.list = append(p.list, exprsyntax.Part{Text: text, Use: use, Index: index, Calls: calls, Behind: behind})
		return
	}
	if known := &p.list[at]; len(known.Behind) == 0 || len(behind) == 0 {
		known.Behind = nil
	} else {
		known.Behind = append(known.Behind, behind...)
	}
	switch {
	case use != exprsyntax.Plain && (p.list[at].Use == exprsyntax.Plain || p.list[at].Use == exprsyntax.Compared):
		p.list[at].Use, p.list[at].Index = use, index
	}
}
