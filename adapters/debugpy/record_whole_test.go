package debugpy

import (
	"strings"
	"testing"

	"aidb-mcp/internal/recording"
)

// shownValues are the values of expressions at the end of a program.
func shownValues(t *testing.T, setup string, text int, expressions ...string) []recording.Value {
	t.Helper()
	dir, file := program(t, strings.Split(setup, "\n")...)
	line := strings.Count(setup, "\n") + 1
	log, printed := recordedRun(t, "script", file, recording.Spec{Text: text, Values: []recording.Values{{File: file, Line: line, Expressions: expressions}}}, dir)
	for _, e := range log.Events {
		if e.Kind == recording.Hit {
			return e.Values
		}
	}
	t.Fatalf("no hit; the program printed %q", printed)
	return nil
}

const classes = `import dataclasses, collections
class Plain:
    def __init__(self, **parts): self.__dict__.update(parts)
class Named(Plain):
    def __repr__(self): return "Named"
@dataclasses.dataclass
class Data:
    x: int
    y: object = None
pass`

// Two values are compared by all that is in them, however little of that their text shows.
func TestRecordedValuesAreWhole(t *testing.T) {
	for name, c := range map[string]struct {
		a, b string
		want recording.Equality
	}{
		"long texts":            {"'a' * 500", "'a' * 500", recording.Equal},
		"the end of a text":     {"'a' * 500 + 'b'", "'a' * 500 + 'c'", recording.Different},
		"the end of a list":     {"list(range(500))", "list(range(499)) + [0]", recording.Different},
		"far down":              {"[[[[1]]]]", "[[[[2]]]]", recording.Different},
		"far down, alike":       {"[[[[1]]]]", "[[[[1]]]]", recording.Equal},
		"types":                 {"[[[[1]]]]", "[[[[1.0]]]]", recording.Different},
		"a dict's order":        {"{'a': [[[1]]], 'b': 2}", "{'b': 2, 'a': [[[1]]]}", recording.Different},
		"a set's order":         {"{'a' * 90, 'b' * 90, 'c' * 90}", "{'c' * 90, 'b' * 90, 'a' * 90}", recording.Equal},
		"behind an own text":    {"Named(n=1)", "Named(n=2)", recording.Different},
		"behind it, alike":      {"Named(n=1)", "Named(n=1)", recording.Equal},
		"an attribute's":        {"Plain(a=Plain(b=Plain(c=Plain(d=1))))", "Plain(a=Plain(b=Plain(c=Plain(d=2))))", recording.Different},
		"fields of a dataclass": {"Data(1, Named(n=1))", "Data(1, Named(n=2))", recording.Different},
		"what nobody can see":   {"iter([1, 2])", "iter([1, 3])", recording.NotCompared},
		"too much":              {"'a' * (2 << 20)", "'a' * (2 << 20)", recording.NotCompared},
		"functions":             {"[[[len]]]", "[[[len]]]", recording.Equal},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			values := shownValues(t, classes, 100, c.a, c.b)
			if got := recording.Compare(values[0], values[1]); got != c.want {
				t.Errorf("%+v and %+v: %v, want %v", values[0], values[1], got, c.want)
			}
		})
	}
}

// What is equal in one run has the same hash in another, and what is shown in full has none.
func TestRecordedHashesLast(t *testing.T) {
	expressions := []string{"{'a' * 90, 'b' * 90}", "Plain(b=Named(n=1), a=[[[{'x', 'y', 'z'}]]])", "collections.OrderedDict(a=Named(n={1: 2}))"}
	first, second := shownValues(t, classes, 100, expressions...), shownValues(t, classes, 100, expressions...)
	for i := range first {
		if !first[i].Cut || first[i].Whole() == "" || first[i].Whole() != second[i].Whole() {
			t.Errorf("%s: %+v, then %+v", expressions[i], first[i], second[i])
		}
	}
	for i, v := range shownValues(t, classes, 100, "1", "'a'", "[1, [2, []]]", "Plain(x=1, y=None)", "Data(1)", "{}", "Named()", "{3, 1, 2}") {
		if v.Cut || v.Whole() != "" {
			t.Errorf("value %d is told to be cut: %+v", i, v)
		}
	}
	if v := shownValues(t, classes, 100, "{'b', 'a', 'c'}"); v[0].Text != "{'a', 'b', 'c'}" {
		t.Errorf("a set is %s", v[0].Text)
	}
}

// An empty set is no empty dict, which is what {} is.
func TestRecordedEmptySets(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"set()": "set()", "frozenset()": "frozenset()", "{}": "{}", "[set(), {}]": "[set(), {}]", "{1}": "{1}", "frozenset({1})": "frozenset({1})"} {
		if v := shownValues(t, "x = "+text+"\npass", 200, "x"); len(v) != 1 || v[0].Text != want {
			t.Errorf("%s is shown as %+v", text, v)
		}
	}
}
