package responses

import (
	"regexp"
	"strconv"
	"strings"

	"aidb-mcp/internal/text/pattern"
)

// Theirs is a text of the program for a sentence of ours: as it is where nobody can
// take it for our words, else in quotes, with what acts or ends a line escaped.
// Exceptions, functions, tests and files are named by whoever wrote the program.
func Theirs(text string) string {
	if _, err := strconv.Unquote(text); err == nil && strings.HasPrefix(text, `"`) {
		return text
	}
	if ourWords.MatchString(text) || strings.Count(text, `"`)%2 != 0 || strings.ContainsFunc(text, func(r rune) bool { return r == '\n' || isControl(r) }) {
		return strconv.Quote(text)
	}
	return text
}

// TheirsName is Theirs for the name of a type, which is quoted also where it reads like
// a sentence.
func TheirsName(name string) string {
	if shown := Theirs(name); shown != name || !isProse(name) {
		return shown
	}
	return strconv.Quote(name)
}

// ourWords matches what our first sentences and lines begin with, and how they end: codes,
// how a program stands, a place, the brackets of a session.
var ourWords = pattern.New(`(?i)\bAIDB_[a-z]` +
	`|\b(?:ended (?:with|by|after|in)|has ended|exited with|(?:stopped|paused) (?:at|after|in)|stepped to|moved to|still running|nothing went wrong|no test ran|was left running)\b` +
	`|(?:^|\s)(?:next|omitted)(?::|\s\s)|^(?:next|omitted|running|terminated|reached|paused|stopped|ended)\b\s|\b(?:success|hint|field):\s` +
	`|\s\s\[|\[[a-z+]+-\d+[],]|, at \S+:\d`)

// sentence matches several words in a row, as no type of a program has them but for
// those that are made of keywords.
var (
	sentence = pattern.New(`\b[A-Za-z]+(?: [A-Za-z]+){2,}\b`)
	keywords = map[string]bool{
		"const": true, "volatile": true, "unsigned": true, "signed": true, "long": true, "short": true, "int": true, "char": true,
		"double": true, "struct": true, "class": true, "enum": true, "union": true, "dyn": true, "mut": true, "chan": true, "func": true,
	}
)

func isProse(name string) bool {
	for _, words := range sentence.FindAllStringSubmatch(name, -1) {
		plain := 0
		for word := range strings.FieldsSeq(words[0]) {
			if !keywords[word] {
				plain++
			}
		}
		if plain > 2 {
			return true
		}
	}
	return false
}

// quotedSpan is a text in quotes, or the beginning of one that is cut.
var quotedSpan = regexp.MustCompile(`"(?:[^"\\]|\\.)*(?:"|$)`)

// cutQuotes returns a sentence without what it quotes: our own words.
func cutQuotes(text string) string { return quotedSpan.ReplaceAllString(text, `""`) }
