package judge

import (
	"slices"
	"strings"

	"aidb-mcp/internal/text/pattern"
)

// longest is how many lines of a statement are read on either side.
const longest = 12

// Statement is the statement that a line belongs to, as far as its brackets tell, in
// one line of text: a line within brackets is joined with those that open and close
// them. Lines are those of a piece of source, at the index of the line in question.
func Statement(lines []string, at int) string {
	if at < 0 || at >= len(lines) {
		return ""
	}
	first := at
	for k, closed := at-1, 0; k >= 0 && at-k <= longest; k-- {
		opens, closes := unpairedBrackets(lines[k])
		holds := opens > closed
		if holds && opensBlock(lines[k]) {
			break
		}
		closed = max(closed-opens, 0) + closes
		if holds || k == first-1 && isContinued(lines[k], lines[first]) {
			first, closed = k, closes
		}
	}
	depth := 0
	for _, line := range lines[first : at+1] {
		depth += bracketBalance(line)
	}
	last := at
	for last+1 < len(lines) && last-at < longest && (depth > 0 && !opensBlock(lines[last]) || isContinued(lines[last], lines[last+1])) {
		last++
		depth += bracketBalance(lines[last])
	}
	texts := make([]string, 0, last-first+1)
	for _, line := range lines[first : last+1] {
		texts = append(texts, strings.TrimSpace(line))
	}
	return strings.Join(texts, "\n")
}

// isContinued says whether a statement goes on in the next line: by a dot, or an
// operator.
func isContinued(line, next string) bool {
	line, next = strings.TrimSpace(line), strings.TrimSpace(next)
	if line == "" || next == "" || strings.HasPrefix(next, "//") || strings.HasPrefix(next, "#") {
		return false
	}
	for _, begins := range []string{".", "?.", "->", "&&", "||", "??"} {
		if strings.HasPrefix(next, begins) && !strings.HasPrefix(next, "...") {
			return true
		}
	}
	for _, ends := range []string{"&&", "||", "??", " +", " -", " =", " and", " or", "\\"} {
		if strings.HasSuffix(line, ends) {
			return true
		}
	}
	return false
}

// opensBlock says that a line ends with what begins a block, not a value.
func opensBlock(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasSuffix(line, "{") && (bracketBalance(strings.TrimSuffix(line, "{")) == 0 || body.MatchString(line))
}

// body matches a line that ends where the body of a function begins which is written
// within a call.
var body = pattern.New(`(?:=>|->|->\s*[\w:<>&*]+|[)|]|\]|\bmutable|\bnoexcept)\s*\{$`)

// bracketBalance is how many more brackets a line opens than it closes; those in texts are
// none.
func bracketBalance(line string) int {
	n := 0
	forEachBracket(line, func(open int) { n += open })
	return n
}

// unpairedBrackets is how many brackets a line opens that it does not close, and how many it
// closes that others have opened.
func unpairedBrackets(line string) (opens, closes int) {
	forEachBracket(line, func(open int) {
		switch {
		case open > 0:
			opens++
		case opens > 0:
			opens--
		default:
			closes++
		}
	})
	return opens, closes
}

// forEachBracket calls back for each bracket of a line that is in no text and no
// comment.
func forEachBracket(line string, bracket func(open int)) {
	var quote byte
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case quote != 0 && c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '`' || c == '\'' && slices.Contains([]int{2, 3}, strings.IndexByte(line[i+1:], '\'')+1) || c == '\'' && strings.Count(line, "'")%2 == 0:
			quote = c
		case strings.HasPrefix(line[i:], "//") && !strings.HasPrefix(line[i:], "//="), c == '#' && strings.TrimSpace(line[:i]) == "":
			return
		case c == '(' || c == '[' || c == '{':
			bracket(1)
		case c == ')' || c == ']' || c == '}':
			bracket(-1)
		}
	}
}
