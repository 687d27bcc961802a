package judge

import (
	"reflect"
	"testing"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/debugpy"
	"aidb-mcp/adapters/delve"
	"aidb-mcp/adapters/java"
	"aidb-mcp/adapters/jsdebug"
	"aidb-mcp/adapters/native"
	nativebuild "aidb-mcp/adapters/native/build"
	"aidb-mcp/internal/text/exprsyntax"
)

// syntaxOf is how a language writes failures, as its adapter says.
func syntaxOf(l exprsyntax.Language) adapters.FailureSyntax {
	var a adapters.Adapter
	is := func(o exprsyntax.Language) bool { return reflect.DeepEqual(l, o) }
	switch {
	case is(exprsyntax.Go):
		a = delve.New(delve.Options{})
	case is(exprsyntax.Python):
		a = debugpy.New(debugpy.Options{})
	case is(exprsyntax.JavaScript):
		a = jsdebug.New(jsdebug.Options{})
	case is(exprsyntax.Java):
		a = java.New(java.Options{})
	case is(exprsyntax.Rust):
		a = native.New(native.Options{}, nativebuild.Rust)
	default:
		a = native.New(native.Options{}, nativebuild.CPP)
	}
	return a.Info().Failures
}

// known is a stop at a statement of a language.
func known(l exprsyntax.Language, stop Stop, statement string, above ...string) Stop {
	stop.Syntax = syntaxOf(l)
	if stop.Statement == "" {
		stop.Statement = statement
	}
	stop.Comparison = ComparisonOf(stop, above)
	return stop
}

// The two values come from the exact report of a framework whose call the statement is.
func TestReported(t *testing.T) {
	for _, c := range []struct {
		language             exprsyntax.Language
		typ, message, source string
		want                 Sides
	}{
		{exprsyntax.Java, "AssertionFailedError", "expected: <6> but was: <5>", "assertEquals(6, calc.add(2, 3));", Sides{Expected: "6", Actual: "5"}},
		{exprsyntax.Java, "AssertionFailedError", "of two ==> expected: <6> but was: <5>", `assertEquals(6, calc.add(2, 3), "of two");`, Sides{Expected: "6", Actual: "5"}},
		{exprsyntax.Java, "AssertionFailedError", "expected: java.lang.Double@7e<12.3> but was: java.lang.Float@6c<12.3>", "assertEquals(a, b);", Sides{Expected: "java.lang.Double@7e<12.3>", Actual: "java.lang.Float@6c<12.3>"}},
		{exprsyntax.Java, "AssertionError", "expected [6] but found [5]", "Assert.assertEquals(add(2, 3), 6);", Sides{Expected: "6", Actual: "5"}},
		{exprsyntax.Java, "AssertionError", "\nExpected: is <9>\n     but: was <8>", "assertThat(size(), is(9));", Sides{Expected: "9", Actual: "8"}},
		{exprsyntax.Java, "AssertionError", "expected: <[0, 2, 4]> but was: <[0, 2]>", `if (!got.equals(want)) throw new AssertionError("expected: <" + want + "> but was: <" + got + ">");`, Sides{}},
		{exprsyntax.Python, "AssertionError", "assert 750 == 700\n +  where 750 = total()", "assert total() == 700", Sides{Left: "750", Right: "700"}},
		{exprsyntax.Python, "AssertionError", "assert 'a == b' == 'a'", "assert text() == 'a'", Sides{}},
		{exprsyntax.Python, "AssertionError", "assert total == 3 must hold", `assert got == 3, "assert total == 3 must hold"`, Sides{}},
		{exprsyntax.Python, "AssertionError", "total == 3 must hold", `assert got == 3, "total == 3 must hold"`, Sides{}},
		{exprsyntax.Python, "AssertionError", "5 != 6", "self.assertEqual(sum(parse(s)), 6)", Sides{Left: "5", Right: "6"}},
		{exprsyntax.Python, "ValueError", "not enough values to unpack (expected 2, got 1)", `key, value = pair("a")`, Sides{}},
		{exprsyntax.Rust, "panic", "assertion `left == right` failed\n  left: 90\n right: 80", "assert_eq!(total(1, 3), 80);", Sides{Left: "90", Right: "80"}},
		{exprsyntax.Rust, "panic", "assertion failed: area(2, 3) == 6", "assert!(area(2, 3) == 6);", Sides{}},
		{exprsyntax.JavaScript, "Error", "expect(received).toBe(expected) // Object.is equality\n\nExpected: 6\nReceived: 5", "expect(total()).toBe(6);", Sides{Expected: "6", Actual: "5"}},
		{exprsyntax.JavaScript, "AssertionError", "expected 5 to be 6 // Object.is equality", "expect(total()).toBe(6);", Sides{Expected: "6", Actual: "5"}},
		{exprsyntax.JavaScript, "AssertionError", `expected "add" to be called with arguments: [ …(2) ]`, "expect(spy).toHaveBeenCalledWith(list, \"c\");", Sides{}},
		{exprsyntax.JavaScript, "AssertionError", "Expected values to be strictly equal:\n\n210 !== 21\n", "assert.strictEqual(discount(order, 50), 21)", Sides{Actual: "210", Expected: "21"}},
		{exprsyntax.JavaScript, "Error", "invariant violated: total == sum of items", `if (got !== 3) throw new Error("invariant violated: total == sum of items");`, Sides{}},
		{exprsyntax.JavaScript, "Error", "Too small: expected number to be >0", "throw new Error(JSON.stringify(issues, null, 2));", Sides{}},
		{exprsyntax.C, "test failure", "Expected equality of these values:\n  add(2, 3)\n    Which is: 5\n  6", "EXPECT_EQ(add(2, 3), 6);", Sides{Left: "5", Right: "6"}},
		{exprsyntax.C, "test failure", "Expected: (cart.total()) > (50), actual: 42 vs 50\ntoo cheap", `EXPECT_GT(cart.total(), 50) << "too cheap";`, Sides{Left: "42", Right: "50"}},
		{exprsyntax.C, "test failure", "REQUIRE( f() == 6 ) failed: 5 == 6", "REQUIRE( f() == 6 );", Sides{Left: "5", Right: "6"}},
		{exprsyntax.Go, "test failure", `TestPath: Not equal: expected: "/path", actual: "/pat"`, `assert.Equal(t, "/path", got)`, Sides{Expected: `"/path"`, Actual: `"/pat"`}},
		{exprsyntax.Go, "test failure", "TestX: sum = 3, want 4", `t.Errorf("sum = %d, want %d", got, 4)`, Sides{}},
		{exprsyntax.Go, "test failure", "TestX: Not equal: expected: 3, actual: 4", `t.Fatalf("Not equal: expected: %v, actual: %v", want, got)`, Sides{}},
	} {
		stop := known(c.language, Stop{Type: c.typ, Message: c.message, Testing: true}, c.source)
		got := Reported(stop, stop.Comparison, stop.Message)
		got.From = ""
		if got != c.want {
			t.Errorf("%q of %s: %+v, want %+v", c.message, c.source, got, c.want)
		}
	}
}

// Without the report, or where it is one of another framework, there are no sides.
func TestNotReported(t *testing.T) {
	stop := known(exprsyntax.Java, Stop{Type: "AssertionFailedError", Message: "expected: <6> but was: <5>", Testing: true}, "assertEquals(6, add(2, 3));")
	if s := Reported(stop, stop.Comparison, stop.Message); !s.AreKnown() {
		t.Fatal("the report is not read")
	}
	for name, change := range map[string]func(*Stop){
		"words of its own":    func(s *Stop) { s.Message = "six and five" },
		"raised by a program": func(s *Stop) { s.Type = "IllegalStateException" },
		"another statement":   func(s *Stop) { s.Statement = "check(6, add(2, 3));" },
		"nothing is known":    func(s *Stop) { s.Syntax = adapters.FailureSyntax{} },
	} {
		other := stop
		change(&other)
		if s := Reported(other, ComparisonOf(other, nil), other.Message); s.AreKnown() {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

// A part is blamed for an expectation where it is the side that is known to be the actual
// one, and no other.
func TestActual(t *testing.T) {
	for _, c := range []struct {
		language      exprsyntax.Language
		typ, message  string
		above, source string
		want          string
	}{
		{exprsyntax.Java, "AssertionFailedError", "expected: <5> but was: <6>", "", "assertEquals(want(), plus(2, 3));", "plus(2, 3)"},
		{exprsyntax.Java, "AssertionError", "expected [5] but found [6]", "", "assertEquals(plus(2, 3), want());", "plus(2, 3)"},
		{exprsyntax.Java, "AssertionFailedError", "", "", `assertEquals(List.of("a", "b"), report());`, "report()"},
		{exprsyntax.Python, "AssertionError", "5 != 6", "", "self.assertEqual(sum(parse(s)), 6)", "sum(parse(s))"},
		{exprsyntax.Python, "AssertionError", "", "", "assert 700 == total(1, 3)", "total(1, 3)"},
		{exprsyntax.Python, "AssertionError", "", "", "assert got == want", ""},
		{exprsyntax.Python, "AssertionError", "", "", "assert len(parse(s)) == 3", "len(parse(s))"},
		{exprsyntax.JavaScript, "AssertionError", "", "", "expect(total(o)).toBe(want);", "total(o)"},
		{exprsyntax.JavaScript, "AssertionError", "", "", `it.each([["a", 4]])("%s", (n) => { expect(total(o)).toBe(4) })`, ""},
		{exprsyntax.JavaScript, "Error", "x", "", `if (got !== 3) throw new Error("x");`, "got"},
		{exprsyntax.Go, "test failure", "", "	if got != 21 {", `t.Errorf("got %d", got)`, "got"},
		{exprsyntax.Go, "test failure", "", "	if got := half(n); got != 21 {", `t.Errorf("got %d", got)`, "got"},
		{exprsyntax.Go, "panic", "order 2", "	if err != nil {", "panic(err)", ""},
		{exprsyntax.Go, "test failure", "", "	if got != n/2 {", `t.Errorf("case %s: got %d", show(n), got)`, ""},
		{exprsyntax.Go, "test failure", "", `	assert.Equal(t, 3, x)`, `t.Errorf("got %d", got)`, ""},
		{exprsyntax.Go, "test failure", "TestHalf: Not equal: expected: 21, actual: 3", "", "assert.Equal(t, want, half(6))", "half(6)"},
		{exprsyntax.Go, "test failure", "TestHalf: 21 != 3", "", "assert.Equal(t, want, half(6))", ""}, // of another package, whose order is not known
		{exprsyntax.Rust, "panic", "assertion failed: area(2, 3) == 6", "", "assert!(area(2, 3) == 6);", "area(2, 3)"},
		{exprsyntax.Rust, "panic", "", "", "macro_rules! t { ($t:ident : $a:expr => $b:expr) => { #[test] fn $t() { assert_eq!(super::up($a), $b) } } }", ""},
		{exprsyntax.JavaScript, "AssertionError", "", "", `assert(ready, "it is not ready")`, ""},
		{exprsyntax.JavaScript, "AssertionError", "", "", `assert(got === 3, "three")`, "got"},
		{exprsyntax.JavaScript, "AssertionError", "", "", "expect(await total(o)).toBe(5);", "total(o)"},
		{exprsyntax.C, "test failure", "", "", "EXPECT_EQ(5, f(b));", "f(b)"},
		{exprsyntax.C, "test failure", "", "", "CHECK(a - f(b) == 5);", "a - f(b)"},
		{exprsyntax.C, "SIGABRT", "Assertion `o.id == 8' failed.", "", "assert(o.id == 8);", "o.id"},
	} {
		var above []string
		if c.above != "" {
			above = []string{c.above}
		}
		stop := known(c.language, Stop{Type: c.typ, Message: c.message, Testing: true}, c.source, above...)
		if got := stop.Comparison.Actual(); got != c.want {
			t.Errorf("%s %s: %q, want %q of %+v", c.above, c.source, got, c.want, stop.Comparison)
		}
	}
}

// Which argument is which is as the adapter has seen the framework's method called: words may
// stand before them.
func TestActualByItsArgument(t *testing.T) {
	for source, c := range map[string]struct {
		at   Sides
		want string
	}{
		"assertEquals(WORDS, want, got);":       {Sides{ExpectedAt: 2, ActualAt: 3}, "got"},
		`assertEquals("the sum", 5, add(2, 3))`: {Sides{ExpectedAt: 2, ActualAt: 3}, "add(2, 3)"},
		"assertEquals(got, want);":              {Sides{ExpectedAt: 2, ActualAt: 1}, "got"},
		"assertEquals(want, got);":              {Sides{}, "got"},
		"assertEquals(want, got, WORDS);":       {Sides{ExpectedAt: 1, ActualAt: 4}, "got"}, // not of this call
		"assertTrue(told(got), got == 5);":      {Sides{ActualAt: 2}, "got"},
		`assertTrue("the sum", got == 5);`:      {Sides{ActualAt: 2}, "got"},
		"assertTrue(got == 5, told(got));":      {Sides{ActualAt: 1}, "got"},
		"assertThat(told(got), got, is(5));":    {Sides{}, "got"},
	} {
		stop := known(exprsyntax.Java, Stop{Type: "AssertionError", Sides: c.at, Testing: true}, source)
		if got := stop.Comparison.Actual(); got != c.want {
			t.Errorf("%s: %q, want %q of %+v", source, got, c.want, stop.Comparison)
		}
	}
}

// Where both sides are variables, that which a call has made is the actual one beside one
// that was given; where the lines do not show both, nobody knows.
func TestMade(t *testing.T) {
	for name, c := range map[string]struct {
		above []string
		want  string
	}{
		"a table's case":      {[]string{"for _, tt := range tests {", "	got := Discount(tt.price)", "	if got != tt.want {"}, "got"},
		"the other way round": {[]string{"for _, tt := range tests {", "	got := Discount(tt.price)", "	if tt.want != got {"}, "got"},
		"parameters":          {[]string{"func same(t *testing.T, got int, tt row) {", "	if got != tt.want {"}, ""},
		"one is a parameter":  {[]string{"func same(t *testing.T, tt row) {", "	got := half(6)", "	if got != tt.want {"}, ""},
		"two calls":           {[]string{"got := half(6)", "tt := read(file)", "if got != tt.want {"}, ""},
		"none":                {[]string{"for _, tt := range tests {", "	got := 3", "	if got != tt.want {"}, ""},
	} {
		stop := known(exprsyntax.Go, Stop{Type: "test failure", Testing: true}, `t.Errorf("%d", got)`, c.above...)
		if got := stop.Comparison.Actual(); got != c.want {
			t.Errorf("%s: %q, want %q of %+v", name, got, c.want, stop.Comparison)
		}
	}
}

// What was read of both operands is the two sides; of one alone it is not.
func TestRead(t *testing.T) {
	parts := []Part{{Part: exprsyntax.Part{Text: "got"}, Value: "4"}, {Part: exprsyntax.Part{Text: "want"}, Value: "3"}, {Part: exprsyntax.Part{Text: "f(x)", Calls: true}, Missing: "a call"}}
	for source, want := range map[string]Sides{
		`assert got == 3, "total == 3 must hold"`: {Left: "4", Right: "3"},
		"assert got == want":                      {Left: "4", Right: "3"},
		"assert f(x) == want":                     {},
		"assert got == other":                     {},
		"assert got":                              {},
	} {
		stop := known(exprsyntax.Python, Stop{Type: "AssertionError"}, source)
		got := Read(stop.Comparison, parts)
		got.From = ""
		if got != want {
			t.Errorf("%s: %+v, want %+v", source, got, want)
		}
	}
}

// A remark is no part of a statement, and a text is no remark.
func TestUncommented(t *testing.T) {
	for _, c := range []struct{ text, comment, want string }{
		{"assert total(x) == 31.5  # as it was", "#", "assert total(x) == 31.5"},
		{`assert tag == "#a"  # one`, "#", `assert tag == "#a"`},
		{"if got != 21 { // never", "//", "if got != 21 {"},
		{`open("http://a", 1)`, "//", `open("http://a", 1)`},
		{"a // 2", "#", "a // 2"},
		{"f(\na, // one\nb)", "//", "f(\na,\nb)"},
		{"x # y", "", "x # y"},
	} {
		if got := Uncommented(c.text, c.comment); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// What a statement names itself is not the frame's.
func TestBound(t *testing.T) {
	for statement, want := range map[string]string{
		"for (const peer of rooms.get(room)) console.log(peer.toUpperCase());": "peer",
		"assert all(p == 0 for p in codes)":                                    "p",
		"for (String name : names) use(name);":                                 "name",
		"rows.sort(key=lambda r: r.n)":                                         "r",
	} {
		if !Bound(statement)[want] {
			t.Errorf("%s does not bind %s", statement, want)
		}
	}
	if b := Bound("total = price.of(item) + rates[code]"); len(b) > 0 {
		t.Errorf("it binds %v", b)
	}
}

// A condition that asks by a call whether two values are equal has them as its sides.
func TestEquated(t *testing.T) {
	for source, want := range map[string][2]string{
		"assertTrue(Objects.equals(a.name(), b));":             {"a.name()", "b"},
		"Assertions.assertTrue(got.list(1).equals(List.of()))": {"got.list(1)", "List.of()"},
		`assertTrue(got.equals("a, b"), "words")`:              {"got", `"a, b"`},
		"assertTrue(Arrays.equals(a, 0, 1, b, 0, 1))":          {"Arrays.equals(a, 0, 1, b, 0, 1)", ""},
		"assertTrue(!a.equals(b))":                             {"!a.equals(b)", ""},
		"assertTrue(a.contains(b))":                            {"a.contains(b)", ""},
		"assertTrue(a.equals(b) || c.equals(d))":               {"a.equals(b) || c.equals(d)", ""},
		"assertTrue(a.equals(b).x())":                          {"a.equals(b).x()", ""},
		"assertTrue(size == 3)":                                {"size", "3"},
	} {
		c := known(exprsyntax.Java, Stop{Type: "AssertionFailedError", Message: "expected: <true> but was: <false>", Testing: true}, source).Comparison
		if got := [2]string{c.Left, c.Right}; got != want {
			t.Errorf("%s compares %q, want %q", source, got, want)
		}
	}
}
