package java

import (
	"aidb-mcp/adapters"
	"aidb-mcp/internal/text/pattern"
)

// asserts is how a call of an assertion of JUnit or TestNG begins.
var asserts = pattern.New(`^(?:\w+\.)*assert(?:Equals|Same|ArrayEquals|IterableEquals|LinesMatch)\(`)

// failureSyntax is how Java, its debugger and the frameworks for tests write failures.
var failureSyntax = adapters.FailureSyntax{
	Places:       stackPlaces,
	PlainMembers: true,
	None:         pattern.New(`^(?:null|Optional\.empty|NaN)$`),
	Fails:        pattern.New(`\bthrow\b|^fail\(`),
	Overflow:     pattern.New(`StackOverflowError`),
	Equates:      pattern.New(`^(?:java\.util\.)?(?:Objects|Arrays)\.(?:e|deepE)quals$`),
	EqualTo:      pattern.New(`^.+\.(?:equals|equalsIgnoreCase|contentEquals)$`),
	Compares:     pattern.New(`^(?:(?:java\.util\.)?Arrays\.compare|(?:java\.lang\.)?(?:Integer|Long|Short|Byte|Character|Boolean|Double|Float)\.compare)$`),
	ComparedTo:   pattern.New(`^.+\.compareTo(?:IgnoreCase)?$`),
	Kinds: []adapters.FailureWords{
		{Kind: adapters.NothingThere, Words: pattern.New(`No value present`)},
		{Kind: adapters.DividedByZero, Words: pattern.New(`/ by zero|[Dd]ivi(?:de|sion) by zero`)},
		{Kind: adapters.MissingKey, Words: pattern.New(`NoSuchElementException`)},
		{Kind: adapters.BadIndex, Words: pattern.New(`IndexOutOfBounds|[Ii]ndex .*out of (?:range|bounds)`)},
		{Kind: adapters.NothingThere, Words: pattern.New(`NullPointerException`)},
	},
	Assertions: []adapters.Assertion{
		{ // JUnit 5
			Call: asserts, Raised: pattern.New(`AssertionFailedError`), Arguments: adapters.ExpectedActual,
			Report: pattern.New(`(?s)^(?:.* ==> )?expected: (?:<(.*)>|([^<\n]+<.*>)) but was: (?:<(.*)>|([^<\n]+<.*>))$`), Reports: adapters.ExpectedActual,
		},
		{ // JUnit 4
			Call: asserts, Raised: pattern.New(`AssertionError|ComparisonFailure`), Arguments: adapters.ExpectedActual,
			Report: pattern.New(`(?s)^(?:.* )?expected:\s?<(.*)> but was:\s?<(.*)>$`), Reports: adapters.ExpectedActual,
		},
		{ // TestNG
			Call: asserts, Raised: pattern.New(`AssertionError`), Arguments: adapters.ActualExpected,
			Report: pattern.New(`(?s)^(?:.* )?expected \[(.*)\] but found \[(.*)\]$`), Reports: adapters.ExpectedActual,
		},
		{ // Hamcrest
			Call: pattern.New(`^(?:\w+\.)*assertThat\(`), Raised: pattern.New(`AssertionError`), Arguments: adapters.ActualExpected,
			Report: pattern.New(`(?s)^\s*(?:.*\n)?Expected: (?:is )?<(.*?)>\n\s*but: was <(.*?)>$`), Reports: adapters.ExpectedActual,
		},
		{ // AssertJ
			Call: pattern.New(`^(?:\w+\.)*assertThat\(`), Raised: pattern.New(`AssertionFailedError|AssertionError`), Arguments: adapters.ActualExpected,
			Report: pattern.New(`^\s*expected: ([^\n]*)\n\s*but was: ([^\n]*)\n*$`), Reports: adapters.ExpectedActual,
		},
		{ // of a condition; JUnit 4 has words before it, where there are any
			Call: pattern.New(`^(?:\w+\.)*assertTrue\(\s*[^"\s]`), Raised: pattern.New(`AssertionFailedError|AssertionError`), Condition: true,
		},
		{Call: pattern.New(`^assert\b`), Raised: pattern.New(`AssertionError`)},
	},
}
