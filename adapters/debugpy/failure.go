package debugpy

import (
	"aidb-mcp/adapters"
	"aidb-mcp/internal/text/pattern"
)

// failureSyntax is how Python, debugpy and the frameworks for tests write failures.
var failureSyntax = adapters.FailureSyntax{
	Places:   stackPlaces,
	Printed:  printedFailure,
	Lost:     lostExceptions,
	Suspects: []adapters.Suspect{{Words: pattern.New(`\bSIG(?:SEGV|BUS)\b|segmentation fault|[Bb]us error`), Check: adapters.Memory, Unexplained: true}},
	None:     pattern.New(`^(?:None|nan)$`),
	False:    pattern.New(`^(?:False|None|-?0(?:\.0)?|0j|b?''|b?""|\[\]|\{\}|\(\)|(?:set|frozenset|deque|bytearray)\((?:\[\])?\))$`),
	True:     pattern.New(`^(?:True|-?\d*[1-9]\d*|-?\d*[1-9]\d*\.\d+|-?\d+\.\d*[1-9]\d*|b?'[^'].*|b?"[^"].*|\[[^\]].*|\{[^}].*|\([^)].*)$`),
	Fails:    pattern.New(`^(?:raise\b|(?:pytest|self)\.fail\()|:\s*raise\b`),
	Likens:   pattern.New(`^(?:(?:math|cmath|np|numpy)\.isclose|(?:np|numpy)\.(?:allclose|array_equal|array_equiv)|operator\.eq|isclose)$`),
	Overflow: pattern.New(`^RecursionError\b|maximum recursion depth exceeded`),
	Kinds: []adapters.FailureWords{
		{Kind: adapters.DividedByZero, Words: pattern.New(`^ZeroDivisionError\b`)},
		{Kind: adapters.MissingKey, Words: pattern.New(`^KeyError\b`)},
		{Kind: adapters.BadIndex, Words: pattern.New(`^IndexError\b`)},
		{Kind: adapters.NothingThere, Words: pattern.New(`^(?:AttributeError|TypeError)\b.*(?:NoneType|is not callable|is not iterable)`)},
	},
	Assertions: []adapters.Assertion{
		{ // pytest rewrites the language's own
			Call: pattern.New(`^assert\b`), Raised: pattern.New(`AssertionError`),
			Report: pattern.New(`^(?:AssertionError: )?assert (.+?) (?:==|!=|<=?|>=?|is not|is|in|not in) (.+?)(?:\n|$)`), Expands: true,
		},
		{ // unittest
			Call: pattern.New(`^self\.assert\w*(?:Equal|Equals|Is|In|Greater|Less)\(`), Raised: pattern.New(`AssertionError`),
			Report: pattern.New(`^(?:AssertionError: )?(?:\w+ differ: )?(.+?) (?:!=|is not) (.+?)(?: : .*)?(?:\n|$)`),
		},
		{ // unittest, of one value
			Call: pattern.New(`^self\.(?:assert(?:True|False|IsNone|IsNotNone)|assert_|fail(?:If|Unless))\(`), Raised: pattern.New(`AssertionError`), Condition: true,
		},
	},
	Unmet: []adapters.FailureType{
		{Type: pattern.New(`(?i)assert|expectation|testfail`)},
		{Type: pattern.New(`^Failed$`)}, // pytest's: what was to be raised was not, or the test has said so
	},
	Wanted:       pattern.New(`has no attribute '([^']+)'`),
	Unreadable:   &adapters.Unreadable{Message: pattern.New(`^(?:SyntaxError|IndentationError|TabError)\b`), At: unreadableAt},
	ProgramWords: programWords,
	RunnerWords:  runnerWords,
}
