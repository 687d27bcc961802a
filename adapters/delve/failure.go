package delve

import (
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
		Arguments: adapters.ExpectedActual, Before: pattern.New(`^(?:\w+\.)?[tT]{1,2}(?:\(\))?$`),
		Report: pattern.New(`(?s)Not equal:\s*expected\s*: (.+?)(?:,|\n)\s*actual\s*: (.+?)(?:\n.*)?$`), Reports: adapters.ExpectedActual,
	}},
}
