package ruby

import (
	"aidb-mcp/adapters"
	"aidb-mcp/internal/text/pattern"
)

// programWords is how Ruby names what is no value of the program's own.
var programWords = adapters.ProgramWords{
	Opaque: pattern.New(`^#<(?:Proc|Method|UnboundMethod|Module|Class)\b`),
	Makes:  func(function, _ string) bool { return constructors.MatchString(function) },
	Shows:  pattern.New(`#(?:inspect|to_s|pretty_print|pretty_inspect|mu_pp)$`),
	GaveUp: pattern.New(`(?m)^\[BUG\].*|No live threads left\. Deadlock\?.*`),
}

var constructors = pattern.New(`(?:^|#)initialize$`)

// runnerWords is how minitest, RSpec and test-unit print.
var runnerWords = adapters.RunnerWords{
	Progress: pattern.New(`^(?:[.FESP*]+|[-=]{70,})$`),
	Counts: func(printed string) (passed, failed int) {
		if m := examples.FindStringSubmatch(printed); m != nil {
			return counted(m)
		}
		m := runs.FindStringSubmatch(printed)
		if m == nil {
			return 0, 0
		}
		return counted(m)
	},
}

var (
	examples = pattern.New(`(?m)^(\d+) examples?, (\d+) failures?`)
	runs     = pattern.New(`(?m)^(\d+) (?:runs|tests), \d+ assertions, (\d+) failures, (\d+) errors`)
)

// counted are the tests of a report that has all, and those that failed.
func counted(m []string) (passed, failed int) {
	all := number(m[1])
	for _, n := range m[2:] {
		failed += number(n)
	}
	return max(0, all-failed), failed
}
