package debugpy

import (
	"slices"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/text/pattern"
)

var (
	tracebacks = pattern.New(`(?m)^Traceback \(most recent call last\):\n`)
	conftest   = pattern.New(`(?m)^ImportError while loading conftest .*\n`)
	entered    = pattern.New(`^(\S.*):(\d+): in (.+)$`)
	unreadIn   = pattern.New(`^E {5}File "(.+)", line (\d+)$`)
	failing    = pattern.New(`^E {3}(\S.*)$`)
)

// printedFailure is the exception at the end of what a program printed.
func printedFailure(stderr string) adapters.Printed {
	if all := tracebacks.FindAllStringSubmatchIndex(stderr, -1); len(all) > 0 {
		last := all[len(all)-1]
		if endsNothing(stderr, all) {
			return adapters.Printed{}
		}
		message, rest := splitRaised(stderr[last[1]:])
		if strings.Trim(rest, "\n") != "" && hasUnindentedLine(rest) { // the program has printed more
			return adapters.Printed{}
		}
		return adapters.Printed{Message: message, Frames: stackPlaces(stderr[last[1]:]), Before: stderr[:last[0]]}
	}
	if m := conftest.FindStringIndex(stderr); m != nil {
		return collectionFailure(stderr[:m[0]], stderr[m[1]:])
	}
	return adapters.Printed{}
}

// endsNothing says that the last of the tracebacks is of an exception that has ended no more than
// a thread, or nothing. The first of those that were raised for each other has the words for it.
func endsNothing(stderr string, tracebacks [][]int) bool {
	first := len(tracebacks) - 1
	for first > 0 && raisedFor.MatchString(stderr[:tracebacks[first][0]]) {
		first--
	}
	return slices.ContainsFunc([]*pattern.Pattern{unretrieved, ignored, threads}, func(lost *pattern.Pattern) bool {
		all := lost.FindAllStringSubmatchIndex(stderr, -1)
		return slices.ContainsFunc(all, func(m []int) bool { return m[1] == tracebacks[first][1] })
	})
}

// splitRaised takes the message from a traceback's line that names its exception, and what follows it.
func splitRaised(text string) (message, rest string) {
	for line := range strings.Lines(text) {
		text = text[len(line):]
		if line = strings.TrimRight(line, "\n"); line != "" && !strings.HasPrefix(line, " ") {
			return line, text
		}
	}
	return "", ""
}

// hasUnindentedLine says that a text has a line which is not one of a traceback's.
func hasUnindentedLine(text string) bool {
	line, _ := splitRaised(text)
	return line != ""
}

// collectionFailure is what pytest prints of an exception in the modules that it needs itself.
func collectionFailure(before, text string) adapters.Printed {
	p := adapters.Printed{Before: before}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if m := entered.FindStringSubmatch(line); m != nil {
			p.Frames = append([]adapters.Thrown{{File: m[1], Line: atoi(m[2]), Function: m[3]}}, p.Frames...)
		} else if m := unreadIn.FindStringSubmatch(line); m != nil {
			p.Frames = append([]adapters.Thrown{{File: m[1], Line: atoi(m[2])}}, p.Frames...)
		} else if m := failing.FindStringSubmatch(line); m != nil {
			p.Message = strings.TrimSpace(m[1])
		}
	}
	return p
}

// unretrieved is how asyncio reports an exception that nobody has asked for when its task
// is thrown away, and ignored how the interpreter does one that a finalizer has raised.
var (
	unretrieved = pattern.New(`(?m)^(?:\w+:asyncio:)?(Task|Future) exception was never retrieved\n(?:future: <.*>\n)?Traceback \(most recent call last\):\n`)
	threads     = pattern.New(`(?m)^Exception in thread (.*):\nTraceback \(most recent call last\):\n`)
	raisedFor   = pattern.New(`\n(?:During handling of the above exception, another exception occurred|The above exception was the direct cause of the following exception):\n\n$`)
	ignored     = pattern.New(`(?m)^Exception ignored (?:in|while|from).*\nTraceback \(most recent call last\):\n`)
)

// lostExceptions are those that were reported and have ended nothing.
func lostExceptions(stderr string) []adapters.Lost {
	var lost []adapters.Lost
	add := func(of string, begins int) {
		message, rest := splitRaised(stderr[begins:])
		if message != "" {
			lost = append(lost, adapters.Lost{Of: of, Message: message, Frames: stackPlaces(stderr[begins : len(stderr)-len(rest)])})
		}
	}
	for _, m := range unretrieved.FindAllStringSubmatchIndex(stderr, -1) {
		add("a "+strings.ToLower(stderr[m[2]:m[3]])+" whose result nobody has asked for", m[1])
	}
	for _, m := range threads.FindAllStringSubmatchIndex(stderr, -1) {
		add("thread "+stderr[m[2]:m[3]]+", which it has ended", m[1])
	}
	for _, m := range ignored.FindAllStringSubmatchIndex(stderr, -1) {
		add("code that Python itself has called", m[1])
	}
	return lost
}
