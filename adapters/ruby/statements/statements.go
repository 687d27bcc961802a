// Package statements reads statements of Ruby: what they evaluate, what the value may be
// that they put somewhere or give back, and whether an expression only reads. It is pure,
// and no Ruby runs for it. What it does not understand it takes for more than that.
//
// A name alone is taken for a variable, which a method without arguments looks like, and an
// operator for what the language's own types make of it: what a program has defined there,
// no text can tell.
package statements

import (
	"errors"
	"slices"
	"strings"

	"aidb-mcp/internal/text/exprsyntax"
)

// Language reads the statements of Ruby.
type Language struct{}

// Reads is nil when an expression only reads, else says why not. A call of what the language's
// own types have for reading is none: list.size. One that may be an attribute's may call.
func Reads(text string) error {
	if strings.TrimSpace(text) == "" {
		return errors.New("it is empty")
	}
	s, ok := parse(text)
	if !ok || len(s.values) != 1 || len(s.conditions) > 0 || s.loop != nil || !s.gives {
		return exprsyntax.ErrStatement
	}
	if s.values[0].to < len(strings.TrimRight(text, " \t\n")) { // what follows is not understood
		return exprsyntax.ErrStatement
	}
	return s.values[0].effect()
}

// doing are methods without a receiver that do something, and are called without arguments.
var doing = strings.Fields(`gets readline readlines exit exit! abort raise fail sleep fork puts print p pp binding loop rand srand yield super
	require load system exec trap at_exit caller throw catch proc lambda sh byebug debugger`)

// looking are methods of the language's own types that only look.
var looking = strings.Fields(`size length count nil? empty? any? none? zero? positive? negative? even? odd? abs class is_a? kind_of? instance_of? respond_to?
	frozen? include? member? key? has_key? value? first last keys values min max sum to_s to_i to_f to_sym to_a inspect hash object_id dig at fetch
	start_with? end_with? match? upcase downcase strip ord chr round floor ceil between? equal? eql? instance_variable_get instance_variables`)

// effect is what an expression does beyond reading.
func (n *node) effect() error {
	var may error
	switch n.form {
	case assigned:
		return exprsyntax.ErrAssigns
	case unknown:
		return exprsyntax.ErrStatement
	case texts:
		return exprsyntax.ErrCalls // what stands in it is made a text of by a method of its own
	case call:
		isReading := n.of != nil && slices.Contains(looking, n.name) || n.of == nil && n.isMember() && !strings.HasSuffix(n.name, "?") // no local is called so
		switch {
		case n.block || !isReading && (n.of == nil || !n.isMember()):
			return exprsyntax.ErrCalls
		case !isReading:
			may = exprsyntax.ErrMayCall
		}
	case operator:
		if n.name == "<<" {
			return exprsyntax.ErrAssigns
		}
		if n.name == "*" && len(n.given) == 1 {
			return exprsyntax.ErrCalls // a splat makes a list of anything
		}
	}
	for _, inner := range n.inner() {
		switch err := inner.effect(); {
		case errors.Is(err, exprsyntax.ErrMayCall):
			may = err
		case err != nil:
			return err
		}
	}
	return may
}

// inner are the expressions that an expression evaluates, in the order in which it does.
func (n *node) inner() []*node {
	var list []*node
	if n.of != nil {
		list = append(list, n.of)
	}
	if n.form == assigned {
		return append(append(list, n.given...), n.targets...)
	}
	return append(list, n.given...)
}

// Sources are what the value may be that a statement puts somewhere or gives back.
func (Language) Sources(text string) []exprsyntax.Source {
	s, ok := parse(text)
	switch {
	case !ok:
		return nil
	case s.loop != nil:
		return []exprsyntax.Source{{Text: s.text(s.loop), Kind: exprsyntax.Element}}
	case !s.gives:
		for _, c := range s.conditions {
			if found := c.find(func(n *node) bool { return n.form == assigned }); found != nil {
				return s.sources(found)
			}
		}
		return []exprsyntax.Source{{Text: strings.TrimSpace(firstLine(text))}}
	}
	var list []exprsyntax.Source
	for _, v := range s.values {
		list = append(list, s.sources(v)...)
	}
	return list
}

// find is the first expression in one, itself too, that is so.
func (n *node) find(is func(*node) bool) *node {
	if is(n) {
		return n
	}
	for _, inner := range n.inner() {
		if found := inner.find(is); found != nil {
			return found
		}
	}
	return nil
}

func (s *statement) text(n *node) string {
	return exprsyntax.OneLine(s.source[max(n.from, 0):min(n.to, len(s.source))])
}

func (s *statement) sources(n *node) []exprsyntax.Source {
	of := exprsyntax.Source{Text: s.text(n)}
	switch n.form {
	case literal:
		of.Kind = exprsyntax.Literal
	case read:
		of.Kind = exprsyntax.Read
	case element:
		return s.elementSource(n, of)
	case call:
		of.Kind, of.Name, of.Given = exprsyntax.Returned, n.called(), s.given(n)
	case choice:
		return s.all(n.given)
	case operator:
		if n.name == "<<" {
			of.Kind, of.Name, of.Given = exprsyntax.Returned, "<<", s.sources(n.given[1])
		}
	case assigned:
		switch n.name {
		case "=", "":
			return s.all(n.given)
		case "||=", "&&=":
			return append(s.sources(n.targets[0]), s.all(n.given)...)
		}
	case made:
		list := s.all(n.given)
		for i := range list {
			list[i].Part = true
		}
		if len(list) > 0 {
			return list
		}
		of.Kind = exprsyntax.Literal
	}
	return []exprsyntax.Source{of}
}

// elementSource: of the result of a call something is taken.
func (s *statement) elementSource(n *node, of exprsyntax.Source) []exprsyntax.Source {
	of.Kind = exprsyntax.Read
	for base := n.of; base != nil; base = base.of {
		if base.form == call && !base.bare {
			of.Kind, of.Name, of.Taken, of.Given = exprsyntax.Returned, base.called(), true, s.given(base)
			break
		}
	}
	return []exprsyntax.Source{of}
}

// called is the name by which a call is told: that of the class where it makes an object.
func (n *node) called() string {
	if n.name == "new" && n.of != nil && n.of.form == read {
		return n.of.name
	}
	return n.name
}

func (s *statement) given(n *node) []exprsyntax.Source { return s.all(n.given) }

func (s *statement) all(list []*node) []exprsyntax.Source {
	var found []exprsyntax.Source
	for _, n := range list {
		found = append(found, s.sources(n)...)
	}
	return found
}

// Calls are the arguments of each call of a function that a statement makes. What is assigned
// to an attribute is the argument of the method of its name.
func (Language) Calls(text, function string) [][]exprsyntax.Argument {
	s, ok := parse(text)
	if !ok {
		return nil
	}
	var calls [][]exprsyntax.Argument
	var look func(n *node)
	look = func(n *node) {
		switch {
		case n.form == assigned && n.name == "=" && len(n.targets) == 1 && n.targets[0].form == call && n.targets[0].of != nil && n.targets[0].name == function:
			calls = append(calls, []exprsyntax.Argument{{Sources: s.all(n.given)}})
			look(n.given[0])
			return
		case n.form == call && (n.name == function || n.called() == function) && (!n.bare || n.of != nil):
			calls = append(calls, s.arguments(n))
		}
		for _, inner := range n.inner() {
			look(inner)
		}
	}
	for _, n := range append(slices.Clone(s.conditions), s.values...) {
		look(n)
	}
	return calls
}

func (s *statement) arguments(n *node) []exprsyntax.Argument {
	var list []exprsyntax.Argument
	for i, given := range n.given {
		a := exprsyntax.Argument{Sources: s.sources(given)}
		if i < len(n.names) && n.names[i] != "=>" {
			a.Name = n.names[i]
		}
		list = append(list, a)
	}
	return list
}
