package jsdebug

import (
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/text/pattern"
)

var (
	uncaught = pattern.New(`(?m)^\S.*:\d+\n.*\n\s*\^*\n+(?:Uncaught )?(\w*(?:Error|Exception)\b.*)\n`)
	rejected = pattern.New(`(?m)^\(node:\d+\) UnhandledPromiseRejectionWarning: (.*)\n`)
)

// printedFailure is the error at the end of what a program printed.
func printedFailure(stderr string) adapters.Printed {
	m := uncaught.FindStringSubmatchIndex(stderr)
	if m == nil {
		return adapters.Printed{}
	}
	return adapters.Printed{Message: stderr[m[2]:m[3]], Frames: stackPlaces(stderr[m[1]:]), Before: stderr[:m[0]]}
}

// lostErrors are those of promises which nobody handles, and of which node only warns.
func lostErrors(stderr string) []adapters.Lost {
	var lost []adapters.Lost
	for _, m := range rejected.FindAllStringSubmatchIndex(stderr, -1) {
		message := stderr[m[2]:m[3]]
		if strings.HasPrefix(message, "Unhandled promise rejection. ") { // its own words about the one before
			continue
		}
		lost = append(lost, adapters.Lost{Of: "a promise that nobody handles", Message: message, Frames: stackPlaces(indentedPart(stderr[m[1]:]))})
	}
	return lost
}

// indentedPart is a text up to its first line that begins at the margin.
func indentedPart(text string) string {
	end := 0
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, " ") {
			break
		}
		end += len(line)
	}
	return text[:end]
}
