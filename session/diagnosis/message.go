package diagnosis

import (
	"strings"

	"aidb-mcp/internal/pattern"
)

// Sides are the two values of an expectation that was not met. Which of them was
// expected is known only where the framework says so.
type Sides struct {
	Expected, Actual string
	Left, Right      string
}

// sided are the ways in which frameworks write the two, tried in order; named groups
// say which is which.
var sided = []struct {
	words *pattern.Pattern
	names []string
}{
	{pattern.New(`(?s)expected:\s*<(.*?)> but was:\s*<(.*?)>`), []string{"expected", "actual"}},
	{pattern.New(`expected \[(.*?)\] but found \[(.*?)\]`), []string{"expected", "actual"}},
	{pattern.New(`(?m)^\s*left: (.*)\n\s*right: (.*)$`), []string{"left", "right"}},
	{pattern.New(`(?m)^\s*Expected(?:\s\w+)*:\s*(.*)\n\s*(?:Received|Actual)(?:\s\w+)*:\s*(.*)$`), []string{"expected", "actual"}},
	{pattern.New(`(?im)^\s*expected\s*:\s*(.*)\n\s*actual\s*:\s*(.*)$`), []string{"expected", "actual"}},
	{pattern.New(`(?s)Expected equality of these values:\n\s*(?:[^\n]*\n\s*Which is: )?([^\n]*)\n\s*(?:[^\n]*\n\s*Which is: )?([^\n]*)`), []string{"left", "right"}},
	{pattern.New(`(?s)with expansion:\n\s*(\S.*?) (?:==|!=|<=?|>=?) (.*?)\s*(?:\n|$)`), []string{"left", "right"}},
	{pattern.New(`(?m)^assert (.+?) (?:==|!=|<=?|>=?|is not|is|in|not in) (.+)$`), []string{"left", "right"}},
	{pattern.New(`(?s)expected (.+?) to (?:be|equal|deeply equal|strictly equal|deep equal) (.+?)(?: //.*)?$`), []string{"actual", "expected"}},
	{pattern.New(`(?i)\bgot:? (.+?)[,;]? (?:want|wanted|expected):? (.+)$`), []string{"actual", "expected"}},
	{pattern.New(`(?i)= (.+?)[,;] (?:want|wanted|expected):? (.+)$`), []string{"actual", "expected"}},
	{pattern.New(`(?i)\b(?:want|wanted|expected):? (.+?)[,;]? (?:but )?got:? (.+)$`), []string{"expected", "actual"}},
	{pattern.New(`(?m)^(?:CHECK|REQUIRE|WARN)_[A-Z]+\(.*\) failed: (.+), (.+)$`), []string{"left", "right"}},
	{pattern.New(`(?m)\) failed: (\S.*?) (?:==|!=|<=?|>=?) (.+)$`), []string{"left", "right"}},
	{pattern.New(`(?m)^([^` + "`" + `\n]+?) (?:!==|!=|==) (.+)$`), []string{"left", "right"}},
}

// SidesOf reads the two values out of an expectation's message; none where it does not
// tell them.
func SidesOf(message string) Sides {
	var s Sides
	for _, way := range sided {
		m := way.words.FindStringSubmatch(message)
		if m == nil {
			continue
		}
		for i, name := range way.names {
			text := strings.TrimSpace(m[i+1])
			switch name {
			case "expected":
				s.Expected = text
			case "actual":
				s.Actual = text
			case "left":
				s.Left = text
			case "right":
				s.Right = text
			}
		}
		return s
	}
	return s
}

var sanitized = pattern.New(`(?m)^(?:=+\d+=+ ?ERROR: \w+Sanitizer|WARNING: (?:\w+Sanitizer|DATA RACE)|\S+:\d+:\d+: runtime error: |==\d+== (?:Invalid|Conditional|Use of))`)

// Report is what a sanitizer, or the race detector, printed; empty where none did.
func Report(stderr string) string {
	at := sanitized.FindStringIndex(stderr)
	if at == nil {
		return ""
	}
	report := shadow.ReplaceAllString(stderr[at[0]:], "")
	return strings.TrimSpace(build.ReplaceAllString(report, ""))
}

// changing are the parts of a message that differ from run to run.
var changing = pattern.New(`0x[0-9a-fA-F]+|@[0-9a-f]{4,}\b|\b\d+(?:\.\d+)?\s?(?:ns|µs|ms|s)\b|/tmp/\S+|\bpid \d+|\bthread '[^']*' \(\d+\)`)

// Alike is a message without what differs from run to run: addresses, times, temporary
// places.
func Alike(message string) string { return changing.ReplaceAllString(message, "…") }

// Unread says that an exception is that of a JavaScript program, or a module of one, which
// cannot be read: no function of it ran. Texts that a program reads itself are JSON.
func Unread(kind, message, function string) bool {
	return kind == "SyntaxError" && function == "(anonymous)" && !strings.Contains(message, "JSON")
}

var unreadable = pattern.New(`^(?:SyntaxError|IndentationError|TabError|TransformError)\b|^Error: Transform failed`)

// Unreadable says that a failure is that of a program which its interpreter cannot read:
// what a build would have told.
func Unreadable(message string) bool { return unreadable.MatchString(message) }

var (
	unreadAt      = pattern.New(`(?m)^  File "(.+)", line (\d+)\n?$`)
	untransformed = pattern.New(`(?m)^(/.+):(\d+):\d+: ERROR: `)
	unparsed      = pattern.New(`(?m)^(?:# )?(?:file://)?(/.+):(\d+)\n.*\n(?:# )?\s*\^+\s*\n(?:# *\n|\s*\n)?(?:# )?SyntaxError: `)
)

// UnreadAt is the place at which a file could not be read: Python has it at the end of
// the stack, and what makes JavaScript of TypeScript in its message. Its File is empty
// where there is none.
func UnreadAt(stack, message string) Place {
	all := unreadAt.FindAllStringSubmatch(stack, -1)
	if len(all) == 0 {
		all = untransformed.FindAllStringSubmatch(message, 1)
	}
	if len(all) == 0 {
		return Place{}
	}
	last := all[len(all)-1]
	return Place{File: last[1], Line: atoi(last[2])}
}

// UnreadIn is the place at which node could not read a file, as it prints that.
func UnreadIn(printed string) Place {
	m := unparsed.FindStringSubmatch(printed)
	if m == nil {
		return Place{}
	}
	return Place{File: m[1], Line: atoi(m[2])}
}
