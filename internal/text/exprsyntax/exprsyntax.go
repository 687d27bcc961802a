// Package exprsyntax says of an expression that it only reads: that, written in a
// language with operators in the manner of C, it calls nothing and assigns
// nothing. Whatever it does not understand, it takes for more than that. It also takes
// a statement apart into what that evaluates; see Parts.
//
// It is pure, and knows no adapter. What an operator, a member or a property does
// where a program has defined it anew, no text can tell.
package exprsyntax

import (
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"aidb-mcp/internal/text/pattern"
)

// Language is how a language writes operators in words.
type Language struct {
	words    []string // that are no value, and say nothing of what follows
	between  []string // words where an operator stands: and, instanceof
	before   []string // words before a value: not, typeof
	types    []string // parts of the name of a type in a cast: unsigned
	prefixes []string // operators before a value
	template bool     // a text may stand in backquotes
	slices   bool     // colons stand in brackets only: [1:2], not a ? b : c
	typed    bool     // types stand before the names that they declare, and in casts
	arrows   bool     // -> takes a member
	rust     bool     // closures are written |x|, arms with =>, types behind as

	// pure ends a text behind which the bracket opens of a call that the language itself
	// has, and that does no more than an operator: it changes nothing, and uses up nothing.
	pure *pattern.Pattern

	// evaluated are such calls that debuggers make themselves, without the program.
	evaluated *pattern.Pattern
}

// The languages that are read.
var (
	C = Language{
		words: wordsOfC,
		typed: true, arrows: true,
		before: []string{"sizeof"}, prefixes: []string{"+", "-", "*", "&", "~", "!", "::"},
		types: []string{"struct", "class", "enum", "union", "unsigned", "signed", "long", "short", "const", "int", "char", "double"},
	}
	Rust = Language{
		words:   wordsOfRust,
		rust:    true,
		between: []string{"as"}, before: []string{"mut"}, types: []string{"const", "dyn"}, prefixes: []string{"-", "*", "&", "&&", "!"},
	}
	Go         = Language{words: wordsOfGo, prefixes: []string{"+", "-", "*", "&", "^", "!", "<-"}, evaluated: pattern.New(`^(?:len|cap)$`)}
	Java       = Language{words: wordsOfJava, typed: true, between: []string{"instanceof"}, prefixes: []string{"+", "-", "~", "!"}, pure: pattern.New(`(?:^|[^\w.$])Math\.(?:abs|min|max|floor|ceil|round|sqrt)$`)}
	JavaScript = Language{
		words:   wordsOfJavaScript,
		between: []string{"in", "instanceof"}, before: []string{"typeof"}, prefixes: []string{"+", "-", "~", "!"}, template: true,
		pure: pattern.New(`(?:^|[^\w.$])(?:Array\.isArray|Object\.is|Number\.is(?:Integer|SafeInteger|Finite|NaN)|Math\.(?:abs|min|max|floor|ceil|round|trunc|sign|sqrt))$`),
	}
	// A star before a value would run a generator to its end.
	Python = Language{
		words:   wordsOfPython,
		between: []string{"and", "or", "in", "is", "not", "if", "else"}, before: []string{"not"}, prefixes: []string{"+", "-", "~"}, slices: true,
		pure: pattern.New(`(?:^|[^\w.])(?:len|abs|isinstance|issubclass|callable|type|id|ord|chr|bool|int|float|round)$`), // min(x) would run a generator to its end
	}
)

// Reads is nil when an expression only reads, else says why not: "it calls a
// function".
func (l Language) Reads(text string) error {
	r := reader{Language: l, text: strings.TrimSpace(text)}
	if r.text == "" {
		return errors.New("it is empty")
	}
	for r.at < len(r.text) {
		if err := r.next(); err != nil {
			return err
		}
	}
	return nil
}

// Effects is like Reads of what calls no more than what the language itself has for
// reading: len(x).
func (l Language) Effects(text string) error {
	r := reader{Language: l, text: strings.TrimSpace(text), lenient: true}
	for r.text != "" && r.at < len(r.text) {
		if err := r.next(); err != nil {
			return l.Reads(text)
		}
	}
	if r.text == "" {
		return l.Reads(text)
	}
	return nil
}

// Why an expression does more than read.
var (
	ErrCalls     = errors.New("it calls a function")
	ErrMayCall   = errors.New("it may call a function") // or read an attribute: it is written alike
	ErrAssigns   = errors.New("it assigns")
	ErrStatement = errors.New("it is more than one expression")
)

// The operators, the longest first. Those of the first list change something.
var (
	changing = []string{">>>=", "<<=", ">>=", "**=", "//=", "&&=", "||=", "??=", ":=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "@=", "++", "--", "=>", "="}
	reads    = []string{
		"===", "!==", ">>>", "...", "==", "!=", "<=", ">=", "&&", "||", "??", "?.", "->", "::", "<<", ">>", "**", "//", "..",
		"<", ">", "+", "-", "*", "/", "%", "&", "|", "^", "~", "!", "?", ":", ".", ",", "@",
	}
)

// doing are words that do something with what follows, in one language or
// another. Members may be called so.
var doing = []string{
	"delete", "throw", "new", "await", "yield", "del", "raise", "assert", "import", "return", "goto", "debugger", "async", "with", "exec",
	"co_await", "co_yield", "co_return",
}

// alone are those of them that say nothing without what follows: where nothing does, they
// are names, as "del" is one in JavaScript.
var alone = []string{"delete", "throw", "new", "await", "del", "assert", "import", "async", "with", "exec", "co_await"}

// namesNothing says that what such a word could do something with does not follow.
func namesNothing(word, rest string) bool {
	rest = strings.TrimLeft(rest, " \t")
	return slices.Contains(alone, word) && (rest == "" || strings.ContainsRune(".,]?:=<>|^%/", rune(rest[0])))
}

// kind is what stood before.
type kind int

const (
	start   kind = iota // or an operator, an open bracket: a value may follow
	value               // a name, a literal, a closed bracket: an operator may follow
	grouped             // a closed parenthesis, which may have been a cast
	typed               // a word of a type
)

type reader struct {
	Language
	text  string
	at    int
	last  kind
	angle bool   // there was a "<", so that a ">" may end the arguments of a template
	op    string // the last operator or word, until something else follows
	depth int    // of brackets

	lenient bool // the language's own calls are none
}

func (r *reader) next() error {
	c, op := r.text[r.at], r.op
	if c == ' ' || c == '\t' {
		r.at++
		return nil
	}
	r.op = ""
	switch {
	case c == '"' || c == '\'' || c == '`' && r.template:
		return r.skipText(c)
	case isWordRune(r.rune()):
		return r.word(op)
	case c == '(':
		if r.lenient && r.last == value && r.pure.MatchString(r.text[:r.at]) {
			return r.take(1, start)
		}
		if r.last != start || op == ">" && r.angle || op == "?." {
			return ErrCalls
		}
		return r.take(1, start)
	case c == '[':
		r.depth++
		return r.take(1, start)
	case c == ')':
		return r.take(1, grouped)
	case c == ']':
		r.depth--
		return r.take(1, value)
	}
	return r.operator()
}

func (r *reader) take(n int, now kind) error {
	r.at += n
	r.last = now
	return nil
}

// skipText passes over a text, which may not have expressions of its own in it.
func (r *reader) skipText(quote byte) error {
	if r.last == value || r.last == grouped {
		return ErrStatement // a template that is called with a text, or two texts
	}
	for i := r.at + 1; i < len(r.text); i++ {
		switch r.text[i] {
		case '\\':
			i++
		case quote:
			if quote == '`' && strings.Contains(r.text[r.at:i], "${") {
				return ErrCalls
			}
			return r.take(i+1-r.at, value)
		case '\n':
			return ErrStatement
		}
	}
	return ErrStatement
}

// textual are the prefixes of texts in which nothing is evaluated.
var textual = []string{"r", "b", "u", "br", "rb", "l", "u8", "lr", "ur", "u8r"}

// isWordRune says that a name, a number or a word may hold the sign. Blanks of other
// scripts are none of it: to some languages they part words.
func isWordRune(c rune) bool {
	return c == '_' || c == '$' || c == '#' || unicode.IsLetter(c) || unicode.IsDigit(c) || unicode.Is(unicode.Mn, c) || unicode.Is(unicode.Mc, c)
}

// rune is the sign at which the reader stands.
func (r *reader) rune() rune {
	c, _ := utf8.DecodeRuneInString(r.text[r.at:])
	return c
}

func (r *reader) word(op string) error {
	end := r.at
	number := '0' <= r.text[r.at] && r.text[r.at] <= '9'
	for end < len(r.text) {
		c, size := utf8.DecodeRuneInString(r.text[end:])
		if !isWordRune(c) && (!number || !r.isInNumber(end)) {
			break
		}
		end += size
	}
	word := r.text[r.at:end]
	r.op = word
	quoted := end < len(r.text) && strings.ContainsRune("\"'`", rune(r.text[end]))
	operand := r.last == value || r.last == grouped
	switch {
	case slices.Contains([]string{".", "?.", "->", "::"}, op):
		return r.take(len(word), value) // a member, whatever its name
	case slices.Contains(doing, word) && !namesNothing(word, r.text[end:]):
		return ErrStatement
	case operand && slices.Contains(r.between, word) || op == "not" && word == "in":
		return r.take(len(word), start)
	case r.last == value:
		return ErrStatement // two values side by side: a command, or a word that does something
	case slices.Contains(r.before, word):
		return r.take(len(word), start)
	case slices.Contains(r.types, word):
		return r.take(len(word), typed)
	case quoted && !slices.Contains(textual, strings.ToLower(word)):
		return ErrCalls // a text with expressions in it, or a prefix of the program's own
	case quoted:
		return r.take(len(word), start)
	}
	return r.take(len(word), value)
}

// isInNumber says that a number goes on: 1.5, 1e-3.
func (r *reader) isInNumber(at int) bool {
	c := r.text[at]
	return c == '.' && !strings.HasPrefix(r.text[at:], "..") || (c == '-' || c == '+') && r.text[at-1]|0x20 == 'e' && !strings.HasPrefix(r.text[r.at:], "0x")
}

func (r *reader) operator() error {
	rest := r.text[r.at:]
	found, changes := "", false
	for _, op := range reads {
		if strings.HasPrefix(rest, op) && len(op) > len(found) {
			found = op
		}
	}
	for _, op := range changing {
		if strings.HasPrefix(rest, op) && len(op) > len(found) {
			found, changes = op, true
		}
	}
	switch {
	case found == "":
		return ErrStatement // braces, semicolons, further lines
	case changes:
		return ErrAssigns
	case r.last == start && !slices.Contains(r.prefixes, found) && !r.slice(found):
		return ErrStatement // commands of a debugger
	case r.last == value && (found == "!" || found == "~"), r.slices && found == ":" && r.depth == 0:
		return ErrStatement
	}
	r.angle = r.angle || found == "<"
	r.op = found
	return r.take(len(found), start)
}

// slice says that an operator may stand where a value could: in [:2], [1:] and
// [a, b,], in (int*), and at the end of what goes on otherwise.
func (r *reader) slice(op string) bool {
	before := strings.TrimRight(r.text[:r.at], " \t")
	return before != "" && (op == ":" && strings.ContainsAny(before[len(before)-1:], "[:") ||
		op == "::" && before[len(before)-1] == '[' || op == "," || op == ".." || op == ">" && r.angle)
}
