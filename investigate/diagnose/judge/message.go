package judge

import (
	"cmp"
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
	{pattern.New(`expected:\s*([^<\n]+<.*?>) but was:\s*([^<\n]+<.*?>)`), []string{"expected", "actual"}},
	{pattern.New(`(?s)Expected: (?:is )?<(.*?)>\n\s*but: was <(.*?)>`), []string{"expected", "actual"}},
	{pattern.New(`expected \[(.*?)\] but found \[(.*?)\]`), []string{"expected", "actual"}},
	{pattern.New(`(?m)^\s*left: (.*)\n\s*right: (.*)$`), []string{"left", "right"}},
	{pattern.New(`(?m)^\s*Expected(?:\s\w+)*:\s*(.*)\n\s*(?:Received|Actual)(?:\s\w+)*:\s*(.*)$`), []string{"expected", "actual"}},
	{pattern.New(`(?im)^\s*expected\s*:\s*(.*)\n\s*actual\s*:\s*(.*)$`), []string{"expected", "actual"}},
	{pattern.New(`(?m)\bexpected: (.+), actual\s*: (.+)$`), []string{"expected", "actual"}},
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
	if Threw(message) {
		return s
	}
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

// Of is the value that an expectation which was not met tells of a part of its statement:
// the actual one, or that of the side on which the part stands. Empty where it is neither.
func (s Sides) Of(statement, part string) string {
	if s.Actual != "" {
		return s.Actual
	}
	at, middle := strings.Index(statement, part), middleOf(statement)
	switch {
	case at < 0 || middle < 0:
		return ""
	case at < middle:
		return s.Left
	}
	return s.Right
}

var comparing = pattern.New(`^(?:,|[=!]==?|<=?|>=?|(?:is|in|not in)\b)`)

// middleOf is where an assertion has what lies between its two sides: a comparison, or
// the comma between its first two arguments; -1 where it has no such.
func middleOf(statement string) int {
	depth, first := 0, 0 // an assertion that is a call has its sides within the brackets
	if begins := asserting.FindString(statement); strings.HasSuffix(begins, "(") {
		first = 1
	}
	var quote byte
	for i := 0; i < len(statement); i++ {
		switch c := statement[i]; {
		case quote != 0:
			switch c {
			case '\\':
				i++
			case quote:
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		case depth == first && i > 0 && !nameByte(statement[i-1]) && comparing.MatchString(statement[i:]), depth == first && c == ',':
			return i
		}
	}
	return -1
}

func nameByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// asserting matches the beginning of a statement that is a call.
var asserting = pattern.New(`^[\w:.]+!?\s*\(`)

// untold is what a message says of an expectation whose framework only prints how it was
// not met.
var untold = pattern.New(`; the program's output has the values$|^an assertion of the test failed; the test's output says how$`)

// said are the ways in which such frameworks print it.
var said = []struct {
	words *pattern.Pattern
	how   string
}{
	{pattern.New(`(?s).*with expansion:\n\s+(\S.*?)\n\n`), " failed: "}, // Catch2
	{pattern.New(`(?s).*due to (?:an )?unexpected exception with message:\n\s+(\S.*?)\n\n`), " threw: "},
	{pattern.New(`(?s).*: Failure\n(\S.*?)\n*$`), ""}, // GoogleTest
}

// Told is the message of an expectation with what its framework has printed of it, in
// place of the words that say that it has.
func Told(message, printed string) string {
	if !untold.MatchString(message) {
		return message
	}
	for _, way := range said {
		if m := way.words.FindStringSubmatch(printed); m != nil {
			return strings.TrimPrefix(strings.Replace(untold.ReplaceAllString(message, "")+": "+m[1], " failed: ", cmp.Or(way.how, " failed: "), 1), ": ")
		}
	}
	return message
}

var (
	threw = pattern.New(`^[A-Z_]+\( .* \) threw: `)
	equal = pattern.New(`^(Expected equality of these values:)\n((?:\s+[^\n]*\n?)+)`)
	which = pattern.New(`\n\s*Which is: ([^\n]*)`)
)

// Threw says that an expectation was not met because an exception came in its place.
func Threw(message string) bool { return threw.MatchString(message) }

// Flat is the message of an expectation of equality in one line.
func Flat(message string) string {
	message = strings.TrimLeft(message, "\n")
	m := equal.FindStringSubmatch(message)
	if m == nil {
		return message
	}
	sides := strings.TrimSpace(which.ReplaceAllString(m[2], " (which is $1)"))
	return m[1] + " " + joined.ReplaceAllString(sides, ", ") + message[len(m[0]):]
}

var joined = pattern.New(`\n\s*`)

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

var unreadable = pattern.New(`^(?:SyntaxError|IndentationError|TabError|TransformError|TSError)\b|^Error: Transform failed`)

// Unreadable says that a failure is that of a program which its interpreter cannot read:
// what a build would have told.
func Unreadable(message string) bool { return unreadable.MatchString(message) }

var (
	unreadAt      = pattern.New(`(?m)^  File "(.+)", line (\d+)\n?$`)
	untransformed = pattern.New(`(?m)^(?:TSError: )?(\S+):(\d+):\d+(?:: ERROR: | - error TS)`)
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
