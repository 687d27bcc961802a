package adapters

import (
	"strconv"

	"aidb-mcp/internal/text/pattern"
)

// ProgramWords is how a language, its runtime and its debugger name what is no value of the
// program's own, and how the runtime gives up. Nil is none.
type ProgramWords struct {
	// Opaque matches a value that is a part of the program itself: a module, a function.
	// Meaningless matches others that tell nothing.
	Opaque, Meaningless *pattern.Pattern
	// Erased is what of an expression is no part of what runs, up to its one group.
	Erased *pattern.Pattern
	// Nameless matches the name of a function that is written within a statement. Inner
	// matches that of a frame which has bound names of the statement.
	Nameless, Inner *pattern.Pattern
	// Makes says of a function, and of the text of its result, that it only made an object,
	// or was added by a compiler.
	Makes func(function, result string) bool
	// Shows matches the name of a function that only gives the text of a value: what reports a
	// failure calls it.
	Shows *pattern.Pattern
	// GaveUp is the line in which the runtime says that it gives up. Repeats are the ways in
	// which it prints the failure that has stopped the program; the group is the message.
	GaveUp  *pattern.Pattern
	Repeats []*pattern.Pattern
}

// RunnerWords is how the test runners of a language print. Nil is nothing.
type RunnerWords struct {
	// Progress matches a line that tells only how far the run has come.
	Progress *pattern.Pattern
	// Counts reads how many tests passed and failed; 0 where it does not say.
	Counts func(printed string) (passed, failed int)
	// Message is a failure's message with what the framework has printed of it, in place of words
	// that only say so. OneLine is a message that reports values in several lines, in one.
	Message func(message, printed string) string
	OneLine func(message string) string
}

// CountTests counts tests by the words with which runners end their report, the first that
// are there; the group is a number.
func CountTests(printed string, passed, failed []*pattern.Pattern) (int, int) {
	return lastCount(printed, passed), lastCount(printed, failed)
}

func lastCount(text string, ways []*pattern.Pattern) int {
	for _, way := range ways {
		if all := way.FindAllStringSubmatch(text, -1); len(all) > 0 {
			n, err := strconv.Atoi(all[len(all)-1][1])
			if err != nil {
				return 0
			}
			return n
		}
	}
	return 0
}
