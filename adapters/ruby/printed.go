package ruby

import (
	"slices"
	"strconv"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/text/pattern"
)

var (
	// raisedLine is how Ruby begins what it prints of an exception: where it was raised, the
	// message, its class.
	raisedLine = pattern.New("(?m)^(\\S.*?):(\\d+):in [`']([^'\\n]*)': (.*)$")
	// placeless is what it prints of one that has no place, as there was no memory for it.
	placeless  = pattern.New(`(?m)^\S+: (.*) \(([A-Z]\w*Error)\)\n?\z`)
	classAtEnd = pattern.New(`^(.*?)\s*\(([A-Z][\w:]*)\)$`)
	fromLine   = pattern.New("^\\s*(?:from )?(\\S.*?):(\\d+):in [`']([^']*)'$")
	endedLine  = pattern.New(`(?m)^#<Thread:.*> terminated with exception \(report_on_exception is true\):\n`)
)

// stackPlaces are those of a backtrace, whose innermost is its first.
func stackPlaces(stack string) []adapters.Thrown {
	var list []adapters.Thrown
	for line := range strings.Lines(stack) {
		if m := fromLine.FindStringSubmatch(strings.TrimRight(line, "\n")); m != nil {
			n, _ := strconv.Atoi(m[2])
			list = append(list, adapters.Thrown{File: m[1], Line: n, Function: m[3]})
		}
	}
	return list
}

// printedFailure is the exception at the end of what a program printed.
func printedFailure(stderr string) adapters.Printed {
	all := raisedLine.FindAllStringSubmatchIndex(stderr, -1)
	for _, at := range slices.Backward(all) {
		message, frames, rest := readRaised(stderr[at[0]:])
		if message == "" {
			continue
		}
		if strings.Trim(rest, "\n") != "" || endsThread(stderr[:at[0]]) {
			return adapters.Printed{}
		}
		return adapters.Printed{Message: message, Frames: frames, Before: stderr[:at[0]]}
	}
	if m := placeless.FindStringSubmatchIndex(stderr); m != nil {
		return adapters.Printed{Message: stderr[m[4]:m[5]] + ": " + stderr[m[2]:m[3]], Before: stderr[:m[0]]}
	}
	return adapters.Printed{}
}

// endsThread says that what follows a text has ended a thread: it ends no program by itself, and
// is printed once more where it does.
func endsThread(before string) bool {
	ended := endedLine.FindAllStringSubmatchIndex(before, -1)
	return len(ended) > 0 && ended[len(ended)-1][1] == len(before)
}

// readRaised reads an exception as Ruby prints it: the class stands behind the first line of the
// message, the other lines of that below it, and then where it came from.
func readRaised(text string) (message string, frames []adapters.Thrown, rest string) {
	m := raisedLine.FindStringSubmatch(text)
	if m == nil {
		return "", nil, text
	}
	n, _ := strconv.Atoi(m[2])
	frames = append(frames, adapters.Thrown{File: m[1], Line: n, Function: m[3]})
	class := classAtEnd.FindStringSubmatch(m[4])
	if class == nil {
		return "", nil, text
	}
	message = class[2] + ": " + class[1]
	_, rest, _ = strings.Cut(text, "\n")
	for rest != "" {
		line, after, _ := strings.Cut(rest, "\n")
		from := fromLine.FindStringSubmatch(line)
		switch {
		case strings.HasPrefix(line, "\t") && from != nil:
			n, _ := strconv.Atoi(from[2])
			frames = append(frames, adapters.Thrown{File: from[1], Line: n, Function: from[3]})
		case len(frames) == 1 || strings.Contains(line, "levels..."): // more of the message, or of the stack
		default:
			return message, frames, rest
		}
		rest = after
	}
	return message, frames, rest
}

// lostExceptions are those that have ended a thread, and nothing else.
func lostExceptions(stderr string) []adapters.Lost {
	var lost []adapters.Lost
	for _, at := range endedLine.FindAllStringSubmatchIndex(stderr, -1) {
		if message, frames, _ := readRaised(stderr[at[1]:]); message != "" {
			lost = append(lost, adapters.Lost{Of: "a thread", Message: message, Frames: frames})
		}
	}
	return lost
}

func number(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}
