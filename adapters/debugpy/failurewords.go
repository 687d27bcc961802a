package debugpy

import (
	"aidb-mcp/adapters"
	"aidb-mcp/internal/text/pattern"
)

// programWords is how Python and debugpy name what is no value of the program's own.
var programWords = adapters.ProgramWords{
	Opaque:      pattern.New(`^<(?:module|class|function|built-in) `),
	Meaningless: pattern.New(`^<unittest\.`),
	Nameless:    pattern.New(`<lambda`),
	Inner:       pattern.New(`^<(?:listcomp|setcomp|dictcomp|genexpr|lambda)>`),
	Makes:       func(function, _ string) bool { return constructors.MatchString(function) },
	Shows:       pattern.New(`\.__(?:repr|str|format)__$`),
	GaveUp:      pattern.New(`(?mi)^fatal (?:python )?error\b.*`),
}

var constructors = pattern.New(`(?:^|\.)(?:__init__|__new__|__post_init__)$`)

// runnerWords is how pytest and unittest print.
var runnerWords = adapters.RunnerWords{
	Progress: pattern.New(`^(?:[.FEsx]+|[-~=]{70,})$`),
	Counts:   countTests,
}

var (
	ran         = pattern.New(`(?m)^Ran (\d+) tests? in`)
	broken      = pattern.New(`(?m)^FAILED \((.*)\)$`)
	losses      = pattern.New(`\d+`)
	passedTests = []*pattern.Pattern{pattern.New(`\b(\d+) passed\b`)}
	failedTests = []*pattern.Pattern{pattern.New(`\b(\d+) failed\b`)}
)

// countTests counts them by what unittest, else pytest has printed at the end.
func countTests(printed string) (passed, failed int) {
	m := ran.FindStringSubmatch(printed)
	if m == nil {
		return adapters.CountTests(printed, passedTests, failedTests)
	}
	if lost := broken.FindStringSubmatch(printed); lost != nil {
		for _, n := range losses.FindAllStringSubmatch(lost[1], -1) {
			failed += atoi(n[0])
		}
	}
	return atoi(m[1]) - failed, failed
}

var readAt = pattern.New(`(?m)^  File "(.+)", line (\d+)\n?$`)

// unreadableAt is the place at which a file could not be read: the end of the stack has it.
func unreadableAt(stack, _ string) adapters.Thrown {
	all := readAt.FindAllStringSubmatch(stack, -1)
	if len(all) == 0 {
		return adapters.Thrown{}
	}
	last := all[len(all)-1]
	return adapters.Thrown{File: last[1], Line: atoi(last[2])}
}
