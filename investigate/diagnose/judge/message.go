package judge

import (
	"cmp"
	"strings"

	"aidb-mcp/internal/text/pattern"
)

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
