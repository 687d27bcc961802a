package java

import (
	"strconv"

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
			Before: pattern.New(``), // the reason, where there are three
			Report: pattern.New(`(?s)^\s*(?:.*\n)?Expected: (?:is )?<(.*?)>\n\s*but: was <(.*?)>$`), Reports: adapters.ExpectedActual,
		},
		{ // AssertJ
			Call: pattern.New(`^(?:\w+\.)*assertThat\(`), Raised: pattern.New(`AssertionFailedError|AssertionError`), Arguments: adapters.ActualExpected,
			Report: pattern.New(`^\s*expected: ([^\n]*)\n\s*but was: ([^\n]*)\n*$`), Reports: adapters.ExpectedActual,
		},
		{ // of a condition
			Call: pattern.New(`^(?:\w+\.)*assertTrue\(`), Raised: pattern.New(`AssertionFailedError|AssertionError`), Condition: true,
		},
		{Call: pattern.New(`^assert\b`), Raised: pattern.New(`AssertionError`)},
	},
	Unmet:      []adapters.FailureType{{Type: pattern.New(`(?i)assert|comparisonfailure|expectation|testfail|multiplefailures`)}},
	Wanted:     pattern.New(`Cannot (?:read|invoke|assign|load|store)[^"]*"[^"]*" because "([^"]+)" is null`),
	NullResult: pattern.New(`because the return value of "(?:[\w.$]+[.$])?(\w+)\(.*?\)" is null`),
	OutOfRange: pattern.New(`[Ii]ndex (?P<index>-?\d+) out of bounds for length (?P<length>\d+)`),
	Unwraps: &adapters.Unwrapping{
		Fails: pattern.New(`No value present`),
		Takes: pattern.New(`^\.(?:get|orElseThrow)\(`),
		Held:  func(string, string) string { return "it was empty" },
	},
	ProgramWords: adapters.ProgramWords{
		Opaque:   pattern.New(`^class\b`),
		Nameless: pattern.New(`lambda\$`),
		Makes:    func(function, _ string) bool { return constructors.MatchString(function) },
		Shows:    pattern.New(`\.toString$`),
		Repeats: []*pattern.Pattern{
			pattern.New(`Exception in thread "[^"]*" ([\w.$]+)[^\n]*\n(?:\s+(?:at|\.\.\.) [^\n]*\n?|Caused by: [^\n]*\n?)*`),
		},
	},
	RunnerWords: adapters.RunnerWords{Counts: countTests},
}

var constructors = pattern.New(`(?:^|\.)(?:<init>|<clinit>)$|^new `)

var (
	surefire    = pattern.New(`Tests run: (\d+), Failures: (\d+), Errors: (\d+)`)
	passedTests = []*pattern.Pattern{pattern.New(`(?m)^\[\s+(\d+) tests successful\s+\]`)}
	failedTests = []*pattern.Pattern{pattern.New(`(?m)^\[\s+(\d+) tests failed\s+\]`)}
)

// countTests counts them by what Maven, else JUnit's console has printed at the end.
func countTests(printed string) (passed, failed int) {
	all := surefire.FindAllStringSubmatch(printed, -1)
	if len(all) == 0 {
		return adapters.CountTests(printed, passedTests, failedTests)
	}
	var counts [3]int
	for i, digits := range all[len(all)-1][1:] {
		n, err := strconv.Atoi(digits)
		if err != nil {
			return 0, 0
		}
		counts[i] = n
	}
	failed = counts[1] + counts[2]
	return counts[0] - failed, failed
}
