package jsdebug

import (
	"aidb-mcp/adapters"
	"aidb-mcp/internal/text/pattern"
)

// failureSyntax is how JavaScript, its debugger and the frameworks for tests write failures.
var failureSyntax = adapters.FailureSyntax{
	Places:     stackPlaces,
	Printed:    printedFailure,
	Lost:       lostErrors,
	None:       pattern.New(`^(?:null|undefined|NaN)$`),
	False:      pattern.New("^(?:undefined|null|false|-?0n?|NaN|''|\"\"|``)$"),
	True:       pattern.New(`^(?:true|-?\d*[1-9]|-?\d+\.\d|-?Infinity|'[^']|"[^"]|\[|\{|\(\d+\) |[A-Z]\w*[ ({]|[A-Z]\w*$|ƒ|class\b|/)`),
	Fails:      pattern.New(`\bthrow\b`),
	Equates:    pattern.New(`^(?:(?:util\.)?isDeepStrictEqual|Object\.is|(?:_|lodash)\.isEqual)$`),
	EqualTo:    pattern.New(`^.+\.equals$`),
	Compares:   pattern.New(`^Buffer\.compare$`),
	ComparedTo: pattern.New(`^.+\.(?:compare|localeCompare)$`),
	Overflow:   pattern.New(`(?i)maximum call stack size exceeded`),
	Kinds: []adapters.FailureWords{
		{Kind: adapters.DividedByZero, Words: pattern.New(`^RangeError: (?:RangeError: )?Division by zero`)},
		{Kind: adapters.NothingThere, Words: pattern.New(`^TypeError: .*(?:of (?:null|undefined)\b|\b(?:null|undefined) is not|is (?:null|undefined)\b|is not a function|is not iterable)`)},
	},
	Assertions: []adapters.Assertion{
		{ // Jest
			Call: pattern.New(`^(?:await\s+)?expect(?:\.soft)?\(`), Arguments: adapters.ActualExpected,
			Report: pattern.New(`(?m)^expect\(received\)(?s:.*?)\n\s*Expected(?:\s\w+)*:\s*(.*)\n\s*Received(?:\s\w+)*:\s*(.*)$`), Reports: adapters.ExpectedActual,
		},
		{ // Vitest and Chai
			Call: pattern.New(`^(?:await\s+)?expect(?:\.soft)?\(`), Arguments: adapters.ActualExpected,
			Report:  pattern.New(`^(?:AssertionError: )?expected (.+?) to (?:be (.+) // Object\.is equality|(?:equal|deeply equal|strictly equal|deep equal) (.+))$`),
			Reports: adapters.ActualExpected,
		},
		{ // node:assert
			Call:      pattern.New(`^assert(?:\.strict)?\.(?:strictEqual|equal|deepStrictEqual|deepEqual|notStrictEqual|notEqual)\(`),
			Arguments: adapters.ActualExpected,
			Report:    pattern.New(`^(?:AssertionError[^:\n]*: )?Expected values to be (?:strictly|loosely) (?:deep-)?equal:\n\n([^\n]+?) (?:!==|!=|===|==) ([^\n]+)\n*$`),
			Reports:   adapters.ActualExpected,
		},
		{Call: pattern.New(`^(?:console\.)?assert(?:\.ok)?\(`), Condition: true},
		{ // tape
			Call:      pattern.New(`^s?t\.(?:(?:strict)?[eE]quals?|is(?:Equal|Equivalent)?|same|deep(?:Loose)?Equals?|looseEquals?)\(`),
			Arguments: adapters.ActualExpected,
		},
		{Call: pattern.New(`^s?t\.(?:ok|true|assert)\(`), Condition: true},
	},
	Unmet: []adapters.FailureType{
		{Type: pattern.New(`(?i)assert|expectation|testfail`)},
		{Type: pattern.New(`^Error$`), Message: pattern.New(`^expect\(`)}, // Jest's
	},
	Wanted: pattern.New(`(?:reading|setting|read property) '([^']+)'|\(reading "?(\w+)"?\)|'?([\w.$]+)'? is not (?:a function|iterable)|(\S+) is (?:null|undefined)$`),
	Unreadable: &adapters.Unreadable{
		Message:   pattern.New(`^(?:SyntaxError|TransformError|TSError)\b|^Error: Transform failed`),
		At:        unreadableAt,
		Loading:   isLoading,
		PrintedAt: pattern.New(`(?m)^(?:# )?(?:file://)?(/.+):(\d+)\n(?:.*\n(?:# )?\s*\^+\s*\n|\n+)(?:# *\n|\s*\n)?(?:# )?SyntaxError: `),
	},
	ProgramWords: programWords,
	RunnerWords:  runnerWords,
}
