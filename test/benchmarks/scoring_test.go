//go:build linux

package benchmarks

import (
	"strings"
	"testing"
)

// failing is true of a program whose check `f(2) == 5` fails in line 9, as f(2) is 4.
var failing = truth{
	Verdicts: []string{"test_failure"}, Places: []string{"check.py:9", "check.py:10"}, Raised: "AssertionError",
	Sides:  &sides{Left: side{Expression: "f(2)", Value: "4"}, Right: side{Expression: "5", Value: "5", Literal: true}},
	Values: map[string]string{"f(2)": "4", "x": "'a b'", "5": "5"},
}

// said is an answer that is right about it.
func said(change func(*answer)) answer {
	a := answer{Verdict: "test_failure", Message: "AssertionError: no", Location: "p1/check.py:9", Left: "4", Right: "5",
		Culprit: &part{"f(2)", "4"}, Parts: []part{{"f(2)", "4"}, {"x", `"a b"`}}}
	change(&a)
	return a
}

// What contradicts the truth is scored FALSE, whatever else is right.
func TestAFalseReplyIsScoredFalse(t *testing.T) {
	for name, change := range map[string]func(*answer){
		"nothing went wrong":       func(a *answer) { *a = answer{Verdict: "ok"} },
		"another verdict":          func(a *answer) { a.Verdict = "exception" },
		"no test":                  func(a *answer) { *a = answer{Verdict: "no_test_ran"} },
		"another line":             func(a *answer) { a.Location = "p1/check.py:8" },
		"another file":             func(a *answer) { a.Location = "p1/my_check.py:9" },
		"another exception":        func(a *answer) { a.Message = "KeyError: 'no'" },
		"another left side":        func(a *answer) { a.Left = "3" },
		"another right side":       func(a *answer) { a.Right = "4" },
		"sides the other way":      func(a *answer) { a.Left, a.Right = "5", "4" },
		"an expected of its own":   func(a *answer) { a.Expected = "6" },
		"another culprit's value":  func(a *answer) { a.Culprit = &part{"f(2)", "5"} },
		"another part's value":     func(a *answer) { a.Parts[1].Value = "'a c'" },
		"a part shortened wrongly": func(a *answer) { a.Parts[1].Value = "'b…" },
		"another argument":         func(a *answer) { a.Frames = []frame{{Arguments: map[string]string{"x": "'b'"}}} },
	} {
		if g, _ := failing.score(said(change)); g != wrong {
			t.Errorf("%s is scored %s", name, g)
		}
	}
	if g, _ := (truth{OK: true}).score(said(func(*answer) {})); g != wrong {
		t.Errorf("a failure of a program that ends well is scored %s", g)
	}
	swapped := failing
	swapped.Sides = &sides{Left: failing.Sides.Left, Right: failing.Sides.Right, Expected: "right"}
	if g, _ := swapped.score(said(func(a *answer) { a.Left, a.Right, a.Expected, a.Actual = "", "", "4", "5" })); g != wrong {
		t.Errorf("expected and actual the other way are scored %s", g)
	}
}

// Of a loop that never ends it is no lie that it was cut, and one of a program that fails.
func TestACutIsAnHonestNoOfALoop(t *testing.T) {
	cut := answer{Verdict: "cut", Message: "cut after 4s, under the debugger"}
	if g, _ := (truth{Verdicts: []string{"busy_loop"}}).score(cut); g != unknown {
		t.Errorf("of a loop it is scored %s", g)
	}
	if g, _ := failing.score(cut); g != wrong {
		t.Errorf("of a failing program it is scored %s", g)
	}
}

// What is right is RIGHT in each way of saying it; what lacks something is PARTLY, and
// what says nothing an honest no.
func TestWhatIsLacking(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*answer)
		want   grade
	}{
		"all of it":           {func(*answer) {}, right},
		"the statement's end": {func(a *answer) { a.Location = "check.py:10" }, right},
		"the culprit alone":   {func(a *answer) { a.Left, a.Right, a.Parts = "", "", nil }, right},
		"named sides":         {func(a *answer) { a.Left, a.Right, a.Expected, a.Actual = "", "", "5", "4" }, right},
		"a value shortened":   {func(a *answer) { a.Parts[1].Value = "'a…" }, right},
		"no place":            {func(a *answer) { a.Location = "" }, partly},
		"no value":            {func(a *answer) { a.Left, a.Right, a.Parts, a.Culprit = "", "", nil, nil }, partly},
		"a call not made again": {func(a *answer) {
			*a = said(func(a *answer) { a.Left, a.Right, a.Parts = "", "", nil })
			a.Culprit.Value = "(it is a call, and is not made again)"
		}, partly},
		"an error": {func(a *answer) { *a = answer{} }, unknown},
	} {
		g, why := failing.score(said(c.change))
		if g != c.want {
			t.Errorf("%s is scored %s (%s)", name, g, strings.Join(why, "; "))
		}
	}
	if g, _ := (truth{OK: true}).score(answer{Verdict: "ok"}); g != right {
		t.Errorf("a program that ends well is scored %s", g)
	}
	told := failing
	told.Message = "wrong answer"
	if g, _ := told.score(said(func(*answer) {})); g != partly {
		t.Errorf("a message that is not told is scored %s", g)
	}
}

func TestSame(t *testing.T) {
	for _, pair := range [][2]string{{"4", "4.0"}, {`"a"`, "'a'"}, {"[1, 2]", "[1,2]"}, {"<function f at 0x12>", "<function f at 0x9>"}, {"[1,...9]", "[1, 2, 9]"}, {`{"a":1}`, `"{\"a\":1}"`}} {
		if !same(pair[0], pair[1]) {
			t.Errorf("%s is not %s", pair[0], pair[1])
		}
	}
	for _, pair := range [][2]string{{"4", "5"}, {"a", "ab"}, {"True", "False"}, {"-1", "1"}, {"", "0"}, {"[1,...8]", "[1, 2, 9]"}} {
		if same(pair[0], pair[1]) {
			t.Errorf("%s is %s", pair[0], pair[1])
		}
	}
}

// The tokens of a program leave out what is no code, and each fault changes one place.
func TestMutants(t *testing.T) {
	const source = "// a < b\nint f(int a, int b) {\n  if (a < b) { return g(a, b); }\n  s = \"x + y\" + 'c';\n  return v[i] /* - */ - 1;\n}\n"
	var words []string
	for _, token := range lex(source) {
		words = append(words, token.text)
	}
	if got := strings.Join(words, " "); got != "int f ( int a , int b ) { if ( a < b ) { return g ( a , b ) ; } s = + ; return v [ i ] - 1 ; }" {
		t.Errorf("the tokens are %s", got)
	}
	kinds := map[string]string{}
	for _, m := range mutants(source, nil) {
		if m.Source == source || strings.Count(m.Source, "\n") != strings.Count(source, "\n") {
			t.Errorf("%s leaves\n%s", m.Operator, m.Source)
		}
		kinds[m.Operator] += strings.Split(m.Source, "\n")[m.Line-1] + "\n"
	}
	for kind, has := range map[string]string{
		"a bound": "if (a <= b)", "a sign": "/* - */ + 1", "an index": "v[i - 1]", "a constant": "- 2;", "swapped arguments": "g(b, a)",
		"a negated condition": "if (!(a < b))", "a check left out": "if (false && (a < b))", "a variable": "(b < b)", "a statement left out": "  \n",
	} {
		if !strings.Contains(kinds[kind], has) {
			t.Errorf("%s gives %q, not %s", kind, kinds[kind], has)
		}
	}
	again := mutants(source, nil)
	for i, m := range mutants(source, nil) {
		if m != again[i] {
			t.Fatal("the same seed gives other faults")
		}
	}
}
