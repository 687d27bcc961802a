//go:build linux

package benchmarks

import (
	"hash/fnv"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// mutant is a source with one fault.
type mutant struct {
	Operator string
	Line     int
	Source   string
}

// edit replaces a part of a source.
type edit struct {
	from, to int
	text     string
}

// operators are the faults that are planted in languages with C's signs (lab.py has those
// of Python). Each looks at the token with this number and says what could be there instead.
var operators = map[string]func(s *source, i int) []edit{
	"a bound":              exchange("<", "<=", ">", ">=", "<=", "<", ">=", ">"),
	"a sign":               exchange("+", "-", "-", "+", "*", "+", "/", "*", "+=", "-=", "-=", "+=", "++", "--"),
	"an equality":          exchange("==", "!=", "!=", "==", "===", "!==", "!==", "==="),
	"and for or":           exchange("&&", "||", "||", "&&"),
	"a truth":              exchange("true", "false", "false", "true"),
	"a constant":           constant,
	"an index":             index,
	"swapped arguments":    swapped,
	"a negated condition":  negated,
	"a check left out":     unchecked,
	"a statement left out": dropped,
	"a variable":           variable,
}

// source is a program with its tokens.
type source struct {
	text   string
	tokens []token
}

// mutants are all faults of the table for a part of a source, in an order that is the
// same each time; each kind of fault comes once before one comes twice.
func mutants(text string, where *regexp.Regexp) []mutant {
	s := &source{text, lex(text)}
	from, to := 0, len(text)
	if where != nil {
		if at := where.FindStringIndex(text); at != nil {
			from, to = at[0], at[1]
		}
	}
	seed := fnv.New64a()
	_, _ = seed.Write([]byte(text))
	chance := rand.New(rand.NewPCG(seed.Sum64(), 1))
	var names []string
	for name := range operators {
		names = append(names, name)
	}
	slices.Sort(names)
	var kinds [][]mutant
	for _, name := range names {
		var list []mutant
		for i, t := range s.tokens {
			if t.at < from || t.at >= to {
				continue
			}
			for _, e := range operators[name](s, i) {
				list = append(list, mutant{name, 1 + strings.Count(text[:e.from], "\n"), text[:e.from] + e.text + text[e.to:]})
			}
		}
		chance.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
		kinds = append(kinds, list)
	}
	chance.Shuffle(len(kinds), func(i, k int) { kinds[i], kinds[k] = kinds[k], kinds[i] })
	return turns(kinds)
}

// turns takes one of each list, then the next of each.
func turns(lists [][]mutant) []mutant {
	var all []mutant
	for n, more := 0, true; more; n++ {
		more = false
		for _, list := range lists {
			if n < len(list) {
				all, more = append(all, list[n]), true
			}
		}
	}
	return all
}

func (s *source) is(i int, text string) bool {
	return i >= 0 && i < len(s.tokens) && s.tokens[i].text == text
}

func (s *source) end(i int) int { return s.tokens[i].at + len(s.tokens[i].text) }

// apart says that blanks stand on both sides of a token: it stands between two operands
// and is no part of a type.
func (s *source) apart(i int) bool {
	at, end := s.tokens[i].at, s.end(i)
	return at > 0 && end < len(s.text) && s.text[at-1] == ' ' && strings.IndexByte(" \n", s.text[end]) >= 0
}

// exchange gives one sign in place of another.
func exchange(pairs ...string) func(*source, int) []edit {
	return func(s *source, i int) []edit {
		for k := 0; k < len(pairs); k += 2 {
			word := isWord(pairs[k][0]) || pairs[k] == "++"
			if s.is(i, pairs[k]) && (word || s.apart(i)) {
				return []edit{{s.tokens[i].at, s.end(i), pairs[k+1]}}
			}
		}
		return nil
	}
}

func constant(s *source, i int) []edit {
	n, err := strconv.Atoi(s.tokens[i].text)
	if err != nil || s.is(i-1, ".") || s.is(i+1, ".") || s.is(i+1, "..") {
		return nil
	}
	return []edit{{s.tokens[i].at, s.end(i), strconv.Itoa(n + 1)}}
}

// index is one too few in brackets that stand behind a word.
func index(s *source, i int) []edit {
	if !s.is(i, "[") || i == 0 || !isWord(s.tokens[i-1].text[0]) || s.end(i-1) != s.tokens[i].at {
		return nil
	}
	for k := i + 1; k < min(i+8, len(s.tokens)); k++ {
		switch s.tokens[k].text {
		case "[", "{", "..", ":", ";":
			return nil
		case "]":
			if k == i+1 {
				return nil
			}
			return []edit{{s.tokens[k].at, s.tokens[k].at, " - 1"}}
		}
	}
	return nil
}

// swapped exchanges two arguments that are words.
func swapped(s *source, i int) []edit {
	if i == 0 || i+4 >= len(s.tokens) || !s.is(i, "(") || !isWord(s.tokens[i-1].text[0]) || !s.is(i+2, ",") || !s.is(i+4, ")") {
		return nil
	}
	a, b := s.tokens[i+1].text, s.tokens[i+3].text
	if !isWord(a[0]) || !isWord(b[0]) || a == b {
		return nil
	}
	return []edit{{s.tokens[i+1].at, s.end(i + 3), b + ", " + a}}
}

// condition is where the condition of an if stands, with its brackets or without.
func (s *source) condition(i int) (from, to int, found bool) {
	if !s.is(i, "if") || s.is(i+1, "let") || i+2 >= len(s.tokens) {
		return 0, 0, false
	}
	depth := 0
	for k := i + 1; k < len(s.tokens); k++ {
		switch s.tokens[k].text {
		case "(", "[":
			depth++
		case ")", "]":
			depth--
			if depth == 0 && s.is(i+1, "(") && !strings.Contains("&&||==!=<=>=", s.tokens[k+1].text) {
				return s.end(i + 1), s.tokens[k].at, true
			}
		case ";", ":=":
			return 0, 0, false
		case "{":
			if depth == 0 {
				return s.tokens[i+1].at, s.end(k - 1), !s.is(i+1, "{")
			}
		}
	}
	return 0, 0, false
}

func negated(s *source, i int) []edit {
	from, to, found := s.condition(i)
	if !found {
		return nil
	}
	return []edit{{from, to, "!(" + s.text[from:to] + ")"}}
}

func unchecked(s *source, i int) []edit {
	from, to, found := s.condition(i)
	if !found {
		return nil
	}
	return []edit{{from, to, "false && (" + s.text[from:to] + ")"}}
}

var simple = regexp.MustCompile(`^[\w.$\[\]]+(?: [-+*/]?= [^;{}]*|\+\+|--|\.\w+\([^;{}]*\));?$`)

// dropped leaves out an assignment or a call that has a line of its own.
func dropped(s *source, i int) []edit {
	at := s.tokens[i].at
	start := strings.LastIndexByte(s.text[:at], '\n') + 1
	line, _, _ := strings.Cut(s.text[at:], "\n")
	if strings.TrimSpace(s.text[start:at]) != "" || start == at || !simple.MatchString(strings.TrimSpace(line)) {
		return nil
	}
	return []edit{{at, at + len(line), ""}}
}

// variable puts another word of the same lines in place of an operand.
func variable(s *source, i int) []edit {
	word := s.tokens[i].text
	if !isVariable(word) || s.is(i-1, ".") || s.is(i-1, "::") || s.is(i+1, "(") || s.is(i+1, ".") || s.is(i+1, ":") || i == 0 || isWord(s.tokens[i-1].text[0]) && !s.is(i-1, "return") {
		return nil
	}
	if i+1 < len(s.tokens) && (isWord(s.tokens[i+1].text[0]) || strings.Contains("= := += -=", s.tokens[i+1].text)) {
		return nil
	}
	var edits []edit
	var seen []string
	for k := max(0, i-12); k < min(i+12, len(s.tokens)); k++ {
		other := s.tokens[k].text
		if isVariable(other) && other != word && !s.is(k+1, "(") && !s.is(k-1, ".") && !s.is(k-1, "::") && !slices.Contains(seen, other) {
			seen = append(seen, other)
			edits = append(edits, edit{s.tokens[i].at, s.end(i), other})
		}
	}
	return edits[:min(len(edits), 2)]
}

// isVariable says that a word could be the name of one: keywords of the languages and
// types do not begin with a small letter, or are listed.
func isVariable(word string) bool {
	return word[0] >= 'a' && word[0] <= 'z' && !slices.Contains(keywords, word)
}

var keywords = strings.Fields(`if else for while do return var let const mut fn func function switch case default break continue new delete typeof
	instanceof in of this self super null nil true false undefined void int char bool boolean string float double long short unsigned signed byte
	usize u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 str static final public private protected class struct enum impl trait use mod pub where match loop
	ref as dyn move throw throws try catch finally package import export require module range len make append type interface map go defer select
	namespace template typename inline auto sizeof octet_iterator std operator using`)
