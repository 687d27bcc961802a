package judge

import (
	"slices"
	"strings"

	"aidb-mcp/internal/text/pattern"
)

// Round is the source that a loop runs in one round, as far as it decides how the loop
// goes on.
type Round struct {
	Decides []string // variables of the function that it reads, or that come to be read
	Outer   []string // what it reads that is none of them
	Counts  []string // variables of the function that it changes by a number, and uses for nothing else
}

// RoundOf reads the lines of a round, without remarks. Locals are the variables of its
// function; plain says that reading a member runs no code, reserved
// of a word that it is none of the program's names. Hidden is what in them keeps
// what decides out of sight; it is empty where all of that can be read.
func RoundOf(lines []string, locals map[string]bool, plain bool, reserved func(word string) bool) (r Round, hidden string) {
	text := strings.Join(lines, "\n")
	bare := quoted.ReplaceAllString(text, `""`)
	switch {
	case strings.Contains(bare, "`"):
		return r, "a text that is put together"
	case elsewhere.MatchString(bare):
		return r, "what waits, or begins something"
	case iterates.MatchString(bare) || ranges.MatchString(bare):
		return r, "what it goes through"
	}
	for _, m := range calling.FindAllStringSubmatch(bare, -1) {
		if !reserved(m[1]) {
			return r, "a call"
		}
	}
	for _, word := range members.FindAllStringSubmatch(bare, -1) {
		name := word[0]
		root := Root(name)
		switch {
		case name[0] >= '0' && name[0] <= '9' || reserved(name):
		case root != name && !plain:
			return r, "a member of " + root
		case root == name && locals[name]:
			r.Decides = addOnce(r.Decides, name)
		default:
			r.Outer = addOnce(r.Outer, name)
		}
	}
	r.Decides = slices.DeleteFunc(r.Decides, func(name string) bool {
		counts := onlyCounts(bare, name)
		if counts {
			r.Counts = addOnce(r.Counts, name)
		}
		return counts
	})
	return r, ""
}

var (
	elsewhere = pattern.New(`\b(?:await|yield|select|async|import|new|del|delete|defer|go|spawn|with|co_await|co_yield)\b|<-`)
	iterates  = pattern.New(`\bfor\b[^;\n]*\b(?:in|of|range)\b`)
	calling   = pattern.New(`([\pL_$][\pL\pN_$]*)!?\s*(?:\?\.)?\(`)
	members   = pattern.New(`[\pL\pN_$]+(?:(?:\?\.|\.|->|::)[\pL\pN_$]+)*`)
)

func addOnce(names []string, name string) []string {
	if slices.Contains(names, name) {
		return names
	}
	return append(names, name)
}

// onlyCounts says that a text does nothing with a variable but to add a number to it.
func onlyCounts(text, name string) bool {
	for _, one := range strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(";{}\n", c) }) {
		one = strings.TrimSpace(one)
		if !hasAnyWord(one, map[string]bool{name: true}) {
			continue
		}
		rest, found := strings.CutPrefix(one, name)
		if found && !counting.MatchString(strings.TrimSpace(rest)) || !found && one != "++"+name && one != "--"+name {
			return false
		}
	}
	return true
}

var counting = pattern.New(`^(?:\+\+|--|[+-]=\s*\d+)$`)

// EnclosedByLoop says that a line stands within a loop of its function: above are the
// lines before it, the nearest last.
func EnclosedByLoop(above []string, line string) bool {
	own := Indented(line)
	for i := len(above) - 1; i >= 0 && own > 0; i-- {
		if in := Indented(above[i]); strings.TrimSpace(above[i]) != "" && in < own {
			own = in
			if loopWord.MatchString(above[i]) {
				return true
			}
		}
	}
	return false
}

var loopWord = pattern.New(`\b(?:for|foreach|while|loop|do|until|repeat|forEach|map)\b`)

// Indented is how far a line is indented.
func Indented(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// Shared says that something beside a loop may change one of its variables meanwhile:
// a function that is written within the one of the loop, or who knows its address. Above
// are the lines of that function before it.
func Shared(above []string, line string, names []string) bool {
	own := Indented(line)
	for _, name := range names {
		named := map[string]bool{name: true}
		for i, text := range append(slices.Clone(above), line) {
			if !hasAnyWord(text, named) {
				continue
			}
			inner := i < len(above) && Indented(text) > own
			if inner || strings.Contains(text, "&"+name) || closes.MatchString(text) {
				return true
			}
		}
	}
	return false
}

// closes matches a function that is written within a line.
var closes = pattern.New(`\{.*\}|=>|\blambda\b|\|[^|]*\|`)
