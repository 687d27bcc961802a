package custom

import (
	"aidb-mcp/adapters"
	"aidb-mcp/internal/text/pattern"
)

// failures is what most languages have in common.
var failureSyntax = adapters.FailureSyntax{
	None:     pattern.New(`^(?:nil|None|null|undefined|nullptr|NULL|0x0+)$`),
	Fails:    pattern.New(`\b(?:raise|throw)\b`),
	Overflow: pattern.New(`(?i)stack overflow|SystemStackError|stack level too deep`),
	Kinds: []adapters.FailureWords{
		{Kind: adapters.DividedByZero, Words: pattern.New(`(?i)ZeroDivision|divi(?:de|sion|ded)\b.*\bzero`)},
		{Kind: adapters.MissingKey, Words: pattern.New(`^KeyError\b`)},
		{Kind: adapters.BadIndex, Words: pattern.New(`^IndexError\b|(?i)index .*out of (?:range|bounds)`)},
		{Kind: adapters.NothingThere, Words: pattern.New(`NoMethodError.*\bnil\b|NullReference|NullPointer|nil value`)},
	},
	Unmet: []adapters.FailureType{{Type: pattern.New(`(?i)assert|comparisonfailure|expectation|testfail`)}},
	RunnerWords: adapters.RunnerWords{Counts: func(printed string) (passed, failed int) {
		return adapters.CountTests(printed, passedTests, failedTests)
	}},
}

var (
	passedTests = []*pattern.Pattern{pattern.New(`\b(\d+) passed\b`), pattern.New(`(?m)^\s*(\d+) passing\b`)}
	failedTests = []*pattern.Pattern{pattern.New(`\b(\d+) failed\b`), pattern.New(`(?m)^\s*(\d+) failing\b`)}
)
