package jsdebug

import (
	"strconv"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/text/pattern"
)

// programWords is how JavaScript, what makes it of TypeScript, and the debugger name what is
// no value of the program's own.
var programWords = adapters.ProgramWords{
	Opaque:      pattern.New(`^(?:class|ƒ|function)\b|^ƒ `),
	Meaningless: pattern.New(`^\{\w+: ƒ`), // an object of functions, as a module's exports are
	Erased:      pattern.New(`!(\.|$)`),   // TypeScript's word that a value is something
	Nameless:    pattern.New(`\banonymous\b`),
	Makes:       makesOnly,
	Shows:       pattern.New(`(?:^|\.)(?:toString|toJSON|inspect|\[nodejs\.util\.inspect\.custom\])$`),
	GaveUp:      pattern.New(`(?m)^(?:.*\] )?(?i:fatal error)\b.*`),
}

var constructors = pattern.New(`(?:^|\.)constructor$|^new |^__(?:name|export|toESM|toCommonJS|copyProps)$`)

// makesOnly says of a function that it made an object: it is called so, or is written as
// classes are and gave nothing. Bundlers add functions that copy what modules export.
func makesOnly(function, result string) bool {
	isClass := function != "" && function[0] >= 'A' && function[0] <= 'Z' && !strings.Contains(function, ".") // else a method of one
	return constructors.MatchString(function) || isClass && result == "undefined"
}

// runnerWords is how node's own runner, Jest, Vitest and Mocha print.
var runnerWords = adapters.RunnerWords{
	Progress: pattern.New(`^(?:RUN  v.*|#.*Subtest: .*|TAP version \d+|[.FEsx]+|[-~=]{70,})$`),
	Counts: func(printed string) (passed, failed int) {
		return adapters.CountTests(printed, passedTests, failedTests)
	},
}

var (
	passedTests = []*pattern.Pattern{
		pattern.New(`\b(\d+) passed\b`),         // Jest, Vitest
		pattern.New(`(?m)^\s*(\d+) passing\b`),  // Mocha
		pattern.New(`(?m)^(?:# |ℹ )pass (\d+)`), // node:test
	}
	failedTests = []*pattern.Pattern{
		pattern.New(`\b(\d+) failed\b`),
		pattern.New(`(?m)^\s*(\d+) failing\b`),
		pattern.New(`(?m)^(?:# |ℹ )fail (\d+)`),
	}
)

var transformedAt = pattern.New(`(?m)^(?:TSError: )?(\S+):(\d+):\d+(?:: ERROR: | - error TS)`)

// unreadableAt is the place that what makes JavaScript of TypeScript names in its message.
func unreadableAt(_, message string) adapters.Thrown {
	m := transformedAt.FindStringSubmatch(message)
	if m == nil {
		return adapters.Thrown{}
	}
	line, err := strconv.Atoi(m[2])
	if err != nil {
		return adapters.Thrown{}
	}
	return adapters.Thrown{File: m[1], Line: line}
}

// isLoading says that an exception is that of a program, or a module of one, which cannot be
// read: no function of it ran. Texts that a program reads itself are JSON.
func isLoading(kind, message, function string) bool {
	return kind == "SyntaxError" && function == "(anonymous)" && !strings.Contains(message, "JSON")
}
