//go:build linux

package diagnosing

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

// says is what goes wrong in the usual failures.
var says = map[string]string{
	"member":     "a member of a null value, in the middle of a chain",
	"index":      "an index that a list does not have",
	"key":        "a key that a map does not have",
	"zero":       "a division by zero",
	"result":     "a call returns null, and a member of the result is used",
	"exit_code":  "the program exits with a code other than 0",
	"caught":     "the same, after an exception that it caught",
	"busy":       "a loop that never ends",
	"blocked":    "a sleep",
	"network":    "a wait for a connection",
	"deadlock":   "two threads each hold a lock and want the other's",
	"channel":    "a wait at a channel or queue into which nobody puts anything",
	"overflow":   "an endless recursion",
	"memory":     "more memory than allowed",
	"awaited":    "standard input that was not given",
	"thread":     "a failure in another thread",
	"task":       "a failure in a task, coroutine or promise",
	"child":      "a failure in a child process",
	"library":    "a failure in a library that got a wrong value",
	"no_test":    "a test that does not exist",
	"unbuilt":    "a program that does not compile or parse",
	"test":       "an assertion of a test that fails",
	"test_error": "a test that fails with another error",
	"fine":       "no failure",
}

// The page of languages holds the table of these failures:
//
//	go test ./test/diagnosing -run TestDocumentation -update
func TestDocumentation(t *testing.T) {
	var b strings.Builder
	b.WriteString("## What went wrong\n\nThe [verdicts](diagnosing.md#verdicts) of `diagnose` on the same failures in " + together(tongues) + ". Each line is a test,\n" +
		"which also checks the line of the program, the faulty part and its value.\n\n| what happens | verdict | not with |\n|---|---|---|\n")
	for _, name := range usual {
		if says[name] == "" {
			t.Errorf("nobody says what %q is", name)
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", says[name], verdicts(name), exceptions(name))
	}
	b.WriteString("\n")
	testkit.DocumentPart(t, "languages.md", "test/diagnosing", b.String())
}

// grouped has the languages by what is said of each, in the order in which that comes
// first; those of which nothing is said are in none.
func grouped(say func(tongue) string) (order []string, by map[string][]tongue) {
	by = map[string][]tongue{}
	for _, l := range tongues {
		said := say(l)
		if said == "" {
			continue
		}
		if by[said] == nil {
			order = append(order, said)
		}
		by[said] = append(by[said], l)
	}
	return order, by
}

// verdicts are those on a failure.
func verdicts(name string) string {
	order, by := grouped(func(l tongue) string { return l.Failures[name].Verdict })
	if len(order) == 1 {
		return "`" + order[0] + "`"
	}
	var all []string
	for _, verdict := range order {
		all = append(all, "`"+verdict+"` in "+together(by[verdict]))
	}
	return strings.Join(all, "; ")
}

// exceptions are the languages that a failure is not of.
func exceptions(name string) string {
	order, by := grouped(func(l tongue) string { return l.Not[name] })
	var all []string
	for _, reason := range order {
		all = append(all, together(by[reason])+": "+reason)
	}
	return strings.Join(all, "; ")
}

var titles = map[string]string{
	"go": "Go", "python": "Python", "javascript": "JavaScript", "typescript": "TypeScript", "java": "Java",
	"c": "C", "cpp": "C++", "rust": "Rust", "ruby": "Ruby",
}

// together are languages as people call them.
func together(all []tongue) string {
	var names []string
	for _, l := range all {
		title := cmp.Or(titles[l.Name], l.Name)
		if before, debugger, ok := strings.Cut(l.Name, "-"); ok {
			title = cmp.Or(titles[before], before) + " (" + strings.ToUpper(debugger) + ")"
		}
		if !slices.Contains(names, title) {
			names = append(names, title)
		}
	}
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}
