package delve

import (
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/text/pattern"
)

// failureSyntax is how Go, Delve and the packages for tests write failures.
var failureSyntax = adapters.FailureSyntax{
	PlainMembers: true,
	None:         pattern.New(`^(?:nil|<nil>|NaN|0x0+|.* (?:nil|<nil>|0x0+))$`),
	Fails:        pattern.New(`(?:^|[{;]\s*)(?:panic|\w+\.(?:Error|Fatal)f?|\w+\.Fail(?:Now)?)\(`),
	Deadlock:     pattern.New(`all goroutines are asleep`),
	Overflow:     pattern.New(`stack overflow|goroutine stack exceeds`),
	Equates:      pattern.New(`^(?:reflect\.DeepEqual|bytes\.Equal(?:Fold)?|slices\.Equal|maps\.Equal|strings\.EqualFold|proto\.Equal)$`),
	EqualTo:      pattern.New(`^.+\.Equal$`),
	Likens:       pattern.New(`^(?:cmp\.Equal|(?:slices|maps)\.EqualFunc)$`),
	Compares:     pattern.New(`^(?:cmp\.Diff|pretty\.Compare|deep\.Equal|(?:bytes|strings|slices|cmp)\.Compare)$`),
	ComparedTo:   pattern.New(`^.+\.(?:Cmp|Compare)$`),
	Kinds: []adapters.FailureWords{
		{Kind: adapters.DividedByZero, Words: pattern.New(`integer divide by zero`)},
		{Kind: adapters.BadIndex, Words: pattern.New(`index out of range|slice bounds out of range`)},
		{Kind: adapters.NothingThere, Words: pattern.New(`nil pointer dereference|invalid memory address|assignment to entry in nil map|SIGSEGV`)},
	},
	Assertions: []adapters.Assertion{{ // testify
		Call:      pattern.New(`^(?:[\w.]+(?:\(\))?\.)?(?:Equal|EqualValues|Exactly|Same|JSONEq|YAMLEq)f?\(`),
		Said:      pattern.New(`^(?:\S+: )?(?:Not (?:equal|same)|Types expected to match exactly|(?:Expected value|Input|Both arguments must be pointers|Invalid operation)\b|Error Trace)`),
		Arguments: adapters.ExpectedActual, Before: pattern.New(`^(?:\w+\.)?[tT]{1,2}(?:\(\))?$`),
		Report: pattern.New(`(?s)Not equal:\s*expected\s*: (.+?)(?:,|\n)\s*actual\s*: (.+?)(?:\n.*)?$`), Reports: adapters.ExpectedActual,
	}},
	Unmet:      []adapters.FailureType{{Type: pattern.New(`(?i)assert`)}, {Type: pattern.New(`^panic$`), Message: pattern.New(`(?i)^assertion `)}},
	OutOfRange: pattern.New(`index out of range \[(?P<index>-?\d+)\] with length (?P<length>\d+)`),
	Suspects: []adapters.Suspect{{
		Words: pattern.New(`fatal error: concurrent map |sync: (?:negative WaitGroup counter|WaitGroup is reused before previous Wait has returned|inconsistent mutex state)|race detected during execution of test`), Check: adapters.Races,
	}},
	ProgramWords: adapters.ProgramWords{
		GaveUp: pattern.New(`(?m)^fatal error\b.*`),
	},
	RunnerWords: adapters.RunnerWords{
		Progress: pattern.New(`^(?:=== (?:RUN|PAUSE|CONT|NAME) .*|--- (?:FAIL|PASS): .*)$`),
		Counts:   countTests,
	},
}

// countTests counts the tests whose end "go test -v" has printed.
func countTests(printed string) (passed, failed int) {
	for line := range strings.Lines(printed) {
		switch {
		case strings.HasPrefix(line, "--- PASS: "):
			passed++
		case strings.HasPrefix(line, "--- FAIL: "):
			failed++
		}
	}
	return passed, failed
}
