package statements

import (
	"slices"
	"strings"
)

// form is what a node is.
type form int

const (
	unknown  form = iota
	literal       // nothing of it is looked up: 1, "a", nil, :b
	read          // a variable, self, a constant
	call          // also of a name alone, which may be a local
	element       // a[i]
	choice        // one of several: a ? b : c, a || b
	operator      // a + b, !a
	assigned      // a = b
	made          // [a, b], {a: b}
	closure       // ->(x) { … }
	texts         // with expressions in it
)

// node is an expression.
type node struct {
	form     form
	from, to int // in the source
	name     string
	of       *node   // whose method, element or scope it is; the condition of a choice
	given    []*node // arguments, operands, elements, what can be chosen
	names    []string
	bare     bool // of a call: a name without brackets and arguments
	block    bool // of a call: it is given a block
	targets  []*node
}

var keywords = strings.Fields(`and or not if unless while until then else elsif end do case when in for begin rescue ensure return next break
	yield super self nil true false defined? redo retry class module def alias undef`)

// Reserved says of a word that it is none of the program's names.
func (Language) Reserved(word string) bool { return isKeyword(word) }

func isKeyword(word string) bool { return slices.Contains(keywords, word) }

// openers begin a block of statements.
var openers = strings.Fields("if unless while until case for begin class module def else elsif when ensure rescue in")

// statement is a statement that was read.
type statement struct {
	source     string
	conditions []*node // which it runs under: x = 1 if y, and the head of a block
	values     []*node // what it evaluates
	loop       *node   // what a for goes through
	gives      bool    // it is no head: its value is one
}

// reader reads the tokens of one statement.
type reader struct {
	tokens []token
	at     int
	failed bool
	nested int // brackets around
}

// mostNested bounds what one expression may have in it.
const mostNested = 100

// parse reads the statement that stands in the first line, and in those in which it goes on; ok is
// false where it is not understood.
func parse(source string) (s statement, ok bool) {
	tokens, ok := scan(source)
	if !ok {
		tokens, ok = scan(firstLine(source))
		if !ok {
			return s, false
		}
	}
	r := &reader{tokens: tokens}
	s = statement{source: source}
	for !r.failed && r.peek().kind != end {
		if r.peek().kind == newline {
			if r.peek().text != ";" {
				break
			}
			r.at++
			continue
		}
		r.statement(&s)
		if t := r.peek(); t.kind != newline && t.kind != end {
			break
		}
	}
	return s, !r.failed
}

func firstLine(source string) string {
	line, _, _ := strings.Cut(source, "\n")
	return line
}

func (r *reader) peek() token { return r.tokens[min(r.at, len(r.tokens)-1)] }

func (r *reader) after(n int) token { return r.tokens[min(r.at+n, len(r.tokens)-1)] }

func (r *reader) accept(text string) bool {
	if r.peek().is(text) {
		r.at++
		return true
	}
	return false
}

func (r *reader) fail() *node {
	r.failed = true
	return &node{}
}

// statement reads one, with what stands behind it.
func (r *reader) statement(s *statement) {
	first := r.peek()
	if first.kind == name && slices.Contains(openers, first.text) {
		r.head(s)
		return
	}
	s.gives = true
	var list []*node
	if r.accept("return") || r.accept("next") || r.accept("break") {
		if t := r.peek(); t.kind != newline && t.kind != end && !isModifier(t) {
			list = r.list()
		}
	} else {
		list = []*node{r.expression()}
		list = r.several(list)
	}
	for r.peek().is("and") || r.peek().is("or") {
		word := map[bool]string{true: "&&", false: "||"}[r.peek().is("and")]
		r.at++
		left, right := list[len(list)-1], r.expression()
		list[len(list)-1] = &node{form: choice, name: word, from: left.from, to: right.to, given: []*node{left, right}}
	}
	for isModifier(r.peek()) {
		rescued := r.peek().is("rescue")
		r.at++
		other := r.expression()
		if rescued {
			list = append(list, other)
		} else {
			s.conditions = append([]*node{other}, s.conditions...)
		}
	}
	s.values = append(s.values, list...)
}

func isModifier(t token) bool {
	return t.kind == name && slices.Contains([]string{"if", "unless", "while", "until", "rescue"}, t.text)
}

// head reads the first line of what has statements in it.
func (r *reader) head(s *statement) {
	word := r.peek().text
	r.at++
	switch word {
	case "if", "elsif", "unless", "while", "until", "case":
		s.conditions = append(s.conditions, r.expression())
		for r.accept("and") || r.accept("or") {
			s.conditions = append(s.conditions, r.expression())
		}
		if len(s.conditions) == 1 && (word == "if" || word == "unless") && r.accept("then") {
			r.branches(s, word == "unless")
		}
	case "when":
		s.conditions = append(s.conditions, r.list()...)
		r.body(s)
	case "in":
		for t := r.peek(); t.kind != end && t.kind != newline && !t.is("then"); t = r.peek() {
			r.at++ // a pattern takes values apart, and calls nothing that is written there
		}
		r.body(s)
	case "else":
		if t := r.peek(); t.kind != end && t.kind != newline {
			r.statement(s)
		}
	case "for":
		for t := r.peek(); t.kind != end && t.kind != newline && !t.is("in"); t = r.peek() {
			r.at++
		}
		if r.accept("in") {
			s.loop = r.expression()
		}
	}
	r.at = len(r.tokens) - 1 // what follows are statements of its own
}

// body reads the statement that stands in the line of its head, behind then.
func (r *reader) body(s *statement) {
	if r.accept("then") {
		r.statement(s)
	}
}

// branches reads what is chosen from in one line: if a then b else c end. Which of them ran is
// what the condition was.
func (r *reader) branches(s *statement, isTurned bool) {
	var yes, no statement
	r.statement(&yes)
	if r.peek().is("else") {
		r.at++
		r.statement(&no)
	}
	if !r.accept("end") || len(yes.values) != 1 || len(yes.conditions)+len(no.conditions) > 0 || len(no.values) > 1 {
		return // it has more in it than is understood
	}
	given := []*node{yes.values[0], {form: literal}}
	if len(no.values) == 1 {
		given[1] = no.values[0]
	}
	if isTurned {
		slices.Reverse(given)
	}
	condition := s.conditions[0]
	s.conditions, s.gives = nil, true
	s.values = []*node{{form: choice, from: condition.from, to: r.tokens[max(r.at-1, 0)].to, of: condition, given: given}}
}

// list reads expressions with commas between them.
func (r *reader) list() []*node {
	list := []*node{r.item()}
	for !r.failed && r.accept(",") {
		r.skipNewlines()
		list = append(list, r.item())
	}
	return list
}

// several reads what follows the first of several targets: a, b = c, d.
func (r *reader) several(list []*node) []*node {
	if !r.peek().is(",") {
		return list
	}
	for r.accept(",") {
		list = append(list, r.item())
	}
	last := list[len(list)-1]
	if last.form == assigned { // a, b = c
		targets := append(slices.Clone(list[:len(list)-1]), last.targets...)
		values := last.given
		for r.accept(",") {
			values = append(values, r.item())
		}
		return []*node{{form: assigned, from: list[0].from, to: r.tokens[max(r.at-1, 0)].to, targets: targets, given: values}}
	}
	return list
}

func (r *reader) item() *node {
	if r.peek().is("*") || r.peek().is("**") || r.peek().is("&") {
		from := r.peek().from
		r.at++
		inner := r.expression()
		return &node{form: operator, name: "*", from: from, to: inner.to, given: []*node{inner}}
	}
	return r.expression()
}

func (r *reader) skipNewlines() {
	for r.peek().kind == newline && r.peek().text != ";" {
		r.at++
	}
}

// assigning are the operators that put something somewhere.
var assigning = strings.Fields("= += -= *= /= %= **= ||= &&= |= &= ^= <<= >>=")

// expression reads an assignment or what is none.
func (r *reader) expression() *node {
	if r.nested++; r.nested > mostNested {
		return r.fail()
	}
	defer func() { r.nested-- }()
	if r.peek().is("not") {
		from := r.peek().from
		r.at++
		inner := r.expression()
		return &node{form: operator, name: "!", from: from, to: inner.to, given: []*node{inner}}
	}
	left := r.ternary()
	t := r.peek()
	if t.kind != sign || !slices.Contains(assigning, t.text) {
		return left
	}
	r.at++
	r.skipNewlines()
	value := r.expression()
	n := &node{form: assigned, name: t.text, from: left.from, to: value.to, targets: []*node{left}, given: []*node{value}}
	if r.peek().is(",") && t.text == "=" && r.nested == 1 { // a = b, c makes a list
		list := []*node{value}
		for r.accept(",") {
			list = append(list, r.item())
		}
		n.to = list[len(list)-1].to
		n.given = list
	}
	return n
}

func (r *reader) ternary() *node {
	condition := r.binary(0)
	if !r.peek().is("?") {
		return condition
	}
	r.at++
	r.skipNewlines()
	yes := r.ternary()
	r.skipNewlines()
	if !r.accept(":") {
		return r.fail()
	}
	r.skipNewlines()
	no := r.ternary()
	return &node{form: choice, from: condition.from, to: no.to, of: condition, given: []*node{yes, no}}
}

// levels are the operators between two values, those that bind least first.
var levels = [][]string{
	{"..", "..."}, {"||"}, {"&&"}, {"<=>", "==", "===", "!=", "=~", "!~"}, {"<", "<=", ">", ">="}, {"|", "^"}, {"&"}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}, {"**"},
}

func (r *reader) binary(level int) *node {
	if level == len(levels) {
		return r.unary()
	}
	left := r.binary(level + 1)
	for !r.failed {
		t := r.peek()
		if t.kind != sign || !slices.Contains(levels[level], t.text) {
			return left
		}
		r.at++
		r.skipNewlines()
		right := r.binary(level + 1)
		kind := operator
		if t.text == "||" || t.text == "&&" {
			kind = choice
		}
		left = &node{form: kind, name: t.text, from: left.from, to: right.to, given: []*node{left, right}}
	}
	return left
}

func (r *reader) unary() *node {
	t := r.peek()
	switch {
	case t.kind == sign && slices.Contains([]string{"!", "-", "+", "~"}, t.text):
		r.at++
		inner := r.unary()
		if t.text == "-" && inner.form == literal {
			return &node{form: literal, from: t.from, to: inner.to}
		}
		return &node{form: operator, name: t.text, from: t.from, to: inner.to, given: []*node{inner}}
	case t.is("defined?"):
		r.at++
		inner := r.unary()
		return &node{form: operator, name: "defined?", from: t.from, to: inner.to}
	}
	return r.postfix(r.primary())
}
