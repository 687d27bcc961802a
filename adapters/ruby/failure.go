package ruby

import (
	"strconv"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/text/pattern"
)

// failureSyntax is how Ruby, rdbg and the frameworks for tests write failures.
var failureSyntax = adapters.FailureSyntax{
	Places:   stackPlaces,
	Printed:  printedFailure,
	Lost:     lostExceptions,
	None:     pattern.New(`^nil$`),
	False:    pattern.New(`^(?:nil|false)$`),
	True:     pattern.New(`^(?:true|-?\d|"|:|\[|\{|#<|[A-Z])`),
	Deadlock: pattern.New(`No live threads left\. Deadlock\?`),
	Overflow: pattern.New(`^SystemStackError\b|stack level too deep`),
	Fails:    pattern.New(`^(?:raise|fail|flunk)\b`),
	Kinds: []adapters.FailureWords{
		{Kind: adapters.DividedByZero, Words: pattern.New(`^ZeroDivisionError\b`)},
		{Kind: adapters.MissingKey, Words: pattern.New(`^KeyError\b`)},
		{Kind: adapters.BadIndex, Words: pattern.New(`^IndexError\b`)},
		{Kind: adapters.NothingThere, Words: pattern.New(`^NoMethodError\b.* for nil\b|^TypeError\b.*\bnil\b`)},
	},
	Assertions: []adapters.Assertion{
		{ // minitest and test-unit, which tell the values themselves
			Call: pattern.New(`^assert_(?:equal|same|in_delta|in_epsilon)\b`), Raised: pattern.New(`Assertion`), Arguments: adapters.ExpectedActual,
		},
		{ // RSpec
			Call: pattern.New(`^expect\b`), Raised: pattern.New(`ExpectationNotMetError`), Arguments: adapters.ActualExpected,
		},
	},
	Unmet: []adapters.FailureType{
		{Type: pattern.New(`^(?:Minitest::Assertion|Minitest::UnexpectedError|Test::Unit::AssertionFailedError|RSpec::.*(?:ExpectationNotMetError|MultipleExpectationsNotMetError))$`)},
	},
	Unreadable:   &adapters.Unreadable{Message: unreadFile, At: unreadAt},
	Wanted:       pattern.New("undefined method [`']([^']+)' for nil\\b"),
	ProgramWords: programWords,
	RunnerWords:  runnerWords,
}

// unreadFile matches what Ruby says of a file that it cannot read, which begins with the place.
// Text that is given to eval is none: the program runs, and has made it.
var unreadFile = pattern.New(`^SyntaxError: (.+\.rb):(\d+): syntax errors?\b`)

func unreadAt(_, message string) adapters.Thrown {
	found := unreadFile.FindStringSubmatch(message)
	if found == nil {
		return adapters.Thrown{}
	}
	line, _ := strconv.Atoi(found[2]) // digits, or too many
	return adapters.Thrown{File: found[1], Line: line}
}
