package exprsyntax

import (
	"slices"
	"strings"

	"aidb-mcp/internal/text/pattern"
)

// Part is an expression that a statement evaluates, and what it then does with its
// value.
type Part struct {
	Text  string // as it stands in the statement
	Use   Use
	Index string // of what is Indexed: by what
	Calls bool   // it makes a call, which evaluating it would make again
	// Behind are the guards that it stands behind, the outermost first: it is evaluated where all
	// of one of these lists let it. Empty: wherever the statement runs.
	Behind [][]Guard
}

// Use is what a statement does with the value of a part.
type Use int

// The uses. What is Opened must be something, what is Indexed must have the index, what
// Divides must not be zero, what is Called must be a function; of what is Compared the
// first is what came out.
const (
	Plain Use = iota
	Opened
	Indexed
	Divides
	Called
	Compared
)

// Parts takes a statement apart into the expressions that it evaluates, in the order
// in which it does. What is not evaluated where the statement stands, the bodies of
// functions, is left out, and so are literals and the place that is assigned to. A
// statement that is not understood has fewer parts than it should, or names that are
// none, never an error.
func (l Language) Parts(statement string) []Part {
	statement = stripComments(statement[:min(len(statement), longestStatement)], l.comment())
	s := splitter{Language: l, text: statement, tokens: scan(statement, l.comment())}
	s.statement()
	for i, p := range s.parts {
		s.parts[i].Text, s.parts[i].Index = unbroken(p.Text), unbroken(p.Index)
	}
	return mergeParts(s.parts)
}

// broken is where a statement goes on in the next line.
var broken = pattern.New(`\s*\n\s*([.?-]?)`)

// unbroken joins the lines of a statement where it is broken.
func unbroken(text string) string {
	if !strings.Contains(text, "\n") {
		return text
	}
	return broken.ReplaceAllStringFunc(text, func(s string) string {
		if rest := strings.TrimSpace(s); rest != "" {
			return rest
		}
		return " "
	})
}

// longestStatement is how much of a statement is read, in bytes.
const longestStatement = 2000

// mergeParts gives each part once, where it is evaluated first, with what is wanted most of it.
func mergeParts(parts []Part) []Part {
	var once []Part
	for _, p := range parts {
		at := slices.IndexFunc(once, func(o Part) bool { return o.Text == p.Text })
		if at < 0 {
			once = append(once, p)
			continue
		}
		if len(once[at].Behind) == 0 || len(p.Behind) == 0 {
			once[at].Behind = nil
		} else {
			once[at].Behind = append(once[at].Behind, p.Behind...)
		}
		switch {
		case p.Use != Plain && (once[at].Use == Plain || once[at].Use == Compared):
			once[at].Use, once[at].Index = p.Use, p.Index
		}
	}
	return once
}

func (l Language) comment() string {
	if l.slices {
		return "#"
	}
	return "//"
}

// splitter walks over the tokens of a statement.
type splitter struct {
	Language
	text   string
	tokens []token
	at     int
	parts  []Part
	depth  int  // of brackets that are walked
	writes bool // what stands outside of brackets is assigned to, not read
}

var comparisons = []string{"==", "!=", "===", "!==", "<", "<=", ">", ">="}

// statement takes the whole text: what is assigned, and to where.
func (s *splitter) statement() {
	all := len(s.tokens)
	s.header()
	s.loop()
	if s.typed || s.template {
		s.condition()
	}
	from := s.at
	to := s.assignment()
	switch {
	case to < 0:
		s.walk(all)
	case s.rust && from < to && s.binds(from, to):
		s.at = to + 1
		s.walk(all)
	case s.slices: // Python evaluates the right side first
		s.at = to + 1
		s.walk(all)
		s.at = from
		s.target(to)
	default:
		s.target(to)
		s.at = to + 1
		s.walk(all)
	}
}

// assignment is where the statement's own assignment stands, outside of brackets; -1
// where there is none.
func (s *splitter) assignment() int {
	depth := 0
	for i := s.at; i < len(s.tokens); i++ {
		t := s.tokens[i]
		switch {
		case t.opens():
			depth++
		case t.closes():
			depth--
		case t.is("=>"), t.kind == word && t.text == "lambda":
			return -1
		case t.kind == sign && depth == 0 && assigns(t.text):
			return i
		}
	}
	return -1
}

// binds says that names are given to a value there: let x = …, if let Some(x) = …
func (s *splitter) binds(from, to int) bool {
	return slices.ContainsFunc(s.tokens[from:to], func(t token) bool { return t.kind == word && t.text == "let" })
}

func assigns(op string) bool {
	return op != "=>" && op != "++" && op != "--" && slices.Contains(changing, op)
}

// target takes what is assigned to: what is evaluated to find the place, and the old
// value where the operator needs it.
func (s *splitter) target(end int) {
	op := s.tokens[end].text
	s.writes = op == "=" || op == ":="
	s.walk(end)
	s.at, s.writes = end, false
}

// walk takes the expressions up to a token.
func (s *splitter) walk(end int) {
	s.depth++
	defer func() { s.depth-- }()
	use, arm := Plain, len(s.parts)
	guards := s.newGuards()
	defer guards.close(0)
	for s.at < end {
		if guards.meet(end); s.at >= end {
			return
		}
		t := s.tokens[s.at]
		switch {
		case t.is("=>") && s.rust, t.is("->") && s.typed && !s.arrows: // what stood before was a pattern
			s.parts = s.parts[:arm]
			s.at++
		case t.is("=>"), t.kind == word && t.text == "lambda":
			s.at = end
		case s.lambda(end), s.declares(end), s.cast(end):
		case s.function():
			s.passFunction(end)
		case s.rust && t.kind == word && t.text == "as", t.kind == word && t.text == "instanceof":
			s.at = max(s.typeEnd(s.at+1, end), s.at+1)
			s.at = max(s.skipDecoration(s.at, end), s.at)
		case t.kind == word && (s.keyword() || s.hasTypeBefore(end)):
			s.at++
		case t.kind == sign && !t.opens():
			use = s.operator(t)
			if t.is(",") || t.is(";") {
				arm = len(s.parts)
			}
			continue
		default:
			s.chain(end, use)
		}
		use = Plain
	}
}

// operator passes over one and says what it does with the value that follows.
func (s *splitter) operator(t token) Use {
	begins := s.at == 0 || !s.tokens[s.at-1].value()
	s.at++
	last := len(s.parts) - 1
	switch {
	case t.text == "*" && begins:
		return Opened
	case t.text == "/" || t.text == "%" || t.text == "//" || t.text == "/=" || t.text == "%=" || t.text == "//=":
		return Divides
	case last >= 0 && s.parts[last].Use == Plain && slices.Contains(comparisons, t.text):
		s.parts[last].Use = Compared
	}
	return Plain
}

// keyword says that the word is none of the program's: a member may be called so.
func (s *splitter) keyword() bool {
	return s.skips(s.tokens[s.at].text) && !s.next(".") && !s.next("?.") && !s.next("->") && !s.name()
}

// hasTypeBefore says that the word is a type: the name that it declares follows.
func (s *splitter) hasTypeBefore(end int) bool {
	if s.at+1 >= end || s.tokens[s.at+1].kind != word {
		return false
	}
	follows := s.tokens[s.at+1].text
	return !slices.Contains(s.between, follows) && !s.skips(follows)
}

// function says that one is written here: func(x int) { … }, function (x) { … }.
func (s *splitter) function() bool {
	t := s.tokens[s.at]
	return t.kind == word && (t.text == "func" || t.text == "function")
}

func (s *splitter) passFunction(end int) {
	for s.at < end && !s.tokens[s.at].is("{") {
		s.at++
	}
	if s.at < end {
		s.at = s.closingToken(s.at) + 1
	}
}

// next says that the sign follows the token.
func (s *splitter) next(text string) bool {
	return s.at+1 < len(s.tokens) && s.tokens[s.at+1].is(text)
}

// closingToken is the token that closes the bracket at a token, the last where none does.
func (s *splitter) closingToken(at int) int {
	depth := 0
	for i := at; i < len(s.tokens); i++ {
		if s.tokens[i].opens() {
			depth++
		} else if s.tokens[i].closes() {
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(s.tokens)
}
