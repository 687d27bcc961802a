package statements

import (
	"slices"
	"strings"

	"aidb-mcp/internal/text/exprsyntax"
)

// Written are the statements of a line, without the conditions under which they run. What a
// condition assigns is one, too.
func (Language) Written(text string) []exprsyntax.Written {
	s, ok := parse(text)
	if !ok || s.loop != nil || len(s.values) == 0 {
		return nil
	}
	var list []exprsyntax.Written
	for _, n := range s.values {
		list = append(list, s.written(n)...)
	}
	for _, c := range s.conditions {
		if found := c.find(func(n *node) bool { return n.form == assigned }); found != nil {
			list = append(list, exprsyntax.Written{Targets: found.targetNames(), Reads: s.text(c)})
		}
	}
	return list
}

// written are the statements that a value is: each that can be chosen.
func (s *statement) written(n *node) (list []exprsyntax.Written) {
	if n.form == choice && n.of != nil {
		for _, given := range n.given {
			if given.to > given.from {
				list = append(list, s.written(given)...)
			}
		}
		return list
	}
	of := exprsyntax.Written{Targets: n.targetNames(), Reads: s.text(n)}
	if n.form == assigned && (n.name == "=" || n.name == "") {
		of.Reads = ""
		for _, t := range n.targets {
			for ; t != nil && t.form == element; t = t.of {
				for _, place := range t.given {
					of.Reads += s.text(place) + " "
				}
			}
		}
		for _, given := range n.given {
			of.Reads += s.text(given) + " "
		}
	}
	return []exprsyntax.Written{of}
}

// targetNames are the last names of what is assigned to, or of what a method is called of.
func (n *node) targetNames() (names []string) {
	if n.form != assigned {
		for of := n.of; of != nil; of = of.of {
			names = append(names, bareName(of.name))
		}
		return names
	}
	for _, t := range n.targets {
		for t.form == element && t.of != nil {
			t = t.of
		}
		names = append(names, bareName(t.name))
	}
	for _, given := range n.given { // a = b = c
		if given.form == assigned {
			names = append(names, given.targetNames()...)
		}
	}
	return slices.DeleteFunc(names, func(name string) bool { return name == "" })
}

func bareName(name string) string { return strings.TrimLeft(name, "@$") }
