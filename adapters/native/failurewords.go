package native

import (
	"cmp"
	"strconv"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/text/pattern"
)

// programWords is how the runtimes of C, C++ and Rust tell a failure, and name functions.
var programWords = adapters.ProgramWords{
	Nameless: pattern.New(`\{\{?closure|\boperator\(\)|<lambda`),
	Makes:    makesOnly,
	GaveUp:   pattern.New(`(?mi)^(?:.*\] )?(?:memory allocation of \d+ bytes failed|fatal error|terminate called|.*panicked at)\b.*`),
	Repeats: []*pattern.Pattern{
		pattern.New(`terminate called after throwing an instance of '([^']*)'\n(?:  what\(\): [^\n]*\n?)?`),
		pattern.New(`\S+: [^\n]*: (Assertion [^\n]* failed\.)\n?`),
		pattern.New(`(?s)\n?thread '[^'\n]*'(?: \(\d+\))? panicked at [^\n]*:\n([^\n]*)\n.*?(?:stack backtrace:\n(?:\s+\d+: [^\n]*\n|\s+at [^\n]*\n)*|note: )(?:(?:note: )?[^\n]*(?:RUST_BACKTRACE|details are omitted)[^\n]*\n?)?`),
	},
}

// makesOnly says of a function that it makes or destroys an object, as C++ names these: what gives
// something back is a function with the name of its module or namespace.
func makesOnly(function, result string) bool {
	parts := strings.Split(function, "::")
	n := len(parts)
	return n > 1 && result == "" && (parts[n-1] == parts[n-2] || parts[n-1] == "~"+parts[n-2])
}

// runnerWords is how GoogleTest, Catch2 and Cargo's tests print.
var runnerWords = adapters.RunnerWords{
	Progress: pattern.New(`^(?:\[(?:={10}|-{10}| RUN      )\] .*|Note: Google Test filter = .*|Running main\(\) from .*gtest_main.*|Filters: .*|[-~=]{70,}|\S+ is a Catch v.*|Run with -\? for options|running \d+ tests?|test \S+ \.\.\.)$`),
	Counts: func(printed string) (passed, failed int) {
		return adapters.CountTests(printed, passedTests, failedTests)
	},
	Message: wholeMessage,
	OneLine: equalityInOneLine,
}

var (
	passedTests = []*pattern.Pattern{pattern.New(`\b(\d+) passed\b`), pattern.New(`(?m)^\[  PASSED  \] (\d+) tests?`)}
	failedTests = []*pattern.Pattern{pattern.New(`\b(\d+) failed\b`), pattern.New(`(?m)^\[  FAILED  \] (\d+) tests?`)}
)

// unprinted is what a message says of an expectation whose framework only prints how it was
// not met.
var unprinted = pattern.New(`; the program's output has the values$|^an assertion of the test failed; the test's output says how$`)

// printedForms are the ways in which such frameworks print it.
var printedForms = []struct {
	words *pattern.Pattern
	how   string
}{
	{pattern.New(`(?s).*with expansion:\n\s+(\S.*?)\n\n`), " failed: "}, // Catch2
	{pattern.New(`(?s).*due to (?:an )?unexpected exception with message:\n\s+(\S.*?)\n\n`), " threw: "},
	{pattern.New(`(?s).*: Failure\n(\S.*?)\n*$`), ""}, // GoogleTest
}

// wholeMessage is the message of an expectation with what its framework has printed of it, in
// place of the words that say that it has.
func wholeMessage(message, printed string) string {
	if !unprinted.MatchString(message) {
		return message
	}
	for _, way := range printedForms {
		if m := way.words.FindStringSubmatch(printed); m != nil {
			return strings.TrimPrefix(strings.Replace(unprinted.ReplaceAllString(message, "")+": "+m[1], " failed: ", cmp.Or(way.how, " failed: "), 1), ": ")
		}
	}
	return message
}

var (
	equality = pattern.New(`^(Expected equality of these values:)\n((?:\s+[^\n]*\n?)+)`)
	which    = pattern.New(`\n\s*Which is: ([^\n]*)`)
	joined   = pattern.New(`\n\s*`)
)

// equalityInOneLine is GoogleTest's message of an expectation of equality in one line.
func equalityInOneLine(message string) string {
	m := equality.FindStringSubmatch(message)
	if m == nil {
		return message
	}
	sides := strings.TrimSpace(which.ReplaceAllString(m[2], " (which is $1)"))
	return m[1] + " " + joined.ReplaceAllString(sides, ", ") + message[len(m[0]):]
}

var (
	heldError = pattern.New(`on an? .?Err.? value: ([^\n]*)`)
	// expects is the text with which a statement takes something out, or fails.
	expects = pattern.New(`\.expect\(\s*"((?:[^"\\{}]|\\.)*)"\s*\)`)
)

// heldInPlace is what stood in the value that could not be unwrapped: an error after the text
// of an expect, or nothing at all.
func heldInPlace(message, statement string) string {
	if m := heldError.FindStringSubmatch(message); m != nil {
		return "it was Err(" + m[1] + ")"
	}
	if !strings.Contains(statement, ".expect(") {
		return "it was empty"
	}
	all := expects.FindAllStringSubmatch(statement, -1)
	if len(all) == 1 && strings.Count(statement, ".expect(") == 1 {
		text, err := strconv.Unquote(`"` + all[0][1] + `"`)
		if found, is := strings.CutPrefix(message, text+": "); err == nil && is {
			found, _, _ = strings.Cut(found, "\n")
			return "it was Err(" + found + ")"
		}
		if err == nil && message == text {
			return "it was empty"
		}
	}
	return "nothing could be taken out of it"
}
