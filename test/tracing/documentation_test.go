//go:build linux

package tracing

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

// questions are all that each language is asked, by the names in tongue.Not.
func questions() []struct{ name, says string } {
	list := []struct{ name, says string }{
		{"values", "the values of expressions at each pass of a line, also with a condition; of many passes, the first and the last"},
		{"caller", "values of the caller beside them"},
		{"calls in expressions", "expressions that call a function; the reply says that they do"},
		{"calls", "calls with arguments and results; recursive calls are kept apart"},
		{"lines", "the lines of the n-th call of a function, or those that changed a value"},
		{"writes", "all writes to a place, through any name"},
		{"against", "where a second run differs: with other arguments, and with a patch in a copy of the workspace"},
		{"first", "the first moment at which a condition holds, by which statement, and a session that stands there; or at which an expression differs between two runs"},
		{"each", "the same for each instance of a type: `each(Account).balance < 0`"},
		{"endless", "a program that does not end, and a function that is called millions of times"},
	}
	for _, q := range origins {
		list = append(list, struct{ name, says string }{"why " + q.about, "where a value came from: " + q.says})
	}
	return list
}

// The page of languages holds the table of these questions:
//
//	go test ./test/tracing -run TestDocumentation -update
func TestDocumentation(t *testing.T) {
	var b strings.Builder
	b.WriteString("## Questions about how\n\n`trace` and `why` ([what they answer](questions.md)) are tested on the same program in " + list(tongues) + ". " +
		"Each line is a test\nthat passes in all of these, except where the line says \"Not with\"; there the reply says what follows in quotes.\n\n")
	names := map[string]bool{}
	for _, q := range questions() {
		names[q.name] = true
		fmt.Fprintf(&b, "- **%s**: %s.%s\n", q.name, strings.ToUpper(q.says[:1])+q.says[1:], exceptions(q.name))
	}
	b.WriteString("\nIn these programs the bug shows far from its cause. At most two calls lead from the symptom to the faulty statement:\n\n")
	for _, l := range tongues {
		var kinds []string
		for _, bug := range l.Bugs {
			kinds = append(kinds, bug.Kind)
		}
		fmt.Fprintf(&b, "- %s: %s\n", l.title(), strings.Join(kinds, ", "))
		for name := range l.Not {
			if !names[name] {
				t.Errorf("%s: there is no question %q", l.Name, name)
			}
		}
	}
	b.WriteString("\n")
	testkit.DocumentPart(t, "languages.md", "test/tracing", b.String())
}

// exceptions are the languages that cannot answer a question.
func exceptions(name string) string {
	reasons := map[string][]string{}
	var order []string
	for _, l := range tongues {
		if reason := l.Not[name]; reason != "" {
			if reasons[reason] == nil {
				order = append(order, reason)
			}
			reasons[reason] = append(reasons[reason], l.title())
		}
	}
	text := ""
	for _, reason := range order {
		text += fmt.Sprintf(" Not with %s: “%s”.", strings.Join(reasons[reason], ", "), reason)
	}
	return text
}

var titles = map[string]string{
	"go": "Go", "python": "Python", "ruby": "Ruby", "javascript": "JavaScript", "typescript": "TypeScript", "java": "Java",
	"cpp": "C++ (gdb)", "cpp-lldb": "C++ (LLDB)", "rust": "Rust (gdb)", "rust-lldb": "Rust (LLDB)",
}

// title is how people call a language.
func (l tongue) title() string { return cmp.Or(titles[l.Name], l.Name) }

func list(all []tongue) string {
	var names []string
	for _, l := range all {
		if !slices.Contains(names, l.title()) {
			names = append(names, l.title())
		}
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}
