package judge

import (
	"strconv"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/text/pattern"
)

// Message is that of a failure with what its framework has printed of it.
func Message(syntax adapters.FailureSyntax, message, printed string) string {
	if syntax.Message == nil {
		return message
	}
	return syntax.Message(message, printed)
}

// Flat is the message of a failure, in one line where its framework reports values in several.
func Flat(syntax adapters.FailureSyntax, message string) string {
	message = strings.TrimLeft(message, "\n")
	if syntax.OneLine == nil {
		return message
	}
	return syntax.OneLine(message)
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

// IsUnread says that the program stopped because a file of it cannot be read: no function of
// that ran.
func (s Stop) IsUnread(function string) bool {
	u := s.Syntax.Unreadable
	return u != nil && u.Loading != nil && u.Loading(s.Type, s.Message, function)
}

// IsUnreadable says that a failure is that of a program which its interpreter cannot read:
// what a build would have told.
func IsUnreadable(syntax adapters.FailureSyntax, message string) bool {
	return syntax.Unreadable != nil && syntax.Unreadable.Message.MatchString(message)
}

// UnreadAt is the place at which a file could not be read, as the failure tells it. Its File
// is empty where it tells none.
func UnreadAt(syntax adapters.FailureSyntax, stack, message string) Place {
	if syntax.Unreadable == nil {
		return Place{}
	}
	at := syntax.Unreadable.At(stack, message)
	return Place{File: at.File, Line: at.Line}
}

// UnreadIn is the place at which the runtime could not read a file, as it prints that.
func UnreadIn(syntax adapters.FailureSyntax, printed string) Place {
	if syntax.Unreadable == nil {
		return Place{}
	}
	m := syntax.Unreadable.PrintedAt.FindStringSubmatch(printed)
	if m == nil {
		return Place{}
	}
	return Place{File: m[1], Line: atoi(m[2])}
}

func atoi(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	return n
}
