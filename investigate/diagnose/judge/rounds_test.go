package judge

import (
	"slices"
	"strings"
	"testing"

	"aidb-mcp/internal/text/exprsyntax"
)

// What decides how a loop goes on is told only where all of it can be read.
func TestRoundOf(t *testing.T) {
	reserved := func(word string) bool {
		return exprsyntax.Python.Reserved(word) || exprsyntax.C.Reserved(word) || exprsyntax.Go.Reserved(word) || exprsyntax.Rust.Reserved(word)
	}
	locals := map[string]bool{"left": true, "step": true, "rounds": true, "n": true, "x": true, "node": true}
	for name, c := range map[string]struct {
		text            string
		plain           bool
		decides, counts string
		outer, hidden   string
	}{
		"a counter beside it":           {"while left > 0:\n  left -= step\n  rounds += 1", false, "left step", "rounds", "", ""},
		"a counter that is read":        {"while left > 0:\n  left -= step\n  rounds += 1\n  if rounds > 9: break", false, "left step rounds", "", "", ""},
		"a counter of C on one line":    {"while (n) { n ^= n - 1; rounds++; }", true, "n", "rounds", "", ""},
		"a step that is a variable":     {"while n:\n  rounds += step", false, "n rounds step", "", "", ""},
		"a variable of nobody here":     {"while (flag) {\n n++;\n}", true, "", "n", "flag", ""},
		"a number with letters":         {"for n < 0x1F && x != 1e6 { }", true, "n x", "", "", ""},
		"a clock":                       {"while time.time() < n:\n  rounds += 1", false, "", "", "", "a call"},
		"a call by another name":        {"while (!done?.(x)) {}", false, "", "", "", "a call"},
		"a macro":                       {"while n > 0 { println!(\"{n}\"); }", true, "", "", "", "a call"},
		"a property may run code":       {"while not node.expired: pass", false, "", "", "", "a member of node"},
		"a member that is data":         {"while (node->next) n = 1;", true, "n", "", "node->next", ""},
		"a list":                        {"for x in left:\n  pass", false, "", "", "", "what it goes through"},
		"a collection of Go":            {"for _, x := range left {", true, "", "", "", "what it goes through"},
		"a collection of Java":          {"for (int x : left) {", true, "", "", "", "what it goes through"},
		"a loop of C":                   {"for (n = 0; n < x; step) {", true, "n x step", "", "", ""},
		"a channel":                     {"for n > 0 { x = <-left }", true, "", "", "", "what waits, or begins something"},
		"words are no variables":        {"while (x != 0) { if (n) break; else continue; }", true, "x n", "", "", ""},
		"a text has no variables in it": {"while n: x = \"left(step)\"", false, "n x", "", "", ""},
	} {
		r, hidden := RoundOf(strings.Split(c.text, "\n"), locals, c.plain, reserved)
		if hidden != c.hidden {
			t.Errorf("%s: hidden is %q", name, hidden)
			continue
		}
		if hidden != "" {
			continue
		}
		got := []string{strings.Join(r.Decides, " "), strings.Join(r.Counts, " "), strings.Join(r.Outer, " ")}
		if !slices.Equal(got, []string{c.decides, c.counts, c.outer}) {
			t.Errorf("%s: it decides, counts and takes from elsewhere %q", name, got)
		}
	}
}

// Whoever else may write to what a loop reads is seen in the lines of its function.
func TestShared(t *testing.T) {
	for name, c := range map[string]struct {
		above string
		want  bool
	}{
		"nobody":          {"func search(l, r int) int {\n\tdone := false", false},
		"one within":      {"\tdone := false\n\tgo func() {\n\t\tdone = true\n\t}()", true},
		"one on one line": {"\tdone := false\n\tgo func() { done = true }()", true},
		"an arrow":        {"\tlet done = false\n\tlater(() => done = true)", true},
		"its address":     {"\tdone := false\n\tstart(&done)", true},
		"another's":       {"\tdone := false\n\tgo func() { other = true }()", false},
	} {
		if got := Shared(strings.Split(c.above, "\n"), "\tfor !done {", []string{"done"}); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// A loop within another may be come to again.
func TestEnclosedByLoop(t *testing.T) {
	for name, c := range map[string]struct {
		above string
		want  bool
	}{
		"in a function":      {"def busy():\n    n = 1", false},
		"in a loop":          {"def busy():\n    for x in y:\n        n = 1", true},
		"behind a loop":      {"def busy():\n        for x in y:\n            n = 1\n        n = 2", false},
		"in a branch":        {"def busy():\n    if x:\n        n = 1", false},
		"in a branch within": {"def busy():\n    while x:\n      if y:\n        n = 1", true},
	} {
		if got := EnclosedByLoop(strings.Split(c.above, "\n"), "        while n:"); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
